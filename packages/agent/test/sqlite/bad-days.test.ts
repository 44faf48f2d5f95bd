// test: slow
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { SessionWriter, textsOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { exportSession } from '../../src/sessions/export-session.ts';
import { importSession } from '../../src/sessions/import-session.ts';
import { createSession, openSession } from '../../src/sessions/session.ts';
import { MIGRATIONS } from '../../src/sqlite/migrations.ts';
import { SessionFile, sqliteStore, storeIn } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';
import { StoreProcess } from './store-process.test-support.ts';

/** A user who may not write the files of others, where the tests may change the user. */
const NOBODY = 65_534;
const canChangeUser = process.getuid?.() === 0;

async function newFile(context: TestContext): Promise<SessionFile> {
  const path = join(await newFolder(context), 'sessions.db');
  const file = new SessionFile(path, { onWarning: assert.fail });
  context.after(() => file.close());
  return file;
}

describe('bad days', () => {
  test('a full disk: the entry is not there, and all works again with space', async (context) => {
    const file = await newFile(context);
    const store = storeIn(file, { retryTimeout: 50 });
    const writer = await SessionWriter.of(store, { id: 'one' });
    await writer.say('a');
    const pages = file.read((database) => Number(database.pragma('page_count')));
    file.read((database) => database.pragma(`max_page_count = ${pages + 2}`));
    const large = 'x'.repeat(100_000);
    await assert.rejects(writer.say('b', large), {
      code: 'session-unavailable',
      message: new RegExp(`${file.path}.*full`),
    });
    assert.deepEqual(await textsOf(store, 'one'), ['a']);
    assert.equal((await store.get('one'))?.seq, 1);
    await store.renew(writer.lease);
    file.read((database) => database.pragma('max_page_count = 100000'));
    await writer.say('b', large);
    assert.deepEqual(await textsOf(store, 'one'), ['a', 'b', large]);
  });

  test('a result of 50 MB', async (context) => {
    const store = storeIn(await newFile(context));
    const writer = await SessionWriter.of(store, { id: 'one' });
    const large = 'one line of a large result\n'.repeat(2_000_000);
    const entries = writer.next('result').map((entry) => ({ ...entry, body: { text: large } }));
    await writer.append(entries, new Map([['address', large]]));
    await writer.say('after');
    const [text, after] = await textsOf(store, 'one');
    assert.ok(text === large);
    assert.equal(after, 'after');
    assert.ok((await store.text('address')) === large);
  });

  test('a version that no Toolfold writes is damage, and what is in the file is kept', async (context) => {
    for (const version of [-1, 2 ** 24 + 2]) {
      const path = join(await newFolder(context), 'sessions.db');
      const file = new SessionFile(path, { onWarning: assert.fail });
      await (await SessionWriter.of(storeIn(file), { id: 'one' })).say('a');
      file.write((database) => database.execute(`PRAGMA user_version = ${version}`));
      file.close();
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      const store = await sqliteStore({ folder: dirname(path), onWarning });
      assert.deepEqual(await textsOf(store, 'one'), ['a']);
      assert.equal(warnings.length, 1);
      await store.close();
    }
  });

  test('a file of a newer version stays as it is, byte for byte', async (context) => {
    const path = join(await newFolder(context), 'sessions.db');
    const folder = dirname(path);
    const file = new SessionFile(path, { onWarning: assert.fail });
    await SessionWriter.of(storeIn(file), { id: 'one' });
    const newer = MIGRATIONS.length + 1;
    file.write((database) => database.execute(`PRAGMA user_version = ${newer}`));
    // Here the version stands in the log beside the file.
    assert.throws(() => new SessionFile(path, { onWarning: assert.fail }), {
      code: 'session-newer',
    });
    file.close();
    const before = readFileSync(path);
    await assert.rejects(sqliteStore({ folder }), {
      code: 'session-newer',
      message: new RegExp(`${path} has version ${newer}.*Update`),
    });
    assert.ok(before.equals(readFileSync(path)));
    assert.deepEqual(readdirSync(folder), ['sessions.db']);
  });

  test('a place that can not be a folder, and a folder in place of the file', async (context) => {
    const folder = await newFolder(context);
    writeFileSync(join(folder, 'file'), 'text');
    const below = join(folder, 'file', 'sessions');
    await assert.rejects(sqliteStore({ folder: below }), {
      code: 'session-unavailable',
      message: new RegExp(join(below, 'sessions.db')),
    });
    mkdirSync(join(folder, 'sessions.db'));
    await assert.rejects(sqliteStore({ folder }), {
      code: 'session-unavailable',
      message: new RegExp(join(folder, 'sessions.db')),
    });
  });

  test('a folder and a file that only others may write', {
    skip: canChangeUser ? false : 'The user can not be changed.',
  }, async (context) => {
    const folder = await newFolder(context);
    const expectFailure = async () => {
      const { child, failure } = await StoreProcess.start(folder, NOBODY);
      child.disconnect();
      assert.equal(failure?.code, 'session-unavailable');
      assert.match(failure.message, new RegExp(`${folder}.*permission`));
    };
    await expectFailure();
    const store = await sqliteStore({ folder });
    await SessionWriter.of(store, { id: 'one' });
    await store.close();
    await expectFailure();
  });

  test('numbers that no session has are refused, and are no damage of the file', async (context) => {
    const store = storeIn(await newFile(context));
    const { lease } = await SessionWriter.of(store, { id: 'one' });
    const entry = { id: 'a', parent: null, seq: 1, kind: 'user', body: {}, at: 1 };
    for (const wrong of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e300]) {
      const refused = {
        code: 'invalid-option',
        message: new RegExp(`number ${String(wrong).replace('+', '.')}`),
      };
      await assert.rejects(store.create({ id: 'two', createdAt: wrong }), refused);
      await assert.rejects(store.append([{ ...entry, at: wrong }], { lease }), refused);
      await assert.rejects(store.list({ limit: wrong }), refused);
      await assert.rejects(store.search('a', { limit: wrong }), refused);
    }
    await store.append([entry], { lease });
    assert.equal((await store.read('one', { after: -1 })).length, 1);
  });

  test('half characters in names are no damage of the file', async (context) => {
    const store = storeIn(await newFile(context));
    const half = 'half \ud800';
    const session = await createSession(store, { id: half, title: half, folder: half });
    const { id } = await session.child(half);
    assert.equal((await session.child(half)).id, id);
    const { lease } = await SessionWriter.open(store, half);
    const entry = { id: half, parent: null, seq: 1, kind: half, body: { half }, at: 1 };
    await store.append([entry], { lease, texts: new Map([[half, half]]) });
    await store.release(lease);
    const [read] = await store.read(half);
    assert.deepEqual([read?.kind, read?.body], ['half \ufffd', { half }]);
    const copy = await importSession(store, exportSession(await openSession(store, half)));
    assert.equal((await store.read(copy)).length, 2);
    assert.equal((await store.list({ parent: copy })).length, 1);
  });

  test('a folder that is given by a relative path stays the same one', async (context) => {
    const folder = await newFolder(context);
    const before = process.cwd();
    context.after(() => process.chdir(before));
    process.chdir(folder);
    const store = await sqliteStore({ folder: 'sessions' });
    context.after(() => store.close());
    process.chdir(before);
    await (await SessionWriter.of(store, { id: 'one' })).say('a');
    assert.equal(store.name, join(folder, 'sessions', 'sessions.db'));
  });

  test('a file that is removed or replaced while it is open is not written any more', async (context) => {
    const file = await newFile(context);
    const store = storeIn(file);
    const writer = await SessionWriter.of(store, { id: 'one' });
    await writer.say('a');
    renameSync(file.path, `${file.path}.moved`);
    await assert.rejects(writer.say('b'), { code: 'session-unavailable', message: /removed/ });
    writeFileSync(file.path, '');
    await assert.rejects(writer.say('b'), { code: 'session-unavailable', message: /replaced/ });
    renameSync(`${file.path}.moved`, file.path);
    await writer.say('b');
    assert.deepEqual(await textsOf(store, 'one'), ['a', 'b']);
  });

  test('a log that is removed or replaced while the file is open is not written any more', async (context) => {
    const file = await newFile(context);
    const store = storeIn(file);
    const writer = await SessionWriter.of(store, { id: 'one' });
    await writer.say('a');
    for (const end of ['-wal', '-shm']) {
      renameSync(`${file.path}${end}`, `${file.path}.moved`);
      await assert.rejects(writer.say('b'), { code: 'session-unavailable', message: /removed/ });
      writeFileSync(`${file.path}${end}`, '');
      await assert.rejects(writer.say('b'), { code: 'session-unavailable', message: /replaced/ });
      renameSync(`${file.path}.moved`, `${file.path}${end}`);
    }
    await writer.say('b');
    assert.deepEqual(await textsOf(store, 'one'), ['a', 'b']);
  });
});
