import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, memoryStore, type SessionStore } from 'toolfold/sessions';

/** An entry of a recorded session. */
export interface RecordedEntry extends Entry {
  /** It was written together with the next one: no process could end between the two. */
  readonly isInside?: true;
}

/** A recorded session, with the sessions of its subagents. */
export interface Fixture {
  readonly id: string;
  readonly createdAt: number;
  readonly title?: string;
  readonly entries: readonly RecordedEntry[];
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

/** Reads the lines that `exportSession` has written. */
export function readFixture(name: string): Fixture {
  const lines = readFileSync(placeOf('sessions', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  let at = 0;
  const next = <T>(): T => JSON.parse(lines[at++] ?? '');
  const read = (): Fixture => {
    const { session, ...counts } = next<Header>();
    const entries = Array.from({ length: counts.entries }, () => next<RecordedEntry>());
    const texts = Array.from({ length: counts.texts }, () =>
      next<{ address: string; text: string }>(),
    );
    const children = Array.from({ length: counts.children }, read);
    const byAddress = new Map(texts.map(({ address, text }) => [address, text] as const));
    return { ...session, entries, texts: byAddress, children };
  };
  return read();
}

/** The sessions as they were when this entry was the last one that any of them had. */
export function cutAt(fixture: Fixture, last: Entry): Fixture {
  // The recorder's clock gives each entry another time.
  const entries = fixture.entries.filter(({ at }) => at <= last.at);
  const children = fixture.children
    .filter(({ createdAt }) => createdAt <= last.at)
    .map((child) => cutAt(child, last));
  return { ...fixture, entries, children };
}

/** All entries of a session and its subagents, in the order of time. */
export function entriesOf({ entries, children }: Fixture): readonly RecordedEntry[] {
  return [...entries, ...children.flatMap(entriesOf)].sort((a, b) => a.at - b.at);
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
  await store.append(
    entries.map(({ isInside: _, ...entry }) => entry),
    { lease, texts },
  );
  await store.release(lease);
  for (const child of children) await fill(store, child, id);
}
