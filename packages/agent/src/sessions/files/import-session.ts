import { randomUUID } from 'node:crypto';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import {
  type Entry,
  idBelow,
  type NewEntry,
  newOwner,
  type SessionStore,
  takenId,
} from '../store/index.ts';
import { type ExportedSession, readExport } from './read-export.ts';

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

const IMPORT_SESSION_OPTIONS: KnownOptions<ImportOptions> = {
  id: true,
  words: true,
  trust: true,
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
  checkKnown('importSession()', options, IMPORT_SESSION_OPTIONS);
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
