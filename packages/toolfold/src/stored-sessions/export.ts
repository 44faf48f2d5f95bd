import { constants, lstatSync, openSync, statSync } from 'node:fs';
import { link, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { exportSession, type Session, type SessionRecord } from '@toolfold/agent/internal/sessions';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty, visibleText } from '@toolfold/core/internal/values';
import { beginning, repairWords, shownText } from '../shown/index.ts';
import { backticks, escapedControls, usageError } from '../terminal/index.ts';
import {
  readTranscript,
  type TranscriptApproval,
  type TranscriptCallItem,
  type TranscriptEntry,
  type TranscriptItem,
} from './transcript.ts';

export type ExportFormat = 'jsonl' | 'markdown';

/**
 * Writes a session to a file, as `writePlace` does. An existing file is replaced only with `force`. Rejects with
 * `invalid-option` if the file is there or cannot be written.
 */
export async function exportToFile(
  session: Session,
  file: string,
  { format, force = false }: { readonly format: ExportFormat; readonly force?: boolean },
): Promise<void> {
  await writePlace(file, textsOf(session, format), { force });
}

/** The text of a session, in parts. */
export async function* textsOf(
  session: Session,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'markdown') yield sessionMarkdown(session.record, session.entries);
  else for await (const line of exportSession(session)) yield `${escapedControls(line)}\n`;
}

/** Most characters of a result. */
const MAX_RESULT = 2_000;

/** What Markdown reads within a line, links without brackets included. */
const MARKUP = /[\\`*_#[\]<>!|~&$:@]|(?<=www)\./gi;

/** How a call stands that has neither a result nor an error. */
export const CALL_STATES: Readonly<Record<TranscriptCallItem['state'], string>> = {
  intended: 'It did not run.',
  waiting: 'It waits for approval.',
  denied: 'It did not run.',
  unknown: 'It was started and has no result: its outcome is unknown.',
  done: '',
  failed: '',
};

/**
 * A session as Markdown for people. Texts of users, models and tools stand in fences and cannot imitate
 * the structure around them. Results are cut to 2,000 characters.
 */
export function sessionMarkdown(
  { id, title, folder, createdAt, changedAt }: SessionRecord,
  entries: Iterable<TranscriptEntry>,
): string {
  const { items } = readTranscript(entries);
  const head = [
    `# ${plainMarkdown(title ?? '') || 'Session'}`,
    [
      `- Session: ${plainMarkdown(id)}`,
      ...(folder === undefined ? [] : [`- Folder: ${plainMarkdown(folder)}`]),
      `- Begun: ${timeOf(createdAt)}`,
      `- Last change: ${timeOf(changedAt)}`,
    ].join('\n'),
  ];
  return `${[...head, ...items.flatMap(blocksOf)].join('\n\n')}\n`;
}

function blocksOf(item: TranscriptItem): readonly string[] {
  switch (item.type) {
    case 'turn':
      return [
        `## Turn ${item.number}${item.how === 'send' ? '' : ` (${plainMarkdown(item.how)})`}, ${timeOf(item.at)}`,
      ];
    case 'user':
      return ['### User', fenced(item.text, 'text')];
    case 'answer':
      return ['### Answer', fenced(item.text, 'markdown')];
    case 'call':
      return callBlocks(item);
    case 'note':
      return [
        `*${plainMarkdown(item.title)}*`,
        ...(item.text === undefined ? [] : [fenced(item.text, 'text')]),
      ];
    case 'end': {
      const error = item.error === undefined ? '' : `: ${plainMarkdown(item.error)}`;
      return [`*The turn ended: ${plainMarkdown(item.reason)}${error}*`];
    }
  }
}

function callBlocks(call: TranscriptCallItem): readonly string[] {
  const { name, repairs, approvals, state, error, choice } = call;
  return [
    `### Call of ${plainMarkdown(name)}`,
    fenced(JSON.stringify(call.arguments, null, 2) ?? '', 'json'),
    ...(repairs ? [`*${plainMarkdown(repairWords(repairs))}*`] : []),
    ...approvals.map((approval) => `*${approvalText(approval)}*`),
    ...(choice === undefined
      ? []
      : [`*Its outcome was unknown. The user chose: ${plainMarkdown(choice)}.*`]),
    ...(state === 'done' ? ['Result:', fenced(shownText(call.output, MAX_RESULT), 'text')] : []),
    ...(error === undefined ? [] : ['Error:', fenced(beginning(error, MAX_RESULT), 'text')]),
    ...(error === undefined && CALL_STATES[state] !== '' ? [`*${CALL_STATES[state]}*`] : []),
  ];
}

