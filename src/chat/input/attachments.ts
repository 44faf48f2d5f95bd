import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { backticks } from '../../app/shown/index.ts';
import { formatNumber } from '../../app/terminal/index.ts';
import { errorMessage } from '../../errors.ts';

/** Most bytes of one file, and of all files of a message. */
const MAX_FILE = 200_000;
const MAX_ALL = 500_000;

/** `@path` or `@"a path"` at the beginning of a word. */
const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** A message with the files that it mentions. */
export interface Attached {
  readonly text: string;
  /** What was not attached, and why. */
  readonly problems: readonly string[];
  /** Mentions of what is no file. They may mean something else, such as a name. */
  readonly missing: readonly string[];
}

/**
 * Adds the text of each file that a message mentions as `@path`. A mention of something that is no file
 * stays as it is.
 */
export async function withFiles(message: string, folder: string): Promise<Attached> {
  const paths = new Set<string>();
  for (const [, quoted, plain] of message.matchAll(MENTION))
    paths.add(quoted ?? (plain ?? '').replace(/[.,;:!?)]+$/, ''));
  paths.delete('');
  const parts: string[] = [];
  const problems: string[] = [];
  const missing: string[] = [];
  let size = 0;
  for (const path of paths) {
    const read = await readText(typedPath(folder, path));
    if (read === undefined) missing.push(`There is no file ${path}.`);
    else if ('problem' in read) problems.push(`${path} is not attached: ${read.problem}.`);
    else if (size + read.bytes > MAX_ALL) {
      problems.push(
        `${path} is not attached: the files of a message may have ${formatNumber(MAX_ALL)} bytes.`,
      );
    } else {
      size += read.bytes;
      parts.push(fenced(path, read.text));
    }
  }
  return { text: [message, ...parts].join('\n\n'), problems, missing };
}

/** A file's text and size, or why it has none. Undefined if there is no such file. */
export async function readText(
  file: string,
): Promise<
  { readonly text: string; readonly bytes: number } | { readonly problem: string } | undefined
> {
  // Opening a pipe would wait for its writer. Windows has neither the flag nor such files.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG'
      ? undefined
      : error,
  );
  if (!handle) return;
  if (handle instanceof Error) return { problem: errorMessage(handle) };
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) return { problem: 'it is a folder' };
    // A pipe or a device may never end.
    if (!stat.isFile()) return { problem: 'it is not a regular file' };
    if (stat.size > MAX_FILE)
      return {
        problem: `it has ${formatNumber(stat.size)} bytes, more than ${formatNumber(MAX_FILE)}`,
      };
    const bytes = await handle.readFile();
    if (bytes.includes(0)) return { problem: 'it is not a text' };
    return { text: bytes.toString('utf8'), bytes: bytes.length };
  } catch (error) {
    return { problem: errorMessage(error) };
  } finally {
    await handle.close();
  }
}

/** The file between fences that its text does not contain. */
function fenced(path: string, text: string): string {
  const fence = backticks(text, 3);
  return `${path}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** The path as the user typed it, from the folder on. `~` is the home folder. */
export function typedPath(folder: string, typed: string): string {
  return resolve(folder, typed.replace(/^~(?=\/|$)/, homedir()));
}
