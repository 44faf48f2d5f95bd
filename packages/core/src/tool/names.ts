import { hashText } from './hash.ts';

/** The longest tool name that Anthropic and OpenAI both accept. */
export const MAX_NAME = 64;
const SEPARATOR = '__';
const HASH_DIGITS = 8;

/** A name that every provider accepts as it is. */
export function isLegalName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/**
 * `mcp:github` → `github`. An id that changes otherwise gets a hash. Only `mcp:x` and `x` share
 * a slug; the registry gives the one that sorts later a hash.
 */
export function groupSlug(groupId: string): string {
  const source = groupId.startsWith('mcp:') ? groupId.slice(4) : groupId;
  const slug = legal(source);
  const exact = slug === source && slug.length <= 24 && !/__|_$/.test(slug);
  return exact ? slug : `${clean(slug).slice(0, 15)}-${hashText(groupId, HASH_DIGITS)}`;
}

/**
 * The one name of a group's tool on the wire, in hooks, logs and results. It depends on the
 * arguments only. A name that is illegal or too long is shortened, with a hash of the whole
 * name.
 */
export function canonicalName(slug: string, tool: string): string {
  const name = `${slug}${SEPARATOR}${legal(tool)}`;
  if (legal(tool) === tool && tool !== '' && name.length <= MAX_NAME) return name;
  return withHash(name, `${slug}\0${tool}`);
}

/** A legal name similar to `name`, made unique by a hash of `identity`. */
export function withHash(name: string, identity: string): string {
  return `${name.slice(0, MAX_NAME - HASH_DIGITS - 1)}_${hashText(identity, HASH_DIGITS)}`;
}

/**
 * The name of a tool under its group: its own name if that is legal, else its part of the
 * canonical name.
 */
export function shownName(slug: string, tool: string, canonical: string): string {
  if (isLegalName(tool)) return tool;
  const prefix = slug + SEPARATOR;
  return canonical.startsWith(prefix) ? canonical.slice(prefix.length) : canonical;
}

function legal(text: string): string {
  return text.toWellFormed().replace(/[^A-Za-z0-9_-]/gu, '_');
}

function clean(slug: string): string {
  return slug.replace(/_{2,}/g, '_').replace(/_$/, '') || 'group';
}

/** What gpt-oss models write around the name of a tool: the namespace of their format, and marks of its channels. */
const NAMESPACE = /^functions\./;
const MARK = /<\|[a-z_]*\|>.*$/s;

/**
 * The name that a model wrote, without the marks of the Harmony format (https://github.com/openai/harmony). Endpoints
 * that read this format incompletely pass them on, as in `functions.list_issues<|channel|>commentary`.
 */
export function plainName(written: string): string {
  return written.replace(MARK, '').trim().replace(NAMESPACE, '');
}
