import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty, plainLine } from '@toolfold/core/internal/tools/values';

/** A file with instructions, or why it is not read. */
export interface InstructionFile {
  /** Relative to the root of the repository. */
  readonly name: string;
  readonly text: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes that are read. */
  readonly read: number;
  readonly problem?: string;
}

/** Most bytes of all files together. */
const MOST_BYTES = 32_000;
/** Most characters of a name or a problem that is shown. */
const MOST_NAME = 200;
/** Most folders above the one in which the user works. */
const MOST_LEVELS = 64;
/** The first that a folder has is read. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
/** Opens no link, and does not wait for the writer of a pipe. Windows has neither flag. */
const REGULAR = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The files from the root of the repository down to `folder`, outermost first. Without a repository only those of
 * the folder. Where they are too long together, the nearest are read first.
 */
export async function findFiles(folder: string): Promise<readonly InstructionFile[]> {
  const folders = await foldersOf(await realpath(folder));
  const root = folders.at(-1) ?? folder;
  const files: InstructionFile[] = [];
  let left = MOST_BYTES;
  for (const one of folders) {
    const file = await fileIn(one, root, left);
    if (!file) continue;
    left -= file.read;
    files.unshift(file);
  }
  return files;
}

/** The folder and those above it, up to one with `.git`. */
async function foldersOf(folder: string): Promise<readonly string[]> {
  const folders = [folder];
  for (let one = folder; folders.length <= MOST_LEVELS; one = dirname(one)) {
    if (one !== folder) folders.push(one);
    if (await isThere(join(one, '.git'))) return folders;
    if (dirname(one) === one) break;
  }
  return [folder];
}

async function fileIn(
  folder: string,
  root: string,
  most: number,
): Promise<InstructionFile | undefined> {
  for (const file of NAMES.map((name) => join(folder, name))) {
    if (!(await isThere(file))) continue;
    const name = plainLine(relative(root, file).replaceAll(sep, '/'), MOST_NAME);
    const read = await textOf(file, root, most).catch((error) => {
      return { text: '', size: 0, read: 0, problem: plainLine(errorMessage(error), MOST_NAME) };
    });
    return { name, ...read };
  }
  return;
}

async function isThere(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error) => ownProperty(error, 'code') !== 'ENOENT');
  return found !== false;
}

/** A link may lead to another file of the repository. Rejects for anything but text in a regular file. */
async function textOf(file: string, root: string, most: number) {
  const real = await realpath(file);
  const path = relative(root, real);
  // On Windows, a path on another drive stays absolute.
  if (path.startsWith('..') || isAbsolute(path)) throw new Error('it leads out of the repository');
  const handle = await open(real, REGULAR);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is no regular file');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const isWhole = bytesRead >= found.size;
    if (bytes.includes(0)) throw new Error('it is no text');
    const decoder = new TextDecoder('utf-8', { fatal: true });
    // A character that is cut in its middle is left out.
    return { text: decoder.decode(bytes, { stream: !isWhole }), size: found.size, read: bytesRead };
  } finally {
    await handle.close();
  }
}
