import { hash, randomUUID } from 'node:crypto';
import { errorMessage, invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  isTooDeep,
  type JsonObject,
  ownProperties,
} from '@toolfold/core/internal/values';
import { addressesIn, FORMAT, type Header, type SessionHead, VERSION } from './export-session.ts';
import { newOwner } from './lease.ts';
import {
  A_FUNCTION,
  A_TEXT,
  A_TRUTH,
  checkOptions,
  checkStore,
  type OptionChecks,
} from './option-checks.ts';
import { idBelow } from './session.ts';
import type { Entry, NewEntry, SessionStore } from './store.ts';
import { takenId } from './store-errors.ts';

export interface ImportOptions {
  /**
   * The id of the new session. Left out, it keeps its own if that is free and could not be that of another session's
   * subagent, and gets a new one otherwise.
   */
  readonly id?: string;
  /** The words in an entry that `search` finds. Left out, it finds nothing in the imported sessions. */
  readonly words?: (entry: Entry) => string | undefined;
  /**
   * Whether what the entries permit holds, such as approvals of tools. Left out, each session ends with an
   * entry "imported", and an agent asks its user again.
   */
  readonly trust?: boolean;
}

/** The kind of the entry behind entries that come from a file. */
const IMPORTED = 'imported';

const IMPORT_SESSION_OPTIONS: OptionChecks<ImportOptions> = {
  id: A_TEXT,
  words: A_FUNCTION,
  trust: A_TRUTH,
};

/**
 * Creates a session from the lines of an export, with the sessions of its subagents, and returns its id.
 * Entries get new ids. Nothing is created if a line is wrong: then it rejects with `invalid-option` and
 * the number of the line, or with `session-newer`. Rejects with `invalid-option` if the given id is
 * taken, and with the errors of the store, after it has removed what it has created.
 */
export async function importSession(
  store: SessionStore,
  lines: Iterable<string> | AsyncIterable<string>,
  options: ImportOptions = {},
): Promise<string> {
  checkStore(store);
  checkOptions('importSession()', options, IMPORT_SESSION_OPTIONS);
  const isObject = typeof lines === 'object' && lines !== null;
  if (!isObject || !(Symbol.iterator in lines || Symbol.asyncIterator in lines))
    throw invalidOption('lines', 'the lines of `exportSession()`, or `linesOf(text)`');
  const exported = await readExport(lines);
  if (options.id !== undefined && (await store.get(options.id)))
    throw takenId('a session', options.id);
  const create = async (id: string, session: ExportedSession, parent?: string): Promise<void> => {
    const { head, texts, children } = session;
    await store.create({ ...head, id, parent });
    try {
      const entries = newEntries(session.entries, options);
      if (entries.length > 0) {
        const lease = await store.acquire(id, newOwner());
        await store.append(entries, { lease, texts }).finally(() => store.release(lease));
      }
      for (const child of children)
        await create(await freeId(store, idBelow(child.head.id, head.id, id)), child, id);
    } catch (error) {
      // The first error says more than one of the removal.
      await store.remove(id).catch(() => {});
      throw error;
    }
  };
  const { id: own } = exported.head;
  // An agent finds the session of a subagent by its id: "session/name".
  const id = options.id ?? (own.includes('/') ? randomUUID() : await freeId(store, own));
  await create(id, exported);
  return id;
}

async function freeId(store: SessionStore, id: string): Promise<string> {
  return (await store.get(id)) === undefined ? id : randomUUID();
}

/** Entries with new ids, and with a mark behind them if they are not trusted. */
function newEntries(
  entries: readonly Entry[],
  { words, trust = false }: ImportOptions,
): readonly NewEntry[] {
  let parent: string | null = null;
  const last = entries.at(-1);
  const at = Math.max(last?.at ?? 0, Date.now());
  const marks =
    last && !trust ? [{ ...last, seq: last.seq + 1, kind: IMPORTED, body: {}, at }] : [];
  return [...entries, ...marks].map((entry) => {
    const added: NewEntry = { ...entry, id: randomUUID(), parent, words: words?.(entry) };
    parent = added.id;
    return added;
  });
}

/** Most levels of sessions below the first one. Agents go four levels deep. */
const MAX_LEVELS = 16;

/** A session of an export. */
interface ExportedSession {
  readonly head: SessionHead;
  readonly entries: readonly Entry[];
  readonly texts: ReadonlyMap<string, string>;
  /** The sessions of its subagents. */
  readonly children: readonly ExportedSession[];
}

/**
 * Reads an export whole. Rejects with `invalid-option` and the number of the line if anything is wrong,
 * and with `session-newer` if a newer version of Toolfold wrote it.
 */
