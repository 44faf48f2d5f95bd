import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { storeCases } from '@toolfold/testing/internal/store-cases/store-cases.ts';
import { SessionWriter, textsOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { newFolder } from '../../test/sqlite/folder.test-support.ts';
import { newOwner } from '../sessions/lease.ts';
import { openSession } from '../sessions/session.ts';
import { isNetwork } from './open-file.ts';
import { SessionFile, type SqliteStore, sqliteStore, storeIn } from './sqlite-store.ts';

/** Milliseconds in which the owner of a lease must renew it. No owner of these tests does. */
const GRACE = 50;

describe('the store in a file', () => {
  for (const { name, run } of storeCases) {
    test(name, async (context) => {
      const path = join(await newFolder(context), 'sessions.db');
      const file = new SessionFile(path, { onWarning: assert.fail });
      const store = storeIn(file, { grace: GRACE });
      context.after(() => store.close());
      assert.equal(store.journalMode, 'wal');
      await run(store);
    });
  }
});

test('an option with a value it cannot have is named', async () => {
  for (const options of [
    { folder: '' },
    { folder: 5 },
    { folder: null },
    { onWarning: 'log' },
    { retryTimeout: '5' },
    { retryTimeout: Number.NaN },
  ])
    await assert.rejects(sqliteStore(options as object), {
      code: 'invalid-option',
      message: new RegExp(`"${Object.keys(options)[0]}".*Expected: a`),
    });
});

test('promise 60: one at a time writes a session, and one that has lost it writes nothing', async (context) => {
  const store = await sqliteStore({ folder: await newFolder(context) });
  context.after(() => store.close());
  await store.create({ id: 's', createdAt: 1 });
  const [one, other] = [newOwner(), newOwner()];
  const lost = await store.acquire('s', one);
  await assert.rejects(store.acquire('s', other), {
    code: 'session-busy',
    message: new RegExp(String(process.pid)),
  });
  await store.release(lost);
  await store.acquire('s', other);
  const entry = { id: 'e', parent: null, seq: 1, kind: 'label', body: {}, at: 1 };
  await assert.rejects(store.append([entry], { lease: lost }), { code: 'session-lost' });
  assert.deepEqual(await store.read('s'), []);
});

/** Files in a file system of SQLite without shared memory, which therefore refuses WAL. */
class WithoutWal extends DatabaseSync {
  constructor(path: string, options: DatabaseSyncOptions) {
    super(`file:${encodeURI(path)}?vfs=unix-none`, options);
  }
}

describe('the store in a file where WAL is refused', { skip: process.platform === 'win32' }, () => {
  for (const { name, run } of storeCases) {
    test(name, async (context) => {
      const path = join(await newFolder(context), 'sessions.db');
      context.mock.method(process, 'getBuiltinModule', () => ({ DatabaseSync: WithoutWal }));
      const file = new SessionFile(path, { onWarning: assert.fail });
      const store = storeIn(file, { grace: GRACE });
      context.after(() => store.close());
      assert.equal(store.journalMode, 'delete');
      await run(store);
    });
  }
});

test('file systems on a network are recognized', () => {
  const types = [0x6969, 0xff534d42, -11317950, 0x01021997, 0xef53, 0x01021994, 0x9123683e];
  assert.deepEqual(types.map(isNetwork), [true, true, true, true, false, false, false]);
});

test('what was appended is there when the file is opened again', async (context) => {
  const folder = join(await newFolder(context), 'new', 'sessions');
  const first = await sqliteStore({ folder });
  const writer = await SessionWriter.of(first, { id: 'one', title: 'A title' });
  await writer.say('a', 'b');
  await first.post('one', { id: 'm', kind: 'cancel', body: {} });
  await first.close();
  const second = await sqliteStore({ folder });
  context.after(() => second.close());
  assert.equal(second.name, join(folder, 'sessions.db'));
  assert.deepEqual(await textsOf(second, 'one'), ['a', 'b']);
  assert.equal((await openSession(second, 'one')).record.title, 'A title');
  assert.deepEqual(await second.holder('one'), writer.lease.owner);
  assert.equal((await second.look(writer.lease)).messages.length, 1);
  assert.equal((await second.search('b')).length, 1);
});

test('folder and files are for the user alone', {
  skip: process.platform === 'win32',
}, async (context) => {
  const folder = join(await newFolder(context), 'new');
  const modes = () =>
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  const first = await sqliteStore({ folder });
  await (await SessionWriter.of(first)).say('a');
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(modes(), [
    ['sessions.db', 0o600],
    ['sessions.db-shm', 0o600],
    ['sessions.db-wal', 0o600],
  ]);
  await first.close();
  chmodSync(join(folder, 'sessions.db'), 0o644);
  const second = await sqliteStore({ folder });
  context.after(() => second.close());
  await (await SessionWriter.of(second)).say('a');
  assert.ok(modes().every(([, mode]) => mode === 0o600));
});

test('a removed session gives its space back', async (context) => {
  const store = await sqliteStore({ folder: await newFolder(context) });
  const writer = await SessionWriter.of(store);
  const body = { text: 'x'.repeat(1_000_000) };
  await writer.append(writer.next('a', 'b', 'c').map((entry) => ({ ...entry, body })));
  await store.release(writer.lease);
  assert.equal(await store.remove(writer.id), true);
  await store.close();
  assert.ok(statSync(store.name).size < 300_000);
});

test('a store that goes out of use is closed', async (context) => {
  let store: SqliteStore | undefined;
  {
    await using opened = await sqliteStore({ folder: await newFolder(context) });
    store = opened;
    await opened.create({ id: 'a', createdAt: 1 });
  }
  await assert.rejects(store.list(), { code: 'session-unavailable', message: /closed/ });
  assert.ok(!existsSync(`${store.name}-wal`));
});

test('a closed store says that it is closed', async (context) => {
  const store = await sqliteStore({ folder: await newFolder(context) });
  await store.close();
  await store.close();
  await assert.rejects(store.list(), { code: 'session-unavailable', message: /closed/ });
});

test('a Node.js without SQLite is named as what is missing', async (context) => {
  const folder = await newFolder(context);
  const script = `
    import { memoryStore, sqliteStore } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const codeOf = (work) => (async () => work())().catch(({ code }) => code);
    console.log(await codeOf(() => sqliteStore({ folder: process.argv[1] })), await codeOf(memoryStore));`;
  const flags = ['--no-experimental-sqlite', '--input-type=module', '-e', script, folder];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  assert.equal(stdout, 'missing-dependency missing-dependency\n');
});
