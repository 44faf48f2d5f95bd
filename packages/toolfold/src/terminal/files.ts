import {
  constants,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve, sep } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatNumber, MAX_FILE, mediaTypeOf, plainLine } from '@toolfold/core/internal/values';
import type { UserContent } from 'ai';
import { backticks } from './text.ts';

/** A file or folder without links. One that does not exist has the path by which it was named. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

/**
 * Replaces a file in one step, so that neither a reader nor a crash sees half a file. A link is written through to its
 * target. Throws if there is something else than a regular file.
 */
export function replaceFile(file: string, text: string): void {
  const target = realPath(file);
  if (statSync(target, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${file} is no regular file`);
  withNewFile(target, text, (fresh) => renameSync(fresh, target));
}

/** Creates a file in one step. Throws `EEXIST` if there is a file. */
export function createFile(target: string, text: string): void {
  withNewFile(target, text, (fresh) => {
    try {
      linkSync(fresh, target);
    } catch (error) {
      if (existsSync(target)) throw error;
      // Some file systems have no links.
      renameSync(fresh, target);
    }
    rmSync(fresh, { force: true });
  });
}

function withNewFile(target: string, text: string, place: (fresh: string) => void): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const fresh = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    place(fresh);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** An image or another file of a message, as base64. */
export interface MessageFile {
  readonly type: 'file';
  readonly data: string;
  readonly mediaType: string;
  readonly filename?: string;
}

/** What is sent of a message. */
export function contentOf(message: {
  readonly text: string;
  readonly files?: readonly MessageFile[] | undefined;
}): UserContent {
  const { text, files = [] } = message;
  if (files.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files];
}

/** Most bytes of one file of text, and of all of a message. */
const MAX_TEXT = 200_000;
const MAX_TEXTS = 500_000;
/** Bytes that say whether a file is an image. */
const HEAD = 16;
/** Most characters of the name of a file. */
const MAX_NAME = 100;

/** `@path` or `@"a path"` at the beginning of a word. */
const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

/** A message with the files that it mentions. */
interface Attached {
  readonly text: string;
  /** Images and PDFs. */
  readonly files: readonly MessageFile[];
  /** What was not attached, and why. */
  readonly problems: readonly string[];
  /** Mentions of what is no file. They may mean something else, such as a name. */
  readonly missing: readonly string[];
}

/**
 * Adds the text of each file that a message mentions as `@path`, and each image and PDF as it is. A mention of something that is no file
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
  const files: MessageFile[] = [];
  let size = 0;
  for (const path of paths) {
    const file = typedPath(folder, path);
    const read = leadsOut(file, folder)
      ? { problem: 'it is a link that leads out of the folder. Give the path to which it leads' }
      : await readAttachment(file);
    if (read === undefined) missing.push(`There is no file ${path}.`);
    else if ('problem' in read) problems.push(`${path} is not attached: ${read.problem}.`);
    else if ('mediaType' in read) {
      const { bytes, mediaType } = read;
      const filename = plainLine(basename(file), MAX_NAME);
      files.push({ type: 'file', data: bytes.toString('base64'), mediaType, filename });
    } else if (size + read.bytes.length > MAX_TEXTS) {
      problems.push(
        `${path} is not attached: the files of a message may have ${formatNumber(MAX_TEXTS)} bytes.`,
      );
    } else {
      size += read.bytes.length;
      parts.push(fenced(path, read.text));
    }
  }
  return { text: [message, ...parts].join('\n\n'), files, problems, missing };
}

/** A message with files that the user has given by their bytes: texts between fences, images and PDFs as they are. */
export function withUploads(
  message: string,
  uploads: readonly { readonly name: string; readonly bytes: Buffer }[],
): Pick<Attached, 'text' | 'files' | 'problems'> {
  const parts = [message];
  const problems: string[] = [];
  const files: MessageFile[] = [];
  for (const { name, bytes } of uploads) {
    const filename = plainLine(name, MAX_NAME);
    const mediaType = mediaTypeOf(bytes.subarray(0, HEAD));
    const most = mediaType === undefined ? MAX_TEXT : MAX_FILE;
    if (bytes.length > most)
      problems.push(`${filename} is not attached: ${tooLong(bytes.length, most)}.`);
    else if (mediaType !== undefined)
      files.push({ type: 'file', data: bytes.toString('base64'), mediaType, filename });
    else if (bytes.includes(0)) problems.push(`${filename} is not attached: ${NO_TEXT}.`);
    else parts.push(fenced(filename, bytes.toString('utf8')));
  }
  return { text: parts.filter((part) => part !== '').join('\n\n'), files, problems };
}

/** Whether a path inside of the folder is a link to something outside. Who wrote the folder could choose what is read. */
function leadsOut(file: string, folder: string): boolean {
  const isIn = (path: string, of: string) => path.startsWith(of.endsWith(sep) ? of : of + sep);
  return isIn(file, resolve(folder)) && !isIn(realPath(file), realPath(folder));
}

/** A file's text. Undefined if there is no such file. */
export async function readText(
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string } | undefined> {
  const read = await readAttachment(file);
  return read && 'mediaType' in read ? { problem: NO_TEXT } : read;
}

const NO_TEXT = 'it is not a text';

type Attachment =
  | { readonly text: string; readonly bytes: Buffer }
  | { readonly mediaType: string; readonly bytes: Buffer }
  | { readonly problem: string };

/** A file as a text, or as an image or a PDF, or why it is neither. Undefined if there is no such file. */
async function readAttachment(file: string): Promise<Attachment | undefined> {
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
    const head = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(head, 0, HEAD, 0);
    const mediaType = mediaTypeOf(head.subarray(0, bytesRead));
    const most = mediaType === undefined ? MAX_TEXT : MAX_FILE;
    if (stat.size > most) return { problem: tooLong(stat.size, most) };
    const bytes = await handle.readFile();
    if (mediaType !== undefined) return { mediaType, bytes };
    return bytes.includes(0) ? { problem: NO_TEXT } : { text: bytes.toString('utf8'), bytes };
  } catch (error) {
    return { problem: errorMessage(error) };
  } finally {
    await handle.close();
  }
}

function tooLong(size: number, most: number): string {
  return `it has ${formatNumber(size)} bytes, more than ${formatNumber(most)}`;
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
