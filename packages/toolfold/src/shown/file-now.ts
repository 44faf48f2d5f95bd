import { isAbsolute } from 'node:path';
import { readText } from '../terminal/index.ts';
import type { FileChange } from '../words/index.ts';

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
