import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  formatCount,
  isRecord,
  ownProperty,
  parsedJson,
  raceAbort,
} from '@toolfold/core/internal/values';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import { type CommandContext, exitCode, json, oneLine, usageError } from '../terminal/index.ts';

/** Maximum characters of a server's text in one line on stderr. */
const MAX_LINE = 300;

interface ResultOptions {
  /** The tool's canonical name: files are named after it. */
  readonly name: string;
  readonly out: string;
  readonly json?: boolean;
}

/**
 * Prints a result. stdout gets the text, else the structured content, else the paths of files. An error
 * goes to stderr, with exit code 1.
 */
export async function printResult(
  result: unknown,
  options: ResultOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, exitWith } = context;
  const isError = ownProperty(result, 'isError') === true;
  // Set before the output, because a reader that stops early ends the command.
  exitWith(isError ? exitCode.failed : exitCode.ok);
  if (options.json) {
    await write(json(result ?? null), context);
    return;
  }
  if (!isRecord(result)) {
    terminal.note('toolfold: The answer of the server is not a result of a tool.');
    exitWith(exitCode.failed);
    return;
  }
  const content = ownProperty(result, 'content');
  if (content !== undefined && !Array.isArray(content)) {
    terminal.note(
      'toolfold: The content of the result is no list, so the server is at fault. --json shows it.',
    );
    exitWith(exitCode.failed);
    return;
  }
  const parts = partsOf(content);
  for (const part of parts) {
    if (part.kind !== 'unknown') continue;
    const type = JSON.stringify(oneLine(part.type, MAX_LINE));
    terminal.note(`The result has content of the unknown type ${type}, which --json shows.`);
  }
  const files = await save(parts, options, context);
  const structured = ownProperty(result, 'structuredContent');
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  if (isError) {
    const other = structured === undefined ? 'no reason' : json(structured, 2);
    const text = texts.length > 0 ? texts.join('\n') : other;
    terminal.note(`${options.name} answered with an error: ${text.trimEnd()}`);
    return;
  }
  if (texts.length > 0) {
    await write(joined(texts), context);
    if (isMore(structured, texts)) terminal.note('--json shows the data beside this text.');
  } else if (structured !== undefined) await write(json(structured, 2), context);
  else if (files.length > 0) await write(`${files.join('\n')}\n`, context);
  else if (parts.length === 0) terminal.note('The result is empty.');
}

/** Whether the structured content says something that no text does. Servers should repeat it as text. */
function isMore(structured: unknown, texts: readonly string[]): boolean {
  const values = isRecord(structured) ? Object.values(structured) : [];
  const isSaid = (value: unknown): boolean => texts.some((text) => text.includes(String(value)));
  const isPlain = values.every((value) => typeof value !== 'object' || value === null);
  if (isPlain && values.every(isSaid)) return false;
  return !texts.some((text) => isDeepStrictEqual(parsedJson(text), structured));
}

async function save(
  parts: readonly PrintedPart[],
  { name, out }: ResultOptions,
  { terminal, exitWith }: CommandContext,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'data') continue;
    const { what, mediaType } = part;
    const file = await saveData(part, out, name);
    if (file === undefined) {
      terminal.note(`toolfold: The ${what} of the result is not base64 and was not saved.`);
      exitWith(exitCode.failed);
      continue;
    }
    const type = mediaType === undefined ? '' : `, ${oneLine(mediaType, MAX_LINE)}`;
    terminal.note(`Saved ${file.path} (${what}${type}, ${formatCount(file.bytes, 'byte')})`);
    paths.push(file.path);
  }
  return paths;
}

function joined(texts: readonly string[]): string {
  return texts.reduce(
    (all, text) => `${all}${all.endsWith('\n') || all === '' ? '' : '\n'}${text}`,
    '',
  );
}

/** A terminal gets no control characters, and an end of line. Everything else gets the text as it is. */
async function write(text: string, { streams, signal }: CommandContext): Promise<void> {
  const { stdout } = streams;
  const shown = stdout.isTTY === true ? stripControls(text).replace(/(?<=[^\n])$/, '\n') : text;
  await writeWhole(shown, stdout, signal);
}

/** Data for a file. */
interface DataPart {
  readonly kind: 'data';
  /** Its kind, for people: `picture`, `audio` or `resource`. */
  readonly what: string;
  readonly mediaType: string | undefined;
  readonly base64: string;
}

/** A part of a result, as it is printed. */
type PrintedPart =
  | { readonly kind: 'text'; readonly text: string }
  | DataPart
  | { readonly kind: 'unknown'; readonly type: string };

