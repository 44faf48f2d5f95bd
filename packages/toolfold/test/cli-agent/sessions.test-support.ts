import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Addition, createSession } from '@toolfold/agent/internal/sessions/session.ts';
import type { NewSession } from '@toolfold/agent/internal/sessions/store.ts';
import { type SqliteStore, sqliteStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home, type Outcome } from '../cli/process.test-support.ts';

const listener = { onMessage: () => {}, onLost: () => {} };

export interface SessionsScene {
  /** The home and the working folder of the user. */
  readonly folder: string;
  /** The folder of the file of sessions. */
  readonly place: string;
  /** Runs `toolfold sessions`. */
  readonly sessions: (...args: string[]) => Promise<Outcome>;
  /** The same on a terminal, with the lines that the user types. */
  readonly answering: (answers: readonly string[], ...args: string[]) => Promise<Outcome>;
  /** Runs `work` with the store of the user, and closes it. */
  readonly withStore: <T>(work: (store: SqliteStore) => Promise<T>) => Promise<T>;
  /** Creates a session of the working folder with these entries. */
  readonly add: (
    options: Partial<Omit<NewSession, 'createdAt'>>,
    ...entries: readonly Addition[]
  ) => Promise<string>;
}

/** A user with sessions in a throwaway folder. */
export async function sessionsScene(context: TestContext): Promise<SessionsScene> {
  const folder = await home(context);
  const place = join(folder, 'data', 'toolfold', 'sessions');
  const env = { XDG_DATA_HOME: join(folder, 'data') };
  const withStore: SessionsScene['withStore'] = async (work) => {
    const store = await sqliteStore({ folder: place });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  return {
    ...{ folder, place, withStore },
    sessions: (...args) => command(folder, ['sessions', ...args], { env }),
    answering: (answers, ...args) => command(folder, ['sessions', ...args], { env, answers }),
    add: (options, ...entries) =>
      withStore(async (store) => {
        const session = await createSession(store, { folder, ...options });
        if (entries.length === 0) return session.id;
        await session.begin(listener);
        await session.append(entries);
        await session.end();
        return session.id;
      }),
  };
}

const user = (content: string): Addition => ({
  kind: 'user',
  body: { message: { role: 'user', content } },
  words: content,
});

/** The entries of a turn in which the model calls a tool, and the turn ends with the reason. */
export function turn(words: string, reason: string = 'done'): readonly Addition[] {
  const call = { id: 'c1', name: 'files__write', arguments: { path: 'a\u001b[2J' } };
  return [
    { kind: 'turn', body: { number: 1, how: 'send' } },
    user(words),
    { kind: 'model', body: { content: [{ type: 'text', text: 'I write it.' }] } },
    { kind: 'call', body: call },
    ...(reason === 'approval'
      ? [{ kind: 'approval', body: { approvalId: 'a1', ...call, reason: 'it writes' } }]
      : [
          { kind: 'start', body: { id: 'c1', name: 'files__write' } },
          { kind: 'result', body: { id: 'c1', name: 'files__write', output: 'Written.' } },
        ]),
    { kind: 'event', body: { event: { type: 'usage', input: 1200, cacheRead: 1000, output: 30 } } },
    { kind: 'event', body: { event: { type: 'end', reason } } },
  ];
}

/** The entries of a turn whose process was killed while a tool ran. */
export function killedTurn(words: string): readonly Addition[] {
  return turn(words).slice(0, 5);
}
