import { readFile, stat } from 'node:fs/promises';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';

/** Larger files are not read. Clients that keep histories in their file write some megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The text of a file, or the reason why there is none. */
export type FileText =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly reason: string };

/** Reads a regular file. Never throws, and never waits for a pipe or a device. */
export async function readText(file: string): Promise<FileText> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) return unreadable('it is a folder');
    if (!found.isFile()) return unreadable('it is not a regular file');
    if (found.size > MAX_BYTES) return unreadable('it is larger than 64 MB');
    return { state: 'read', text: await readFile(file, 'utf8') };
  } catch (error) {
    const code = ownProperty(error, 'code');
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'absent' };
    return unreadable(errorMessage(error));
  }
}

function unreadable(reason: string): FileText {
  return { state: 'unreadable', reason };
}
