import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { addressOf, textsOf, Writer } from '../../testing/store-cases/writer.ts';
import { forkSession, MISSING_ENTRY, openSession } from '../store/index.ts';
import { newFolder } from './folder.test-support.ts';
import { type SqliteStore, sqliteStore } from './sqlite-store.ts';
import { StoreProcess } from './store-process.test-support.ts';
import { besideBody, Database } from './tables/index.ts';
import { written } from './tables/json-column.ts';

/** A closed file with sessions of some 100 kB each, and ways to damage it. */
class Damaged {
  readonly folder: string;
  readonly path: string;
  readonly warnings: string[] = [];
  readonly #context: TestContext;

  constructor(context: TestContext, folder: string) {
    this.#context = context;
    this.folder = folder;
    this.path = join(folder, 'sessions.db');
  }

  static async of(context: TestContext): Promise<Damaged> {
    const damaged = new Damaged(context, await newFolder(context));
    const store = await sqliteStore({ folder: damaged.folder });
    for (const id of ['one', 'two']) {
      const writer = await Writer.of(store, { id, title: `Title of ${id}` });
      const text = `system text of ${id}`;
      await writer.append(writer.next(`${id} 1`), new Map([[addressOf(text), text]]));
      for (let n = 2; n <= 50; n++) await writer.say(`${id} ${n} ${'filler '.repeat(300)}`);
      await store.release(writer.lease);
    }
    await store.close();
    return damaged;
  }

