import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { addressOf } from '../../../testing/store-cases/writer.ts';
import { forkSession, MISSING_ENTRY, newOwner, openSession } from '../../store/index.ts';
import { type FileWithForks, fileWithForks } from '../file-with-forks.test-support.ts';
import { newFolder } from '../folder.test-support.ts';
import { type SqliteStore, sqliteStore } from '../sqlite-store.ts';
import { Database } from '../tables/index.ts';

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
  name: 0,
  'size of pages': 16,
  writing: 18,
  reading: 19,
  reserved: 20,
  fraction: 21,
};
const LATER = { changes: 24, pages: 28, 'free page': 32, 'free pages': 36, format: 47, roots: 55 };
const LAST = {
  encoding: 59,
  version: 63,
  vacuum: 67,
  'valid for': 95,
  'first byte of the schema': 100,
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

/** Does `work`, again if it meets damage. Undefined if it is refused because of lost entries. */
async function orRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // All errors but these fail the test: those of SQLite above all.
      assert.equal((error as { code?: string }).code, 'session-damaged', String(error));
      if (/cannot be continued/.test(String(error))) return;
      assert.ok(attempt < 3, String(error));
    }
  }
}

async function append(store: SqliteStore, id: string): Promise<true> {
  const session = await openSession(store, id);
  await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
  try {
    await session.append([{ kind: 'user', body: {}, words: 'appended' }]);
  } finally {
    await session.end();
  }
  return true;
}

/** Opens, reads, appends, forks, takes messages, searches and removes. Returns the ids of what was read. */
async function checkStore(store: SqliteStore, { sessions }: FileWithForks): Promise<Set<string>> {
  const found = new Set<string>();
  let count = 0;
  const open = (id: string) => orRefused(() => openSession(store, id));
  for (const { id } of (await orRefused(() => store.list())) ?? []) {
    const entries = (await open(id))?.entries ?? assert.fail();
    const gap = entries.find(({ kind }) => kind === MISSING_ENTRY);
    for (const entry of entries) {
      if (entry.kind === MISSING_ENTRY) continue;
      found.add(entry.id);
      const original = sessions.get(id)?.[entry.seq - 1];
      if (original) assert.deepEqual(entry.body, original.body);
    }
    if (!gap && sessions.has(id)) assert.equal(entries.length, sessions.get(id)?.length);
    const isAppended = await orRefused(() => append(store, id));
    assert.equal(isAppended, gap ? undefined : true);
    if (isAppended) count += 1;
    if (gap?.seq === 1) continue;
    const at = gap && gap.seq - 1;
    const fork = await orRefused(async () => forkSession(await openSession(store, id), at));
    assert.equal(await orRefused(() => append(store, fork?.id ?? '')), true);
    count += 1;
    await orRefused(async () => {
      const lease = await store.acquire(id, newOwner());
      await store.look(lease).finally(() => store.release(lease));
    });
  }
  const hits = await orRefused(() => store.search('appended'));
  assert.equal(hits?.length, Math.min(count, 20));
  const [record] = await store.list();
  assert.equal(await orRefused(() => store.remove(record?.id ?? '')), true);
  for (const { id } of await store.list()) await open(id);
  return found;
}

/** What is lost if bits of a file are changed: numbers of entries and of texts, and of warnings. */
async function lossOf(context: TestContext, file: FileWithForks, bytes: Buffer) {
  const path = join(await newFolder(context), 'sessions.db');
  writeFileSync(path, bytes);
  const warnings: string[] = [];
  const onWarning = (text: string) => void warnings.push(text);
  const store = await sqliteStore({ folder: dirname(path), onWarning });
  const texts = [];
  for (const text of file.texts)
    if ((await orRefused(() => store.text(addressOf(text)))) !== text) texts.push(text);
  const found = await checkStore(store, file);
  await store.close();
  // What was repaired is whole: nothing is found a second time.
  assert.ok(warnings.length <= 1, warnings.join('\n'));
  const again = await sqliteStore({ folder: dirname(path), onWarning: assert.fail });
  await again.close();
  const all = new Set([...file.sessions.values()].flat().map(({ id }) => id));
  return { entries: [...all].filter((id) => !found.has(id)).length, texts: texts.length };
}

const flipped = (bytes: Buffer, place: number, bit: number) => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8((changed[place] ?? 0) ^ (1 << bit), place);
  return changed;
};

describe('one changed bit', async () => {
  let file: FileWithForks | undefined;
  const opened = async (context: TestContext) => {
    file ??= await fileWithForks(context, { length: 20, longest: 6_000 });
    return file;
  };
  for (const [what, place] of Object.entries({ ...HEADER, ...LATER, ...LAST })) {
    test(`in the header of a file (${what}) loses nothing`, async (context) => {
      const known = await opened(context);
      const bytes = flipped(known.bytes, place, 1);
      if (what === 'version') {
        const path = join(await newFolder(context), 'sessions.db');
        writeFileSync(path, flipped(known.bytes, place, 3));
        await assert.rejects(sqliteStore({ folder: dirname(path) }), { code: 'session-newer' });
      }
      assert.deepEqual(await lossOf(context, known, bytes), { entries: 0, texts: 0 });
    });
  }
  for (const [what, placeIn] of Object.entries(PLACES)) {
    test(`in ${what} loses what stands there and nothing else`, async (context) => {
      const known = await opened(context);
      const path = join(await newFolder(context), 'sessions.db');
      writeFileSync(path, known.bytes);
      for (const [name, number] of pagesOf(path)) {
        const start = (number - 1) * PAGE;
        const page = known.bytes.subarray(start, start + PAGE);
        const place = start + placeIn(page);
        const bytes = flipped(known.bytes, place, 2);
        const { entries, texts } = await lossOf(context, known, bytes);
        const isOf = (...tables: string[]) => [...tables, 'long rows'].includes(name);
        assert.ok(entries <= (isOf('entry') ? 20 : 0), `${name}: ${entries} entries`);
        // A text is kept as long as an entry names it.
        assert.ok(texts <= (isOf('text', 'entry') ? 20 : 0), `${name}: ${texts} texts`);
      }
    });
  }
});