/** The parts of the `content` of a result. A link to a resource is a text: its address. */
function partsOf(content: unknown): readonly PrintedPart[] {
  return Array.isArray(content) ? content.map(partOf) : [];
}

function partOf(content: unknown): PrintedPart {
  const type = textIn(content, 'type') ?? '';
  // The content of a resource is one level deeper.
  const holder = type === 'resource' ? ownProperty(content, 'resource') : content;
  const text = type === 'text' || type === 'resource' ? textIn(holder, 'text') : undefined;
  if (text !== undefined) return { kind: 'text', text };
  const uri = type === 'resource_link' ? textIn(content, 'uri') : undefined;
  if (uri !== undefined) return { kind: 'text', text: `${uri}\n` };
  const isData = type === 'image' || type === 'audio' || type === 'resource';
  const base64 = isData ? textIn(holder, type === 'resource' ? 'blob' : 'data') : undefined;
  if (base64 === undefined) return { kind: 'unknown', type };
  const what = type === 'image' ? 'picture' : type;
  return { kind: 'data', what, mediaType: textIn(holder, 'mimeType'), base64 };
}

function textIn(record: unknown, name: string): string | undefined {
  const value = ownProperty(record, name);
  return typeof value === 'string' ? value : undefined;
}

/** The endings of files by media type, where the subtype is not itself the ending. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'weba',
  'application/gzip': 'gz',
  'text/plain': 'txt',
  'text/markdown': 'md',
};
const OWN_ENDING =
  /^(?:image\/(?:png|jpg|gif|webp|avif|bmp|tiff)|audio\/(?:wav|mp3|ogg|flac|aac)|video\/(?:mp4|webm)|application\/(?:pdf|json|zip|xml)|text\/(?:html|csv|xml))$/;

const MOST_TRIES = 10_000;

/**
 * Writes data to a new file: `name-1.png`, or the next number that is free. Nothing of its name but the
 * ending comes from the server. `name`: of characters that every system allows. Returns `undefined` if the
 * data is not base64. Throws `invalid-option` if the folder cannot be written.
 */
async function saveData(
  { base64, mediaType }: DataPart,
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly bytes: number } | undefined> {
  // The decoder skips wrong characters.
  if (/[^\w+/=\s-]/.test(base64)) return;
  const data = Buffer.from(base64, 'base64');
  try {
    await mkdir(folder, { recursive: true });
    for (let number = 1; number <= MOST_TRIES; number++) {
      const path = join(folder, `${name}-${number}.${endingOf(mediaType)}`);
      if (await isCreated(path, data)) return { path, bytes: data.length };
    }
    throw new Error(`it has ${MOST_TRIES} such files`);
  } catch (error) {
    throw usageError(
      `${folder} cannot be written: ${errorMessage(error)}.`,
      'Give another folder with --out. The tool has run.',
      error,
    );
  }
}

/** The ending for a media type, without its parameters; `bin` for others. */
function endingOf(mediaType: string | undefined): string {
  const [essence = ''] = (mediaType ?? '').toLowerCase().split(';', 1);
  const type = essence.trim();
  if (OWN_ENDING.test(type)) return type.slice(type.indexOf('/') + 1);
  return Object.hasOwn(ENDINGS, type) ? (ENDINGS[type] ?? 'bin') : 'bin';
}

/** Creates a file. Returns false if there is one, or a link, of this name. */
async function isCreated(path: string, data: Buffer): Promise<boolean> {
  try {
    await writeFile(path, data, { flag: 'wx' });
    return true;
  } catch (error) {
    if (ownProperty(error, 'code') === 'EEXIST') return false;
    throw error;
  }
}

const CHUNK = 64 * 1024;
/** Milliseconds after a signal in which a reader must take something. */
const PATIENCE = 1000;

/**
 * Writes a text of any length. Waits for a slow reader, so that the text is not copied into memory as a
 * whole. A signal does not cut the text off while the reader goes on reading. Rejects with the signal's
 * reason if the reader has stopped or closed its end.
 */
export async function writeWhole(
  text: string,
  stream: Writable,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < text.length; ) {
    const end = endOfChunk(text, at + CHUNK);
    if (!stream.write(text.slice(at, end)) || end >= text.length) await taken(stream, signal);
    at = end;
  }
}

async function taken(stream: Writable, signal: AbortSignal): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    stream.write('', (error) => (error ? reject(error) : resolve()));
  });
  try {
    await raceAbort(written, signal);
  } catch (error) {
    if (!signal.aborted || stream.errored) throw error;
    await raceAbort(written, AbortSignal.timeout(PATIENCE));
  }
}

/** The two halves of a character beyond 16 bits stay together. */
function endOfChunk(text: string, end: number): number {
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end + 1 : end;
}
