import { randomUUID } from 'node:crypto';
import { ToolfoldError } from '../../errors.ts';
import type { NewSession, SessionStore } from '../store/index.ts';
import { Session } from './session.ts';

/** Creates a session in a store and opens it. */
export async function createSession(
  store: SessionStore,
  options: Partial<Omit<NewSession, 'createdAt'>> = {},
): Promise<Session> {
  const { id = randomUUID(), ...others } = options;
  await store.create({ id, createdAt: Date.now(), ...others });
  return openSession(store, id);
}

/** Opens a session. Rejects with `session-unknown` if the store has none with this id. */
export function openSession(store: SessionStore, id: string): Promise<Session> {
  return Session.open(store, id);
}

/** Creates a session that shares the entries of another one up to the number `at` (all). */
export async function forkSession(session: Session, at?: number): Promise<Session> {
  const { store, id, entries, record } = session;
  const leaf = at === undefined ? record.leaf : entries.find(({ seq }) => seq === at)?.id;
  if (leaf === undefined) {
    throw new ToolfoldError(
      'invalid-option',
      `The session "${id}" has no entry ${at}.`,
      `Its entries have the numbers 1 to ${record.seq}.`,
    );
  }
  const { title, folder } = record;
  return createSession(store, {
    ...(leaf === null ? {} : { leaf }),
    ...(title === undefined ? {} : { title }),
    ...(folder === undefined ? {} : { folder }),
    forkOf: id,
  });
}
