import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, memoryStore, type SessionStore } from '@toolfold/agent/sessions';

/** A recorded session, with the sessions of its subagents. */
export interface Fixture {
  readonly id: string;
  readonly createdAt: number;
  readonly title?: string;
  readonly entries: readonly Entry[];
  readonly texts: ReadonlyMap<string, string>;
  readonly children: readonly Fixture[];
}

interface Header {
  readonly session: { readonly id: string; readonly createdAt: number; readonly title?: string };
  readonly entries: number;
  readonly texts: number;
  readonly children: number;
}

/** The place of a file of this folder. */
export const placeOf = (folder: 'sessions' | 'expected', file: string): string =>
  join(import.meta.dirname, folder, file);

/** The lines that `exportSession` has written. */
export const readLines = (name: string): readonly string[] =>
  readFileSync(placeOf('sessions', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');

/** Reads the session from its lines. */
export function readFixture(name: string): Fixture {
  const lines = readLines(name);
  let at = 0;
  const next = <T>(): T => JSON.parse(lines[at++] ?? '');
  const read = (): Fixture => {
    const { session, ...counts } = next<Header>();
    const entries = Array.from({ length: counts.entries }, () => next<Entry>());
    const texts = Array.from({ length: counts.texts }, () =>
      next<{ address: string; text: string }>(),
    );
    const children = Array.from({ length: counts.children }, read);
    const byAddress = new Map(texts.map(({ address, text }) => [address, text] as const));
    return { ...session, entries, texts: byAddress, children };
  };
  return read();
}

/** A store that holds the sessions entry by entry. `importSession` would ask for approvals again. */
export async function storeOf(fixture: Fixture): Promise<SessionStore> {
  const store = memoryStore();
  await fill(store, fixture);
  return store;
}

const OWNER = { host: 'recorder', boot: '', pid: 1, started: '', instance: 'recorder' };

async function fill(store: SessionStore, fixture: Fixture, parent?: string): Promise<void> {
  const { id, createdAt, title, entries, texts, children } = fixture;
  const optional = { ...(title === undefined ? {} : { title }), ...(parent ? { parent } : {}) };
  await store.create({ id, createdAt, ...optional });
  const lease = await store.acquire(id, OWNER);
  await store.append(entries, { lease, texts });
  await store.release(lease);
  for (const child of children) await fill(store, child, id);
}
