import { canonicalName, groupSlug, isLegalName } from '@toolfold/core/internal/tools/names';
import { hashText } from '@toolfold/core/internal/tools/values';

/** The longest name that still fits into 64 characters after `mcp__toolfold__`, which some clients add. */
const MAX_NAME = 49;
const HASH_DIGITS = 8;

/** The name of a tool under its group for clients: its own if that is legal and short enough. */
export function wireName(slug: string, bare: string): string {
  const room = MAX_NAME - slug.length - 2;
  if (isLegalName(bare) && bare.length <= room) return bare;
  const legal = bare.toWellFormed().replace(/[^A-Za-z0-9_-]/gu, '_');
  return `${legal.slice(0, room - HASH_DIGITS - 1)}_${hashText(`${slug}\0${bare}`, HASH_DIGITS)}`;
}

/** What the names of a server's tools begin with. */
export function slugOf(server: string): string {
  return groupSlug(`mcp:${server}`);
}

/** The whole name of a server's tool or prompt for clients, such as `github__create_issue`. */
export function fullName(server: string, bare: string): string {
  const slug = slugOf(server);
  return canonicalName(slug, wireName(slug, bare));
}