async function readExport(
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<ExportedSession> {
  const read: ExportLine[] = [];
  let count = 0;
  for await (const line of lines) {
    count += 1;
    // Editors on Windows write a byte order mark at the start of a file.
    const text = count === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() !== '') read.push({ number: count, value: parse(count, text) });
  }
  let at = 0;
  const next = (expected: string): ExportLine => {
    const line = read[at++];
    if (line) return line;
    const number = (read.at(-1)?.number ?? 0) + 1;
    throw wrongLine(number, `it is missing; expected: ${expected}`);
  };
  const nextSession = (level: number): ExportedSession => {
    const line = next('the header of a session');
    if (level > MAX_LEVELS) throw wrongLine(line.number, 'its session is below too many others');
    const { session: head, ...sizes } = header(line);
    const entries: Entry[] = [];
    for (let seq = 1; seq <= sizes.entries; seq++)
      entries.push(entry(next(`entry ${seq} of ${sizes.entries}`), entries.at(-1)));
    const texts = new Map<string, string>();
    const addresses = sizes.texts > 0 ? addressesIn(entries) : new Set();
    while (texts.size < sizes.texts) {
      const { number, value } = next(`text ${texts.size + 1} of ${sizes.texts}`);
      const { address, text } = value;
      if (typeof text !== 'string' || address !== hash('sha256', text))
        throw wrongLine(number, 'it is not a text with its address');
      if (!addresses.delete(address)) throw wrongLine(number, 'no entry refers to its text');
      texts.set(address, text);
    }
    const children: ExportedSession[] = [];
    while (children.length < sizes.children) children.push(nextSession(level + 1));
    return { head, entries, texts, children };
  };
  const session = nextSession(0);
  const line = read[at];
  if (line) throw wrongLine(line.number, 'the session has ended before it');
  return session;
}

function header({ number, value }: ExportLine): Header {
  const { format, version, session, entries, texts, children } = value;
  if (format !== FORMAT) throw wrongLine(number, `it is no header of the format "${FORMAT}"`);
  if (!isCount(version) || version < 1) throw wrongLine(number, 'its version is wrong');
  if (version > VERSION) {
    throw new ToolfoldError(
      'session-newer',
      `Line ${number}: a newer version of Toolfold wrote this export (format ${version}, known: ${VERSION}).`,
      'Update Toolfold. Nothing was imported.',
    );
  }
  if (!isCount(entries) || !isCount(texts) || !isCount(children))
    throw wrongLine(number, 'its numbers of entries, texts and children are wrong');
  const { id, createdAt, title, folder } = ownProperties(session);
  if (typeof id !== 'string' || id === '') throw wrongLine(number, 'its session has no id');
  if (!isTime(createdAt)) throw wrongLine(number, 'its session has no time of creation');
  if (!isOptionalText(title) || !isOptionalText(folder))
    throw wrongLine(number, 'the title or the folder of its session is no text');
  const head = { id, createdAt, title, folder };
  return { format, version, session: head, entries, texts, children };
}

function entry({ number, value }: ExportLine, before: Entry | undefined): Entry {
  const { id, parent, seq, kind, body, at } = value;
  if (typeof id !== 'string' || id === '') throw wrongLine(number, 'the entry has no id');
  if (typeof kind !== 'string' || kind === '') throw wrongLine(number, 'the entry has no kind');
  if (!isRecord(body)) throw wrongLine(number, 'the entry has no body');
  const expected = (before?.seq ?? 0) + 1;
  if (seq !== expected) throw wrongLine(number, `its number is not ${expected}`);
  const last = before?.id ?? null;
  if (parent !== last || parent === id)
    throw wrongLine(number, 'its parent is not the entry before it');
  if (!isTime(at) || at < (before?.at ?? 0))
    throw wrongLine(number, 'its time is wrong, or before that of the entry before it');
  return { id, parent: last, seq, kind, body: body as JsonObject, at };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Milliseconds since 1970 that a `Date` can have. */
function isTime(value: unknown): value is number {
  return isCount(value) && value <= 8.64e15;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** A line of an export. */
interface ExportLine {
  /** Its number in the file; the first line has 1. */
  readonly number: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The lines of a text that comes in chunks, without their ends. Only `\n` ends a line. */
export async function* linesOf(
  chunks: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  // Joined at the end of a line only: a line may have many chunks.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    parts.push(first);
    for (const other of others) {
      yield parts.join('');
      parts = [other];
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}

/** The error for a line that an export does not have. */
function wrongLine(number: number, reason: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `Line ${number} of the export is wrong: ${reason}.`,
    'Nothing was imported. Export the session again.',
    cause,
  );
}

function parse(number: number, text: string): ExportLine['value'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrongLine(number, `it is no JSON (${errorMessage(error)})`, error);
  }
  if (!isRecord(value)) throw wrongLine(number, 'it is no JSON object');
  if (isTooDeep(value)) throw wrongLine(number, 'it is nested too deeply');
  return value;
}
