import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { AgentHooks } from '@toolfold/agent/internal/events';
import type { Session } from '@toolfold/agent/internal/sessions';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatNumber, ownProperty, plainLine } from '@toolfold/core/internal/values';

/** What the files of a project say to agents. */
interface Instructions {
  readonly files: readonly InstructionFile[];
  /** Their texts as system text. Empty if there is none. */
  readonly text: string;
}

const HEADING =
  'The project has files that say how to work in it. Where two of them differ, the later one counts.';

/** Reads the files of a project, for a user who works in `folder`. Never rejects. */
export async function readInstructions(folder: string): Promise<Instructions> {
  const files = await findFiles(folder).catch(() => []);
  const sections = files.flatMap(({ name, text, size, read }) => {
    if (text.trim() === '' && read === size) return [];
    const cut = `[Cut: ${formatNumber(read)} of ${formatNumber(size)} bytes are shown.]`;
    return [`# ${name}\n\n${text.trim()}${read < size ? `\n\n${cut}` : ''}`];
  });
  return { files, text: sections.length === 0 ? '' : [HEADING, ...sections].join('\n\n') };
}

/** One line about the files for the user. Undefined if there is none. */
export function instructionLine({ files }: Pick<Instructions, 'files'>): string | undefined {
  if (files.length === 0) return;
  const parts = files.map(({ name, size, read, problem }) => {
    if (problem !== undefined) return `${name} (not read: ${problem})`;
    const bytes = `${formatNumber(read)}${read < size ? ` of ${formatNumber(size)}` : ''} bytes`;
    return `${name} (${bytes})`;
  });
  return `Instructions from ${parts.join(', ')}`;
}

/** The text that a conversation has sent. Undefined before its first request. */
export function keptInstructions({ entries }: Pick<Session, 'entries'>): string | undefined {
  const text = entries.findLast(({ kind }) => kind === 'system')?.body.text;
  return typeof text === 'string' ? text : undefined;
}

/**
 * The hooks of an agent and of its subagents that put the files into the system text: as they are when a
 * conversation begins. A session keeps the text, so that its prefix stays the same. Its subagents get the same text,
 * whenever they begin. A session that began without keeps its prefix.
 */
export function instructionHooks(
  folder: string | undefined,
  session: Pick<Session, 'entries'>,
): { readonly own: AgentHooks; readonly ofSubagents: AgentHooks } {
  const kinds = new Set(session.entries.map(({ kind }) => kind));
  if (folder === undefined || (kinds.has('turn') && !kinds.has('system')))
    return { own: {}, ofSubagents: {} };
  const adding = (textOf: () => Promise<string>): AgentHooks => ({
    transformSystemPrompt: async (before) => [before, await textOf()].filter(Boolean).join('\n\n'),
  });
  const read = async () => (await readInstructions(folder)).text;
  return {
    own: adding(read),
    ofSubagents: adding(async () => keptInstructions(session) ?? (await read())),
  };
}

/** A file with instructions, or why it is not read. */
interface InstructionFile {
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
async function findFiles(folder: string): Promise<readonly InstructionFile[]> {
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
    const read = await textOf(file, most).catch((error) => {
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

/**
 * Rejects for anything but text in a regular file. Whoever made the folder chose where its links lead, and the text is
 * sent to a model, so a link may only lead to other instructions beside it.
 */
async function textOf(file: string, most: number) {
  const real = await realpath(file);
  // A file system that ignores case may have it as `Agents.md`.
  const isNamedSo = NAMES.some((name) => name.toLowerCase() === basename(real).toLowerCase());
  if (dirname(real) !== dirname(file) || !isNamedSo)
    throw new Error(`it is a link to something else than ${NAMES.join(' or ')} of its folder`);
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
