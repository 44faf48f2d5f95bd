// test: slow
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { addressOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { MISSING_ENTRY } from '../../src/sessions/store.ts';
import { Database } from '../../src/sqlite/database.ts';
import { type SqliteStore, sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { type FileWithForks, fileWithForks } from './file-with-forks.test-support.ts';
import { newFolder } from './folder.test-support.ts';

const PAGE = 4096;

/** Where in a page one bit is changed. */
const PLACES: Readonly<Record<string, (page: Buffer) => number>> = {
  'the type of a page': () => 0,
  'the number of its rows': () => 4,
  'the place of a row': () => 9,
  'the length of a row': (page) => page.readUInt16BE(8),
  'the number of a row': (page) => page.readUInt16BE(8) + 1,
  'the types of a row': (page) => page.readUInt16BE(8) + 4,
  'the middle of the rows': (page) => (page.readUInt16BE(5) + PAGE) >> 1,
  'the end of a page': () => PAGE - 1,
};

/** Bytes of the header of a file: what each of them says. */
const HEADER = {
  ...{ name: 0, 'size of pages': 16, writing: 18, reading: 19, reserved: 20, fraction: 21 },
  ...{ changes: 24, pages: 28, 'free page': 32, 'free pages': 36, format: 47, roots: 55 },
  ...{ encoding: 59, version: 63, vacuum: 67, 'valid for': 95, 'first byte of the schema': 100 },
};

/** The pages of each table and index, of the free ones, and of what continues long rows. */
function pagesOf(path: string): ReadonlyMap<string, number> {
  const database = new Database(path);
  const rows = database.all<{ name: string; page: number }>(
    `SELECT iif(pagetype = 'overflow', 'long rows', name) AS name, min(pageno) AS page FROM dbstat
     WHERE pagetype <> 'internal' GROUP BY 1`,
  );
  database.close();
  return new Map(rows.map(({ name, page }) => [name, page]));
}

/** Checks that all that is read is what was written, and returns how many entries are lost without a mark. */
async function checkRead(store: SqliteStore, { sessions, texts }: FileWithForks): Promise<number> {
  let unmarked = 0;
  for (const [id, original] of sessions) {
    const entries = (await store.get(id)) ? await store.read(id) : [];
    for (const entry of entries) {
      if (entry.kind !== MISSING_ENTRY) assert.deepEqual(entry, original[entry.seq - 1]);
    }
    unmarked += Math.max(0, original.length - entries.length);
  }
  for (const text of texts) {
    const read: string | undefined = await store.text(addressOf(text)).catch((error) => {
      assert.equal(error.code, 'session-damaged');
      return undefined;
    });
    assert.ok([text, undefined].includes(read));
  }
  return unmarked;
}

/** Opens a file with changed bits. What is wrong must be said or marked, and a file that is damaged not written. */
async function check(context: TestContext, file: FileWithForks, bytes: Buffer): Promise<void> {
  const path = join(await newFolder(context), 'sessions.db');
  writeFileSync(path, bytes);
  const warnings: string[] = [];
  const onWarning = (text: string) => void warnings.push(text);
  try {
    const store = await sqliteStore({ folder: dirname(path), onWarning, retryTimeout: 0 });
    const unmarked = await checkRead(store, file);
    await store.close();
    if (unmarked > 0) assert.equal(warnings.length, 1, `${unmarked} entries`);
    if (warnings.length === 0) return;
  } catch (error) {
    if (!(error instanceof ToolfoldError)) throw error;
    assert.match(error.code, /^session-(damaged|newer|unavailable)$/);
  }
  assert.ok(readFileSync(path).equals(bytes));
}

const flipped = (bytes: Buffer, place: number, bit: number) => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8((changed[place] ?? 0) ^ (1 << bit), place);
  return changed;
};

describe('one changed bit changes nothing that is read without a word', async () => {
  let file: FileWithForks | undefined;
  const opened = async (context: TestContext) => {
    file ??= await fileWithForks(context, { length: 20, longest: 6_000 });
    return file;
  };
  for (const [what, place] of Object.entries(HEADER)) {
    test(`in the header of a file: ${what}`, async (context) => {
      const known = await opened(context);
      for (const bit of [1, 3]) await check(context, known, flipped(known.bytes, place, bit));
    });
  }
  for (const [what, placeIn] of Object.entries(PLACES)) {
    test(`in ${what}`, async (context) => {
      const known = await opened(context);
      const path = join(await newFolder(context), 'sessions.db');
      writeFileSync(path, known.bytes);
      for (const number of pagesOf(path).values()) {
        const start = (number - 1) * PAGE;
        const place = start + placeIn(known.bytes.subarray(start, start + PAGE));
        await check(context, known, flipped(known.bytes, place, 2));
      }
    });
  }
});
