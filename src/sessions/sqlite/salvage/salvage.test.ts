import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MISSING_ENTRY, type SessionStore } from '../../store/index.ts';
import { type FileWithForks, fileWithForks } from '../file-with-forks.test-support.ts';
import { newFolder } from '../folder.test-support.ts';
import { sqliteStore } from '../sqlite-store.ts';
import { storedRows, withPages } from './pages.ts';

/** A sequence of numbers below 1 that is the same each time. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

/** Checks that all that is read is what was written, and returns how many entries were read. */
async function checkSessions(store: SessionStore, { sessions }: FileWithForks): Promise<number> {
  let count = 0;
  for (const record of await store.list()) {
    const entries = await store.read(record.id);
    const original = sessions.get(record.id) ?? [];
    for (const [n, entry] of entries.entries()) {
      assert.equal(entry.seq, n + 1);
      assert.equal(entry.parent, entries[n - 1]?.id ?? null);
      if (entry.kind === MISSING_ENTRY) continue;
      count += 1;
      if (sessions.has(record.id)) assert.deepEqual(entry.body, original[n]?.body);
    }
    const isWhole = entries.every(({ kind }) => kind !== MISSING_ENTRY);
    if (isWhole) assert.equal(entries.length, original.length, record.id);
  }
  return count;
}

test('a file that is cut off anywhere is opened with work that its size bounds', async (context) => {
  const file = await fileWithForks(context, { length: 80, longest: 9_000 });
  const { bytes } = file;
  const random = randomNumbers(7);
  const places = [
    ...Array.from({ length: 16 }, (_, n) => Math.floor((bytes.length * n) / 16)),
    ...Array.from({ length: 16 }, () => Math.floor(bytes.length * random.next().value)),
  ];
  const folder = await newFolder(context);
  const path = join(folder, 'sessions.db');
  let before = 0;
  for (const place of places.sort((a, b) => a - b)) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(path, bytes.subarray(0, place));
    let reads = 0;
    const rows = withPages(path, (pages) => {
      const read = (number: number) => {
        reads += 1;
        return pages.read(number);
      };
      return [...storedRows({ ...pages, read })].length;
    });
    assert.ok(reads <= 3 * Math.ceil(place / 4096) && rows <= place / 8, `${reads}, ${rows}`);
    const store = await sqliteStore({ folder, onWarning: () => {} });
    const count = await checkSessions(store, file);
    await store.close();
    // More of the file never means fewer entries.
    assert.ok(count >= before, `${count} entries of ${place} bytes, ${before} of fewer`);
    before = count;
  }
  assert.ok(before > 250, String(before));
});
