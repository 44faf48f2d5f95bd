import { readFileSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { withAllowed } from '../../config/index.ts';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { parseConfig } from '../../mcp/index.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { replaceFile } from '../files/index.ts';

/** The file in which approvals are saved. */
export interface ApprovalStore {
  /** The path as the user sees it. */
  readonly file: string;
  /** Throws if the approval cannot be saved. */
  readonly save: (name: string) => void;
}

/** Approvals that are saved in a configuration file. Its path is shown relative to the working folder inside it. */
export function approvalStore(settingsFile: string): ApprovalStore {
  const inside = relative(process.cwd(), settingsFile);
  return {
    file: inside.startsWith('..') ? settingsFile : inside,
    save: (name) => saveApproval(settingsFile, name),
  };
}

/**
 * Adds a tool to `approvals.allow` of a configuration file, and creates the file if there is none.
 * The rest of the file keeps its values, order and comments. If this fails, it throws
 * `invalid-config`, and the file stays unchanged.
 */
export function saveApproval(file: string, name: string): void {
  try {
    const target = existing(file);
    const before = target === undefined ? '{}\n' : readFileSync(target, 'utf8');
    const bom = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    const text = before.slice(bom.length);
    if (allowedIn(file, text).includes(name)) return;
    const after = withAllowed(text, name);
    if (!allowedIn(file, after).includes(name))
      throw new Error('the file has no place for an approval');
    replaceFile(target ?? file, bom + after);
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `${file} cannot be changed: ${errorMessage(error)}.`,
      `Add "${name}" to "approvals": { "allow": [] } of its toolfold block by hand.`,
      error,
    );
  }
}

/** Follows a link to the file; undefined if there is no file. */
function existing(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    if (ownProperty(error, 'code') === 'ENOENT') return;
    throw error;
  }
}

function allowedIn(file: string, text: string): readonly string[] {
  return parseConfig(file, text, { env: {} }).settings?.approvals?.allow ?? [];
}
