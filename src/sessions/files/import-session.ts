import { randomUUID } from 'node:crypto';
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
  /** The id of the new session. Left out, it keeps its own if that is free, and gets a new one otherwise. */
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
  const session = await readExport(lines);
  const { id, words = () => undefined, trust = false } = options;
  if (id !== undefined && (await store.get(id))) throw takenId('a session', id);
  const fill = async (id: string, session: ExportedSession): Promise<void> => {
    const { head, texts, children } = session;
    const entries = withNewIds(trust ? session.entries : marked(session.entries), words);
    if (entries.length > 0) {
      const lease = await store.acquire(id, newOwner());
      await store.append(entries, { lease, texts }).finally(() => store.release(lease));
    }
    for (const child of children) {
      const childId = await freeId(store, idBelow(child.head.id, head.id, id));
      await store.create({ ...child.head, id: childId, parent: id });
      await fill(childId, child);
    }
  };
  const root = id ?? (await freeId(store, session.head.id));
  await store.create({ ...session.head, id: root });
  try {
    await fill(root, session);
  } catch (error) {
    // The first error says more than one of the removal.
    await store.remove(root).catch(() => {});
    throw error;
  }
  return root;
}

async function freeId(store: SessionStore, id: string): Promise<string> {
  return (await store.get(id)) === undefined ? id : randomUUID();
}

function marked(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1);
  if (!last) return entries;
  const { seq, at } = last;
  const mark = { id: '', parent: null, seq: seq + 1, kind: IMPORTED, body: {} };
  return [...entries, { ...mark, at: Math.max(at, Date.now()) }];
}

function withNewIds(
  entries: readonly Entry[],
  words: (entry: Entry) => string | undefined,
): readonly NewEntry[] {
  let parent: string | null = null;
  return entries.map((entry) => {
    const added: NewEntry = { ...entry, id: randomUUID(), parent, words: words(entry) };
    parent = added.id;
    return added;
  });
}
