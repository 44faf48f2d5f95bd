import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Allowed, withAllowed } from '@toolfold/config/internal/config';
import { TrustedEntries } from '@toolfold/config/internal/files';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { parseConfig } from '@toolfold/mcp/internal/mcp';
import { workspaceOf } from '@toolfold/mcp/internal/mcp/clients';
import { blockHash } from '@toolfold/mcp/internal/mcp/config';
import { realPath, replaceFile } from '../files/index.ts';

/** The file in which approvals are saved. */
export interface ApprovalStore {
  /** The path as the user sees it. */
  readonly file: string;
  /** Throws if the approval cannot be saved. */
  readonly save: (allowed: Allowed) => void;
}

/** Approvals that are saved in a configuration file. Its path is shown relative to the working folder inside it. */
export function approvalStore(settingsFile: string): ApprovalStore {
  const inside = relative(process.cwd(), settingsFile);
  return {
    file: inside.startsWith('..') ? settingsFile : inside,
    save: (allowed) => saveApproval(settingsFile, allowed),
  };
}

/**
 * Adds a tool or a call to `approvals.allow` of a configuration file, and creates the file if there is none.
 * The rest of the file keeps its values, order and comments. If this fails, it throws
 * `invalid-config`, and the file stays unchanged.
 */
export function saveApproval(file: string, allowed: Allowed): void {
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
    const bom = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    const text = before.slice(bom.length);
    if (isIn(allowedIn(file, text), allowed)) return;
    const after = withAllowed(text, allowed);
    if (!isIn(allowedIn(file, after), allowed))
      throw new Error('the file has no place for an approval');
    const isTrusted = isBlockTrusted(file, text);
    replaceFile(file, bom + after);
    if (isTrusted) trustBlock(file, after);
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `${file} cannot be changed: ${errorMessage(error)}.`,
      `Add ${JSON.stringify(allowed)} to "approvals": { "allow": [] } of its toolfold block by hand.`,
      error,
    );
  }
}

/** Whether the user has said yes to the block of a file, or there is none. */
function isBlockTrusted(file: string, text: string): boolean {
  const hash = blockHash(file, text);
  return hash === undefined || new TrustedEntries().has(realPath(workspaceOf(file)), hash);
}

/** The user has answered what is added to the block, so it needs no other yes. */
function trustBlock(file: string, text: string): void {
  const hash = blockHash(file, text);
  if (hash === undefined) return;
  new TrustedEntries().add({ folder: realPath(workspaceOf(file)), hash, name: 'toolfold' });
}

function isIn(list: readonly Allowed[], allowed: Allowed): boolean {
  return list.some((one) => isDeepStrictEqual(one, allowed));
}

function allowedIn(file: string, text: string): readonly Allowed[] {
  return parseConfig(file, text, { env: {} }).settings?.approvals?.allow ?? [];
}