  /** Overwrites bytes of the file. */
  write(bytes: Buffer, at: number): void {
    const handle = openSync(this.path, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  }

  async open(): Promise<SqliteStore> {
    const onWarning = (message: string) => void this.warnings.push(message);
    const store = await sqliteStore({ folder: this.folder, onWarning });
    this.#context.after(() => store.close());
    return store;
  }

  /** The kept damaged files. */
  get kept(): string[] {
    return readdirSync(this.folder)
      .filter((name) => /^sessions\.db\.damaged-[\dTZ-]+$/.test(name))
      .map((name) => join(this.folder, name));
  }

  /** Checks that the user was told once, with the names of both files. */
  check(bytes: Buffer): void {
    const { kept, warnings } = this;
    assert.equal(kept.length, 1);
    assert.equal(warnings.length, 1);
    assert.ok(readFileSync(kept[0] ?? '').equals(bytes));
    for (const name of [this.path, ...kept]) assert.ok(warnings[0]?.includes(name));
    assert.ok(statSync(this.path).size > 0);
  }
}

/** The numbers 1 to `last`. */
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

/** Appends to a session as an agent does. */
async function continued(store: SqliteStore, id: string): Promise<void> {
  const session = await openSession(store, id);
  await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
  await session.append([{ kind: 'user', body: { text: 'next' } }]);
  await session.end();
  assert.equal((await textsOf(store, id)).at(-1), 'next');
}

/** Checks that a session is refused with its gap, and that a fork before it continues. */
async function checkGap(store: SqliteStore, id: string, gap: number): Promise<void> {
  await assert.rejects(continued(store, id), {
    code: 'session-damaged',
    message: new RegExp(`"${id}" .*entry ${gap}, .*fork it at entry ${gap - 1}`),
  });
  assert.equal(await store.holder(id), undefined);
  const session = await openSession(store, id);
  await assert.rejects(
    continued(store, (await forkSession(session, gap)).id),
    /session-damaged|cannot be continued/,
  );
  await continued(store, (await forkSession(session, gap - 1)).id);
}

describe('a damaged file', () => {
  test('whose header and schema are gone is kept, and all sessions are in a new one', async (context) => {
    const damaged = await Damaged.of(context);
    damaged.write(Buffer.alloc(4096, 'x'), 0);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    damaged.check(bytes);
    for (const id of ['one', 'two']) assert.equal((await store.read(id)).length, 50);
    assert.equal((await store.search('two 17')).length, 1);
    await continued(store, 'two');
    await store.close();
    assert.equal((await (await damaged.open()).list()).length, 2);
    assert.equal(damaged.warnings.length, 1);
  });

  test('whose header is gone while its last changes stand in the log beside it', async (context) => {
    const folder = await newFolder(context);
    const first = await sqliteStore({ folder });
    const { lease } = await Writer.of(first, { id: 'one' });
    await first.release(lease);
    await first.close();
    const store = await sqliteStore({ folder });
    const writer = await Writer.open(store, 'one');
    await writer.say('a', 'b');
    // What a loss of power leaves: the log was not written into the file.
    const damaged = new Damaged(context, await newFolder(context));
    for (const end of ['', '-wal']) copyFileSync(`${store.name}${end}`, `${damaged.path}${end}`);
    await store.close();
    assert.ok(statSync(`${damaged.path}-wal`).size > 0);
    damaged.write(Buffer.alloc(100, 'x'), 0);
    const again = await damaged.open();
    assert.equal(damaged.warnings.length, 1);
    assert.deepEqual(await textsOf(again, 'one'), ['a', 'b']);
  });

  test('that is not a database at all', async (context) => {
    const folder = await newFolder(context);
    const damaged = new Damaged(context, folder);
    writeFileSync(damaged.path, 'This is a text.');
    assert.deepEqual(await (await damaged.open()).list(), []);
    damaged.check(Buffer.from('This is a text.'));
    assert.match(damaged.warnings[0] ?? '', /Nothing in it could be read/);
  });

  test('with overwritten pages: all other entries are read', async (context) => {
    const damaged = await Damaged.of(context);
    const whole = readFileSync(damaged.path);
    // Inside of an entry of the second session, so that the first one is whole.
    const at = Math.floor(whole.indexOf('two 30 ') / 4096) * 4096;
    damaged.write(Buffer.alloc(4096 * 2, 0xa5), at);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    damaged.check(bytes);
    const sessions = await store.list();
    assert.deepEqual(sessions.map(({ title }) => title).sort(), ['Title of one', 'Title of two']);
    assert.equal((await store.read('one')).length, 50);
    const read = await store.read('two');
    assert.deepEqual(
      read.map(({ seq }) => seq),
      upTo(50),
    );
    const lost = read.filter(({ kind }) => kind === MISSING_ENTRY).map(({ seq }) => seq);
    assert.ok(lost.includes(30) && lost.length <= 10, String(lost));
    assert.match(damaged.warnings[0] ?? '', /2 sessions with \d+ of their entries.* 1 of them/);
    assert.equal(await store.text(addressOf('system text of one')), 'system text of one');
    assert.deepEqual(
      (await store.search('one 17')).map(({ seq }) => seq),
      [17],
    );
    await checkGap(store, 'two', lost[0] ?? 0);
    await continued(store, 'one');
  });

  test('whose end is missing', async (context) => {
    const damaged = await Damaged.of(context);
    truncateSync(damaged.path, Math.floor(statSync(damaged.path).size / 2 / 4096) * 4096);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    damaged.check(bytes);
    assert.equal((await store.list()).length, 2);
    let count = 0;
    for (const id of ['one', 'two']) {
      const entries = await store.read(id);
      const lost = entries.filter(({ kind }) => kind === MISSING_ENTRY);
      count += entries.length - lost.length;
      if (lost.length > 0) await checkGap(store, id, lost[0]?.seq ?? 0);
    }
    assert.ok(count > 30, String(count));
  });

  test('with a changed text in an entry, which only its checksum shows', async (context) => {
    const damaged = await Damaged.of(context);
    const whole = readFileSync(damaged.path);
    const at = whole.indexOf('{"text":"two 20 ');
    assert.ok(at > 0);
    damaged.write(Buffer.from('{"text":"two 99 '), at);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    assert.deepEqual(damaged.warnings, []);
    assert.equal((await store.read('one')).length, 50);
    // Damage that is found while the file is open: the call fails, the next ones use the new file.
    await assert.rejects(store.read('two'), { code: 'session-damaged', message: /entry 20/ });
    damaged.check(bytes);
    const kinds = (await store.read('two')).map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      upTo(50).map((seq) => (seq === 20 ? MISSING_ENTRY : 'user')),
    );
    assert.equal((await store.read('one')).length, 50);
    await checkGap(store, 'two', 20);
  });

  test('with a session that can not be read: its entries are kept under a new id', async (context) => {
    const damaged = await Damaged.of(context);
    const whole = readFileSync(damaged.path);
    const at = Math.floor(whole.indexOf('Title of one') / 4096) * 4096;
    damaged.write(Buffer.alloc(4096, 0xa5), at);
    const store = await damaged.open();
    const ids = (await store.list()).map(({ id }) => id).sort();
    assert.deepEqual(ids, ['recovered-1', 'recovered-2']);
    assert.equal((await textsOf(store, 'recovered-1')).filter(Boolean).length, 50);
    assert.match(String((await textsOf(store, 'recovered-2'))[49]), /^two 50/);
    // Nobody knows whether they had more.
    await checkGap(store, 'recovered-1', 51);
  });

  test('with forks: the gap is in all that share it, and the others continue', async (context) => {
    const damaged = new Damaged(context, await newFolder(context));
    const store = await sqliteStore({ folder: damaged.folder });
    const one = await Writer.of(store, { id: 'one' });
    const early = await one.say('a', 'b');
    const late = await one.say('find me', 'd');
    await one.say('e');
    for (const [id, { id: leaf }] of [
      ['early', early],
      ['late', late],
    ] as const) {
      const fork = await Writer.of(store, { id, leaf });
      await fork.say(`${id} 1`, `${id} 2`);
      await store.release(fork.lease);
    }
    await store.release(one.lease);
    await store.close();
    const whole = readFileSync(damaged.path);
    damaged.write(Buffer.from('{"text":"FIND'), whole.indexOf('{"text":"find me'));
    const again = await damaged.open();
    await assert.rejects(again.read('late'), { code: 'session-damaged' });
    assert.deepEqual(await textsOf(again, 'one'), ['a', 'b', undefined, 'd', 'e']);
    assert.deepEqual(await textsOf(again, 'late'), ['a', 'b', undefined, 'd', 'late 1', 'late 2']);
    assert.deepEqual(await textsOf(again, 'early'), ['a', 'b', 'early 1', 'early 2']);
    for (const id of ['one', 'late']) await checkGap(again, id, 3);
    await continued(again, 'early');
    assert.equal(await again.remove('one'), true);
    assert.deepEqual(await textsOf(again, 'late', 2), [undefined, 'd', 'late 1', 'late 2']);
  });

  test('that was repaired before: its gap stays one, and new ones are beside it', async (context) => {
    const damaged = await Damaged.of(context);
    const change = (seq: number) => {
      const at = readFileSync(damaged.path).indexOf(`{"text":"two ${seq} `);
      damaged.write(Buffer.from('{"text":"two 99 '), at);
    };
    const read = async () => {
      const store = await damaged.open();
      await assert.rejects(store.read('two'), { code: 'session-damaged' });
      const kinds = (await store.read('two')).map(({ kind }) => kind);
      assert.deepEqual((await store.list()).map(({ id }) => id).sort(), ['one', 'two']);
      await store.close();
      return upTo(50).filter((seq) => kinds[seq - 1] === MISSING_ENTRY);
    };
    change(20);
    assert.deepEqual(await read(), [20]);
    // Earlier versions gave a mark another name than the entry had that is lost.
    const database = new Database(damaged.path);
    const mark = { id: 'mark', parent: '', seq: 20, kind: MISSING_ENTRY, at: 0 };
    const row = database.get<typeof mark>('SELECT parent, at FROM entry WHERE kind = ?', mark.kind);
    const { checksum } = written({}, besideBody({ ...mark, ...row }));
    const sql = 'UPDATE entry SET id = ?, checksum = ? WHERE kind = ?';
    database.run(sql, mark.id, checksum, mark.kind);
    database.close();
    change(30);
    assert.deepEqual(await read(), [20, 30]);
  });

  test('stays in its place if the new file cannot be completed, and is repaired later', async (context) => {
    const damaged = await Damaged.of(context);
    damaged.write(Buffer.alloc(4096, 'x'), 0);
    const bytes = readFileSync(damaged.path);
    const others: DatabaseSync[] = [];
    class WithReader extends DatabaseSync {
      constructor(path: string, options: DatabaseSyncOptions) {
        super(path, options);
        // What this one reads keeps the log from being written into the file, as a full disk does.
        if (path.endsWith('.new')) others.push(new DatabaseSync(path));
        for (const other of others)
          other.exec('PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM sqlite_schema');
      }
    }
    const mocked = context.mock.method(process, 'getBuiltinModule', () => ({
      DatabaseSync: WithReader,
    }));
    const { folder } = damaged;
    await assert.rejects(sqliteStore({ folder, onWarning: assert.fail, retryTimeout: 0 }), {
      code: 'session-unavailable',
    });
    for (const other of others) other.close();
    mocked.mock.restore();
    assert.deepEqual(readFileSync(damaged.path), bytes);
    assert.deepEqual(readdirSync(folder).sort(), ['sessions.db', 'sessions.db-open']);
    const store = await damaged.open();
    for (const id of ['one', 'two']) assert.equal((await store.read(id)).length, 50);
  });

  test('that has lost several entries at the end of a session, of which a fork goes on, is repaired', async (context) => {
    const damaged = await Damaged.of(context);
    const before = await damaged.open();
    const fork = await forkSession(await openSession(before, 'two'));
    await continued(before, fork.id);
    await before.close();
    const whole = readFileSync(damaged.path);
    for (const n of [49, 50])
      damaged.write(Buffer.from('{"text":"two 99 '), whole.indexOf(`{"text":"two ${n} `));
    const store = await damaged.open();
    await assert.rejects(store.read('two'), { code: 'session-damaged' });
    assert.equal((await store.read('two')).length, 49);
    const kinds = (await store.read(fork.id)).map(({ kind }) => kind === MISSING_ENTRY);
    assert.deepEqual(kinds, [...upTo(48).map(() => false), true, true, false]);
    await checkGap(store, 'two', 49);
    await checkGap(store, fork.id, 49);
  });

  test('that another store of this process has open is left to it by other processes', async (context) => {
    const damaged = await Damaged.of(context);
    const other = await damaged.open();
    const whole = readFileSync(damaged.path);
    await (await damaged.open()).close();
    damaged.write(Buffer.from('{"text":"two 99 '), whole.indexOf('{"text":"two 20 '));
    const process = await StoreProcess.start(damaged.folder);
    context.after(() => process.kill());
    const isLeft = { code: 'session-damaged', message: /have it open/ };
    await assert.rejects(process.call('read', 'two'), isLeft);
    assert.deepEqual(damaged.kept, []);
    assert.equal((await other.read('one')).length, 50);
  });

  test('that others have open is left to them', async (context) => {
    const damaged = await Damaged.of(context);
    const other = await damaged.open();
    const whole = readFileSync(damaged.path);
    damaged.write(Buffer.from('{"text":"two 99 '), whole.indexOf('{"text":"two 20 '));
    const store = await damaged.open();
    await assert.rejects(store.read('two'), { code: 'session-damaged', message: /have it open/ });
    assert.deepEqual(damaged.kept, []);
    assert.equal((await store.read('one')).length, 50);
    await other.close();
    await assert.rejects(store.read('two'), { code: 'session-damaged', message: /entry 20/ });
    assert.equal(damaged.kept.length, 1);
    await checkGap(store, 'two', 20);
  });

  test('that others have open is repaired as soon as all of them have met the damage', async (context) => {
    const damaged = await Damaged.of(context);
    const [one, other] = [await damaged.open(), await damaged.open()];
    const whole = readFileSync(damaged.path);
    damaged.write(Buffer.from('{"text":"two 99 '), whole.indexOf('{"text":"two 20 '));
    // Each of them writes, so that the other one reads pages again.
    await one.rename('one', 'new');
    await other.rename('one', 'newer');
    await assert.rejects(one.read('two'), { code: 'session-damaged', message: /have it open/ });
    await assert.rejects(other.read('two'), { code: 'session-damaged', message: /entry 20/ });
    assert.equal(damaged.kept.length, 1);
    for (const store of [one, other]) assert.equal((await store.read('two')).length, 50);
    await continued(one, 'one');
    assert.equal((await other.read('one')).length, 51);
    assert.equal(damaged.warnings.length, 1);
  });

  test('that others have open is repaired when they have ended, whatever is damaged', async (context) => {
    const damaged = await Damaged.of(context);
    const [store, other] = [await damaged.open(), await damaged.open()];
    const page = Math.floor(readFileSync(damaged.path).indexOf('{"text":"two 20 ') / 4096);
    damaged.write(Buffer.alloc(4096, 0xa5), page * 4096);
    // Another process writes, so that pages are read again.
    await other.rename('one', 'new');
    const isLeft = { code: 'session-damaged', message: /have it open/ };
    for (const id of ['two', 'two', 'one']) await assert.rejects(store.read(id), isLeft);
    assert.deepEqual(damaged.kept, []);
    await other.close();
    assert.equal((await store.read('one')).length, 50);
    assert.equal(damaged.kept.length, 1);
    await checkGap(store, 'two', 20);
  });
});