function approvalText({ reason, answer }: TranscriptApproval): string {
  const asked = `The user was asked${reason === undefined ? '' : ` (${plainMarkdown(reason)})`}`;
  if (!answer) return `${asked} and has not answered.`;
  const scope = answer.scope === undefined ? '' : ` (${plainMarkdown(answer.scope)})`;
  const why = answer.reason === undefined ? '' : `: ${plainMarkdown(answer.reason)}`;
  return answer.approved ? `${asked} and approved${scope}.` : `${asked} and denied${why}.`;
}

/** Milliseconds since 1970 as text. */
function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A text of others as one line of Markdown that is read as plain text. */
function plainMarkdown(text: string): string {
  const line = visibleText(text, Number.POSITIVE_INFINITY).replace(/\s+/g, ' ').trim();
  return line.replace(MARKUP, '\\$&');
}

/** A text of others as a block of code. The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const visible = visibleText(text, Number.POSITIVE_INFINITY);
  const fence = backticks(visible, 3);
  return `${fence}${language}\n${visible}${visible.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Time in milliseconds in which a pipe must get a reader. */
const READER_TIME = 1000;

/** Paths of the system that stand for something open, whatever it is. */
const OPEN_PLACES = /^\/(?:dev|proc)\//;

/**
 * Throws `invalid-option` if nothing may be written to this place: it is a folder, or a regular file or a link to
 * nothing and `force` is not set. A device or a pipe is not replaced, so it needs no `force`.
 */
function checkPlace(file: string, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw usageError(`${file} is a folder.`, 'Name a file in it.');
  if (force || isOpenPlace(file)) return;
  if (found ? !found.isFile() : !lstatSync(file, { throwIfNoEntry: false })) return;
  const hint = 'Give another file, or replace it with --force.';
  throw usageError(`There is a file ${file} already.`, hint);
}

/**
 * Writes texts to the place that a user has named, and leaves it what it is. A regular file is there whole or not at
 * all, and only the user can read it (mode 0600). A link is followed: its target is written. A device or a pipe
 * is opened and written. Rejects with `invalid-option` as `checkPlace` does, and if the place cannot be written.
 */
export async function writePlace(
  file: string,
  texts: AsyncIterable<string>,
  { force }: { readonly force: boolean },
): Promise<void> {
  checkPlace(file, force);
  const fail = (cause: unknown): never => {
    const message = `${file} cannot be written: ${errorMessage(cause)}.`;
    throw usageError(message, 'Check the path.', cause);
  };
  const found = await stat(file).catch(absent).catch(fail);
  if (found?.isFIFO()) return writePipe(file, texts).catch(fail);
  if (isOpenPlace(file) || (found && !found.isFile())) {
    const handle = await open(file, 'w').catch(fail);
    try {
      for await (const text of texts) await handle.writeFile(text).catch(fail);
    } finally {
      await handle.close();
    }
    return;
  }
  const target = await targetOf(file).catch(fail);
  const fresh = `${target}.${process.pid}.tmp`;
  try {
    const handle = await open(fresh, 'wx', 0o600).catch(fail);
    try {
      for await (const text of texts) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a renamed file, a hard link replaces no file that has come meanwhile. Some file systems have none.
    if (!force && (await link(fresh, target).catch(errorMessage)) === undefined) return;
    checkPlace(file, force);
    await rename(fresh, target).catch(fail);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Writes to a pipe. It is never opened without a reader, because that would hold this process for ever. */
async function writePipe(file: string, texts: AsyncIterable<string>): Promise<void> {
  const end = performance.now() + READER_TIME;
  for (;;) {
    try {
      const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      return await pipeline(texts, new Socket({ fd, readable: false, writable: true }));
    } catch (error) {
      if (ownProperty(error, 'code') !== 'ENXIO') throw error;
      if (performance.now() > end) throw new Error('nobody reads this pipe');
    }
    await setTimeout(50);
  }
}

/** The file to which a path leads through links, also if it does not exist yet. */
async function targetOf(file: string): Promise<string> {
  const real = await realpath(file).catch(absent);
  if (real !== undefined) return real;
  const next = await readlink(file).catch(absent);
  return next === undefined ? resolve(file) : targetOf(resolve(dirname(file), next));
}

function isOpenPlace(file: string): boolean {
  return OPEN_PLACES.test(resolve(file));
}

/** Nothing, if the reason of a failure is that nothing is there, or no link. */
function absent(error: unknown): undefined {
  const code = ownProperty(error, 'code');
  if (code === 'ENOENT' || code === 'EINVAL') return;
  throw error;
}
