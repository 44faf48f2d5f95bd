import { type SqliteStore, sqliteStore } from '@toolfold/agent/internal/sessions';
import type { Terminal, Unwritten } from '../terminal/index.ts';
import { sessionsFolder } from './folder.ts';
import { WaitingMessages } from './waiting.ts';

/**
 * Opens the store of sessions. Notes if the file is damaged, and if it cannot be written for some time. What is
 * being appended counts in `unwritten`.
 */
export async function openStore(
  { note }: Pick<Terminal, 'note'>,
  unwritten?: Unwritten,
): Promise<SqliteStore> {
  const opened = await announced(sqliteStore({ folder: sessionsFolder(), onWarning: note }), note);
  const store: SqliteStore = {
    ...opened,
    // What waited for its next turn goes with it.
    remove: async (id) => {
      const isRemoved = await opened.remove(id);
      const waiting = new WaitingMessages();
      await waiting.take(id);
      await waiting.keep(id, []);
      return isRemoved;
    },
  };
  if (unwritten === undefined) return store;
  return {
    ...store,
    create: (...given) => announced(store.create(...given), note),
    acquire: (...given) => announced(store.acquire(...given), note),
    append: (...given) => unwritten.during(() => announced(store.append(...given), note)),
  };
}

/** Opens the store of sessions, runs `work`, and closes it. Rejects as either does. */
export async function withStore<T>(
  terminal: Pick<Terminal, 'note'>,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(terminal);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Milliseconds after which the user is told what is waited for. */
const PATIENCE = 1500;

const LATE =
  'The sessions cannot be written at present: the disk may be full, or another program locks them. Toolfold tries again for two minutes.';

/** Says that the store of sessions lets the work wait, and when it is done after all. */
async function announced<T>(work: Promise<T>, note: (text: string) => void): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    note(LATE);
  }, PATIENCE);
  try {
    const result = await work;
    if (isLate) note('The sessions are written again.');
    return result;
  } finally {
    clearTimeout(timer);
  }
}
