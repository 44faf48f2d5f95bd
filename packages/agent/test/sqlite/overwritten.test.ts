import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type SqliteStore, sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';
import { StoreProcess } from './store-process.test-support.ts';

/** Runs a statement of a program that is not Toolfold, which is not the last to close the file. */
function sql(path: string, statement: string): void {
  const database = new DatabaseSync(path);
  database.exec(statement);
  database.close();
}

async function add(store: Pick<SqliteStore, 'create'>, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.create({ id, createdAt: 1 });
}

/** An open store; a path for copies of its file. */
async function opened(context: TestContext): Promise<[store: SqliteStore, copy: string]> {
  const store = await sqliteStore({ folder: await newFolder(context), onWarning: assert.fail });
  context.after(() => store.close());
  await add(store, 'a', 'b');
  return [store, join(await newFolder(context), 'copy.db')];
}

/** The file and its log. The memory that SQLite shares may change. */
const filesOf = (path: string) =>
  ['', '-wal'].map((end) => existsSync(path + end) && readFileSync(path + end));

/** What is copied or emptied in place, and by which path. `other` is the file of another store, which is open. */
const OVERWRITES: Readonly<Record<string, (path: string, copy: string, other: string) => void>> = {
  'an emptied file': (path) => writeFileSync(path, ''),
  'an emptied log': (path) => writeFileSync(`${path}-wal`, ''),
  'an emptied file and log': (path) => {
    for (const end of ['', '-wal']) writeFileSync(path + end, '');
  },
  'a text': (path) => writeFileSync(path, 'text '.repeat(40_000)),
  'the first page alone': (path) => writeFileSync(path, readFileSync(path).subarray(0, 4096)),
  'all but the last page': (path) => writeFileSync(path, readFileSync(path).subarray(0, -4096)),
  'the file of another store': (path, _copy, other) => copyFileSync(other, path),
  'the log of another store': (path, _copy, other) => copyFileSync(`${other}-wal`, `${path}-wal`),
  'the file and the log of another store': (path, _copy, other) => {
    for (const end of ['', '-wal']) copyFileSync(other + end, path + end);
  },
  'an earlier copy of the file': (path, copy) => copyFileSync(`${copy}.earlier`, path),
  'an earlier copy of the log': (path, copy) => copyFileSync(`${copy}.log`, `${path}-wal`),
  'a copy that SQLite has written anew': (path, copy) => copyFileSync(copy, path),
};

describe('promise 80: what is overwritten in place while it is open is not written any more', {
  skip: process.platform === 'win32',
}, () => {
  for (const isInFile of [false, true])
    for (const [what, overwrite] of Object.entries(OVERWRITES))
      test(`${what}, ${isInFile ? 'with all' : 'with nothing'} of the log in the file`, async (context) => {
        const [store, copy] = await opened(context);
        const [other] = await opened(context);
        for (const each of [store, other]) sql(each.name, 'PRAGMA wal_checkpoint');
        copyFileSync(store.name, `${copy}.earlier`);
        copyFileSync(`${store.name}-wal`, `${copy}.log`);
        await add(store, 'c', 'd');
        sql(store.name, 'PRAGMA wal_checkpoint');
        if (!isInFile) await add(store, 'e');
        sql(store.name, `VACUUM INTO '${copy}'`);
        overwrite(store.name, copy, other.name);
        const before = filesOf(store.name);
        for (let times = 0; times < 2; times++)
          await assert.rejects(add(store, 'later'), {
            code: 'session-unavailable',
            message: /was overwritten while .* open\. Restart/,
          });
        await store.close();
        assert.deepEqual(filesOf(store.name), before);
      });

  test('a store that only closes does not write the log into another file', async (context) => {
    const [store] = await opened(context);
    writeFileSync(store.name, '');
    const before = filesOf(store.name);
    await store.close();
    assert.deepEqual(filesOf(store.name), before);
  });

  test('a copy of the same state is the same file', async (context) => {
    const [store, copy] = await opened(context);
    copyFileSync(store.name, copy);
    copyFileSync(copy, store.name);
    await add(store, 'c');
    await store.close();
    const again = await sqliteStore({ folder: dirname(store.name), onWarning: assert.fail });
    context.after(() => again.close());
    assert.equal((await again.list()).length, 3);
    assert.deepEqual(readdirSync(dirname(store.name)).includes('sessions.db'), true);
  });
});

test('where WAL is refused, an earlier copy in place of the file is not written', async (context) => {
  /** Files in a file system of SQLite without shared memory. */
  class WithoutWal extends DatabaseSync {
    constructor(path: string, options = {}) {
      super(`file:${encodeURI(path)}?vfs=unix-dotfile`, options);
    }
  }
  context.mock.method(process, 'getBuiltinModule', () => ({ DatabaseSync: WithoutWal }));
  const [store, copy] = await opened(context);
  assert.equal(store.journalMode, 'delete');
  copyFileSync(store.name, copy);
  await add(store, 'c');
  await add(store, 'd');
  copyFileSync(copy, store.name);
  const before = filesOf(store.name);
  await assert.rejects(add(store, 'e'), { code: 'session-unavailable', message: /overwritten/ });
  await store.close();
  assert.deepEqual(filesOf(store.name), before);
});

describe('the changes of other processes are those of the same file', () => {
  test('of several that write at the same time, while the log is written into the file', async (context) => {
    const [store] = await opened(context);
    const folder = dirname(store.name);
    const others = await Promise.all([1, 2].map(() => StoreProcess.start(folder)));
    context.after(() => Promise.all(others.map((each) => each.kill())));
    const writing = others.map(async (each, number) => {
      for (let n = 0; n < 25; n++)
        await each.call('create', {
          id: `${number} ${n}`,
          title: 'x'.repeat(400_000),
          createdAt: 1,
        });
    });
    let isDone = false;
    const all = Promise.all(writing).finally(() => {
      isDone = true;
    });
    for (let n = 0; !isDone; n++) {
      await add(store, `own ${n}`);
      // A part of the log, while another reads; all of it; and all, with a log that is empty after.
      for (const mode of ['PASSIVE', 'RESTART', 'TRUNCATE'])
        if (n % 5 === 0) sql(store.name, `PRAGMA wal_checkpoint(${mode})`);
      await store.remove(`own ${n - 1}`);
      await setTimeout(10);
    }
    await all;
    assert.equal((await store.list({ limit: 1000 })).length, 53);
  });

  test('of one that writes while another program reads, and after it was killed', async (context) => {
    const [store] = await opened(context);
    const reader = new DatabaseSync(store.name);
    reader.exec('BEGIN; SELECT 1 FROM session');
    const other = await StoreProcess.start(dirname(store.name));
    context.after(() => other.kill());
    for (const id of ['c', 'd']) {
      await other.call('create', { id, createdAt: 1 });
      sql(store.name, 'PRAGMA wal_checkpoint(PASSIVE)');
      await add(store, `own ${id}`);
    }
    await other.kill();
    reader.close();
    sql(store.name, 'VACUUM');
    await add(store, 'e');
    sql(store.name, 'PRAGMA wal_checkpoint(TRUNCATE)');
    await add(store, 'f');
    assert.equal((await store.list()).length, 8);
  });
});
