import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { addressOf, SessionWriter } from '@toolfold/testing/internal/store-cases/writer.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import type { Entry } from '../../src/sessions/store.ts';
import { sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';

/** The file of a closed store, and what is in it. */
export interface FileWithForks {
  readonly bytes: Buffer;
  /** The entries of each session, by its id. */
  readonly sessions: ReadonlyMap<string, readonly Entry[]>;
  readonly texts: readonly string[];
}

const LONG = 'a line of a long result\n';

/**
 * Three sessions of `length` entries with bodies of up to `longest` characters, a fork of the first one, a
 * fork of that, and one that has only what it shares; with texts, messages and words.
 */
export async function fileWithForks(
  context: TestContext,
  { length, longest }: { length: number; longest: number },
): Promise<FileWithForks> {
  const folder = await newFolder(context);
  const store = await sqliteStore({ folder });
  const texts: string[] = [];
  const filled = async (id: string, leaf?: string) => {
    const writer = await SessionWriter.of(store, {
      id,
      title: `Title of ${id}`,
      ...(leaf ? { leaf } : {}),
    });
    let middle = '';
    for (let n = 1; n <= length; n++) {
      const text = `system text ${n} of ${id}`;
      const isWithText = n % 10 === 1;
      const long = LONG.repeat((longest * ((n * 7) % 10)) / 10 / LONG.length);
      const entries = writer.next(`${id} ${n} word${n} ${long}`).map((entry) => ({
        ...entry,
        body: { ...entry.body, ...(isWithText ? { hash: addressOf(text) } : {}) },
        words: `${id} word${n}`,
      }));
      if (isWithText) texts.push(text);
      await writer.append(entries, new Map(isWithText ? [[addressOf(text), text]] : []));
      if (n === Math.ceil(length / 2)) middle = entries[0]?.id ?? '';
    }
    await store.post(id, { id: 'taken', kind: 'answer', body: {} });
    await writer.take('taken');
    await store.post(id, { id: 'waiting', kind: 'cancel', body: { id } });
    await store.release(writer.lease);
    return middle;
  };
  const middle = await filled('one');
  await filled('two');
  const inFork = await filled('fork', middle);
  await filled('three');
  await filled('fork-of-fork', inFork);
  await store.create({ id: 'short', createdAt: 1, leaf: middle });
  const sessions = new Map<string, readonly Entry[]>();
  for (const { id } of await store.list()) sessions.set(id, await store.read(id));
  await store.release(await store.acquire('short', newOwner()));
  await store.close();
  return { bytes: readFileSync(join(folder, 'sessions.db')), sessions, texts };
}
