import { findSession, newTitle, openStore } from '../../app/sessions/index.ts';
import type { CommandContext, Terminal } from '../../app/terminal/index.ts';
import {
  createSession,
  openSession,
  type Session,
  type SqliteStore,
} from '../../sessions/index.ts';
import { NEW } from './options.ts';

/** The session that keeps a run. */
export interface RunSession {
  /** Opens it. A new one is created now, with the first words of the prompt as its title. */
  open(): Promise<Session>;
  close(): Promise<void>;
}

/**
 * Opens the store, and finds the session of `--session`. `undefined` if the run keeps none. Rejects with
 * the errors of `findSession` and of the store.
 */
export async function runSession(
  given: string | undefined,
  prompt: string | undefined,
  { terminal, unwritten }: Pick<CommandContext, 'terminal' | 'unwritten'>,
): Promise<RunSession | undefined> {
  if (given === undefined) return;
  const store = await openStore(terminal, unwritten);
  try {
    const record = given === NEW ? undefined : await findSession(store, given);
    return {
      open: () => (record ? openSession(store, record.id) : newSession(store, prompt, terminal)),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function newSession(
  store: SqliteStore,
  prompt: string | undefined,
  { note }: Pick<Terminal, 'note'>,
): Promise<Session> {
  const session = await createSession(store, {
    folder: process.cwd(),
    ...newTitle(prompt ?? ''),
  });
  note(`Session: ${session.id}`);
  return session;
}
