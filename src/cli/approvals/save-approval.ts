import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { parseConfig } from '../../mcp/index.ts';
import { own } from '../../tools/values/index.ts';

const PLACE = ['toolfold', 'approvals', 'allow'];

/**
 * Adds a tool to `approvals.allow` of a configuration file, which is made where there is none. The
 * rest of the file keeps its values, order and comments. Throws `invalid-config` where that cannot be done;
 * the file is unchanged then.
 */
export function saveApproval(file: string, name: string): void {
  try {
    const target = existing(file);
    const before = target === undefined ? '{}\n' : readFileSync(target, 'utf8');
    const bom = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    const text = before.slice(bom.length);
    if (allowedIn(file, text).includes(name)) return;
    const after = withApproval(text, name);
    if (!allowedIn(file, after).includes(name)) throw new Error('the file has no place for it');
    replace(target ?? file, bom + after);
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `${file} cannot be changed: ${errorMessage(error)}.`,
      `Add "${name}" to "approvals": { "allow": [] } of its toolfold block by hand.`,
      error,
    );
  }
}

/** The file itself where it is behind a link; undefined where there is none. */
function existing(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    if (own(error, 'code') === 'ENOENT') return;
    throw error;
  }
}

function allowedIn(file: string, text: string): readonly string[] {
  return parseConfig(file, text, { env: {} }).settings?.approvals?.allow ?? [];
}

function withApproval(text: string, name: string): string {
  const indent = /^(\t+| +)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const edits = modify(text, [...PLACE, -1], name, { formattingOptions, isArrayInsertion: true });
  return applyEdits(text, edits);
}

/** In one step, so that no reader and no crash meets half a file. */
function replace(target: string, text: string): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const next = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(next, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
