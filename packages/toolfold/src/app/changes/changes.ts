import { isAbsolute } from 'node:path';
import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import { readText } from '../content/index.ts';

/** Most characters of a text that is compared. */
export const MOST_SHOWN = 100_000;

/** What a call changes in a file. */
export interface FileChange {
  readonly path: string;
  /** Texts, and what they become. A `before` that is not known is undefined. */
  readonly parts: readonly { readonly before: string | undefined; readonly after: string }[];
  /** The parts are whole files, so that their lines have the numbers of the file. */
  readonly isWhole: boolean;
  /** What was changed, as the server says: a unified diff of the file. */
  readonly made?: string | undefined;
}

/** Reads the arguments of a tool that changes a file. Undefined if they have another form. */
type ReadParts = (given: object) => FileChange['parts'] | undefined;

const text = (given: unknown, name: string): string | undefined => {
  const value = ownProperty(given, name);
  return typeof value === 'string' ? value : undefined;
};

/** A result of `edit_file`: a unified diff between backticks. No text of a server takes long to read. */
const MADE = /^(`{3,9})diff\n([\s\S]+?)\1/;

/** Tools of `@modelcontextprotocol/server-filesystem`, and what they are called with besides `path`. */
const TOOLS: Readonly<Record<string, ReadParts>> = {
  edit_file: (given) => {
    const edits = ownProperty(given, 'edits');
    if (!Array.isArray(edits) || edits.length === 0) return;
    const parts = edits.map((edit) => {
      const [before, after] = [text(edit, 'oldText'), text(edit, 'newText')];
      return before === undefined || after === undefined ? undefined : { before, after };
    });
    return parts.every((part) => part !== undefined) ? parts : undefined;
  },
  write_file: (given) => {
    const after = text(given, 'content');
    return after === undefined ? undefined : [{ before: undefined, after }];
  },
};

/** The diff in the text of a result. Undefined if there is none. */
export function diffIn(said: string): string | undefined {
  return MADE.exec(said)?.[2];
}

/** What the call changes. Undefined for other tools. `name`: with that of its server in front. */
export function changeOf(name: string, given: unknown): FileChange | undefined {
  const tool = name.slice(name.lastIndexOf('__') + 2);
  const read = TOOLS[tool];
  const path = text(given, 'path');
  if (!read || !name.includes('__') || path === undefined || !isRecord(given)) return;
  const parts = read(given);
  return parts && { path, parts, isWhole: tool === 'write_file' };
}

/** The change with the file as it is now, where it is written anew. Undefined where nothing more is known. */
export async function withFileNow(change: FileChange | undefined): Promise<FileChange | undefined> {
  if (!change?.isWhole || !isAbsolute(change.path)) return;
  const { path, parts } = change;
  const read = await readText(path);
  // What cannot be read may be anything.
  if (read && 'problem' in read) return;
  const before = read?.text ?? '';
  return { ...change, parts: parts.map(({ after }) => ({ before, after })) };
}
