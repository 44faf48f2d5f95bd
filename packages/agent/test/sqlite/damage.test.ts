import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  addressOf,
  SessionWriter,
  textsOf,
} from '@toolfold/testing/internal/store-cases/writer.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import { forkSession, openSession } from '../../src/sessions/session.ts';
import { MISSING_ENTRY } from '../../src/sessions/store.ts';
import { knownSessions } from '../../src/sqlite/open-file.ts';
import { type SqliteStore, sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';

const PAGE = 4096;

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
      const writer = await SessionWriter.of(store, { id, title: `Title of ${id}` });
      const text = `system text of ${id}`;
      await writer.append(writer.next(`${id} 1`), new Map([[addressOf(text), text]]));
      for (let n = 2; n <= 50; n++) await writer.say(textOf(id, n));
      await store.release(writer.lease);
    }
    await store.close();
    return damaged;
  }

  /** A file with a log beside it, as a loss of power leaves them: a session with a message for each change. */
  static async withLog(context: TestContext): Promise<Damaged> {
    const folder = await newFolder(context);
    const store = await sqliteStore({ folder });
    const { lease } = await SessionWriter.of(store, { id: 'one' });
    await store.release(lease);
    await store.close();
    const again = await sqliteStore({ folder });
    const writer = await SessionWriter.open(again, 'one');
    for (let n = 1; n <= 20; n++) await writer.say(`one ${n}`);
    const damaged = new Damaged(context, await newFolder(context));
    for (const end of ['', '-wal']) copyFileSync(`${again.name}${end}`, `${damaged.path}${end}`);
    await again.close();
    return damaged;
  }

  get bytes(): Buffer {
    return readFileSync(this.path);
  }

  get log(): string {
    return `${this.path}-wal`;
  }

  /** Overwrites bytes of the file. */
  write(bytes: Buffer, at: number, path: string = this.path): void {
    const handle = openSync(path, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  }

  /** Overwrites the page in which some bytes stand. */
  destroyPage(text: string, byte: number): void {
    const at = this.bytes.indexOf(text);
    assert.ok(at > 0);
    this.write(Buffer.alloc(PAGE, byte), Math.floor(at / PAGE) * PAGE);
  }

  async open(): Promise<SqliteStore> {
    const onWarning = (message: string) => void this.warnings.push(message);
    const store = await sqliteStore({ folder: this.folder, onWarning, retryTimeout: 0 });
    this.#context.after(() => store.close());
    return store;
  }

  /** Opens the store, runs `work`, and checks that nothing was written and that the user was told once. */
  async unchanged(work: (store: SqliteStore) => Promise<void>): Promise<void> {
    const [bytes, log] = [this.bytes, existsSync(this.log) ? readFileSync(this.log) : undefined];
    const store = await this.open();
    await work(store);
    await checkRefused(store);
    await store.close();
    assert.ok(this.bytes.equals(bytes));
    if (log) assert.ok(readFileSync(this.log).equals(log));
    this.checkTold(this.warnings);
  }

  checkTold(texts: readonly string[]): void {
    const [text = ''] = texts;
    assert.equal(texts.length, 1);
    assert.ok(text.includes(`The file of sessions ${this.path} is damaged: `));
    assert.ok(text.includes(`sqlite3 "${this.path}" ".recover" | sqlite3 "`));
    assert.match(text, /copy the folder/);
  }
}

const textOf = (id: string, n: number) =>
  n === 1 ? `${id} 1` : `${id} ${n} ${'filler '.repeat(300)}`;

/** The numbers 1 to `last`. */
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

/** Every function that writes. */
async function checkRefused(store: SqliteStore): Promise<void> {
  const lease = { session: 'one', fence: 1, owner: newOwner() };
  const entry = { id: 'new', parent: null, seq: 51, kind: 'user', body: {}, at: 1 };
  const isRefused = { code: 'session-damaged', message: /Nothing is written to it/ };
  await assert.rejects(store.create({ id: 'new', createdAt: 1 }), isRefused);
  await assert.rejects(store.rename('one', 'new'), isRefused);
  await assert.rejects(store.remove('one'), isRefused);
  await assert.rejects(store.acquire('one', newOwner()), isRefused);
  await assert.rejects(store.append([entry], { lease }), isRefused);
  await assert.rejects(store.renew(lease), isRefused);
  await assert.rejects(store.release(lease), isRefused);
  await assert.rejects(store.post('one', { id: 'm', kind: 'user', body: {} }), isRefused);
  await assert.rejects(store.show(lease, {}), isRefused);
}

/** Appends to a session as an agent does. */
async function continued(store: SqliteStore, id: string): Promise<void> {
  const session = await openSession(store, id);
  await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
  await session.append([{ kind: 'user', body: { text: 'next' } }]);
  await session.end();
  assert.equal((await textsOf(store, id)).at(-1), 'next');
}

/** Checks that what is read of a session is what was written, and returns the numbers of the lost entries. */
async function lostOf(store: SqliteStore, id: string): Promise<readonly number[]> {
  const entries = await store.read(id);
  const seqs = entries.map(({ seq }) => seq);
  assert.deepEqual(seqs, upTo(50));
  for (const [n, { parent, kind, body, seq }] of entries.entries()) {
    assert.equal(parent, entries[n - 1]?.id ?? null);
    assert.deepEqual(body, kind === MISSING_ENTRY ? {} : { text: textOf(id, seq) });
  }
  // The end of a session is read as the whole is.
  assert.deepEqual(
    (await store.read(id, { after: 45 })).map(({ kind }) => kind),
    entries.slice(45).map(({ kind }) => kind),
  );
  return entries.filter(({ kind }) => kind === MISSING_ENTRY).map(({ seq }) => seq);
}

/** Checks that a session is refused with its gap, and that a fork before it continues. */
async function checkGap(store: SqliteStore, id: string, gap: number): Promise<void> {
  await assert.rejects(continued(store, id), {
    code: 'session-damaged',
    message: new RegExp(`"${id}" .*entry ${gap}, .*fork it at entry ${gap - 1}`),
  });
  assert.equal(await store.holder(id), undefined);
  const session = await openSession(store, id);
  await assert.rejects(forkSession(session, gap), { code: 'session-damaged' });
  await continued(store, (await forkSession(session, gap - 1)).id);
}

describe('promise 80: a damaged file is read and not written', () => {
  test('whose header and schema are gone: nothing can be read, and that is an error', async (context) => {
    for (const bytes of [Buffer.alloc(PAGE, 'x'), Buffer.alloc(PAGE)]) {
      const damaged = await Damaged.of(context);
      damaged.write(bytes, 0);
      const before = damaged.bytes;
      await assert.rejects(damaged.open(), (error) => {
        assert.ok(error instanceof ToolfoldError);
        assert.equal(error.code, 'session-damaged');
        assert.match(error.message, /Nothing in it can be read\./);
        damaged.checkTold([error.message]);
        return true;
      });
      assert.ok(damaged.bytes.equals(before));
    }
  });

  test('that is not a database at all', async (context) => {
    const damaged = new Damaged(context, await newFolder(context));
    writeFileSync(damaged.path, 'This is a text.');
    await assert.rejects(damaged.open(), { code: 'session-damaged' });
    assert.equal(damaged.bytes.toString(), 'This is a text.');
  });

  for (const [what, byte] of [
    ['zeros', 0],
    ['other bytes', 0xa5],
  ] as const)
    test(`with a page of ${what} in the middle`, async (context) => {
      const damaged = await Damaged.of(context);
      damaged.destroyPage('{"text":"two 30 ', byte);
      await damaged.unchanged(async (store) => {
        const titles = (await store.list()).map(({ title }) => title).sort();
        assert.deepEqual(titles, ['Title of one', 'Title of two']);
        assert.deepEqual(await lostOf(store, 'one'), []);
        const lost = await lostOf(store, 'two');
        assert.ok(lost.includes(30) && lost.length <= 5, String(lost));
        assert.equal(await store.text(addressOf('system text of one')), 'system text of one');
        const [hit] = await store.search('one 17');
        assert.equal(hit?.seq, 17);
        await assert.rejects(continued(store, 'two'), { code: 'session-damaged' });
        const session = await openSession(store, 'two');
        await assert.rejects(forkSession(session, 5), { code: 'session-damaged' });
      });
      assert.match(
        damaged.warnings[0] ?? '',
        /2 sessions can be read\. Entries of 1 session are lost\./,
      );
    });

  test('whose end is missing', async (context) => {
    const damaged = await Damaged.of(context);
    truncateSync(damaged.path, Math.floor(statSync(damaged.path).size / 2 / PAGE) * PAGE);
    await damaged.unchanged(async (store) => {
      const lost = (await lostOf(store, 'one')).length + (await lostOf(store, 'two')).length;
      assert.ok(lost > 20 && lost < 70, String(lost));
    });
  });

  test('whose index lacks a row of its table: the row is read', async (context) => {
    const damaged = await Damaged.of(context);
    const database = new DatabaseSync(damaged.path, { defensive: false });
    const row = database
      .prepare("SELECT rootpage, sql FROM sqlite_schema WHERE name = 'session_by_parent'")
      .get();
    database.exec(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'session_by_parent'",
    );
    database.close();
    const other = new DatabaseSync(damaged.path, { defensive: false });
    other.exec("INSERT INTO session (id, seq, created_at, changed_at) VALUES ('three', 0, 1, 1)");
    other.exec('PRAGMA writable_schema = ON');
    other
      .prepare("INSERT INTO sqlite_schema VALUES ('index', 'session_by_parent', 'session', ?, ?)")
      .run(row?.rootpage ?? null, row?.sql ?? null);
    other.close();
    await damaged.unchanged(async (store) => {
      const ids = (await store.list()).map(({ id }) => id).sort();
      assert.deepEqual(ids, ['one', 'three', 'two']);
      for (const id of ['one', 'two']) assert.deepEqual(await lostOf(store, id), []);
    });
    assert.match(damaged.warnings[0] ?? '', /index session_by_parent/);
  });

  test('with a session that cannot be read: the user is told of its entries', async (context) => {
    const damaged = await Damaged.of(context);
    damaged.destroyPage('Title of one', 0);
    await damaged.unchanged(async (store) => assert.deepEqual(await store.list(), []));
    assert.match(
      damaged.warnings[0] ?? '',
      /0 sessions can be read\. 100 more entries are of sessions that cannot be read\./,
    );
  });

  test('in whose log a change is damaged: those before it are read', async (context) => {
    const damaged = await Damaged.withLog(context);
    const at = readFileSync(damaged.log).indexOf('{"text":"one 10"');
    damaged.write(Buffer.from('{"text":"one 99"'), at, damaged.log);
    await damaged.unchanged(async (store) =>
      assert.deepEqual(
        await textsOf(store, 'one'),
        upTo(9).map((n) => `one ${n}`),
      ),
    );
    assert.match(damaged.warnings[0] ?? '', /the log beside it was changed at byte \d+/);
  });

  test('the header of whose log is damaged', async (context) => {
    const damaged = await Damaged.withLog(context);
    damaged.write(Buffer.from('x'), 20, damaged.log);
    await damaged.unchanged(async (store) => assert.deepEqual(await textsOf(store, 'one'), []));
    assert.match(damaged.warnings[0] ?? '', /the header of the log/);
  });

  test('whose log is whole while a page of the file is destroyed', async (context) => {
    const damaged = await Damaged.of(context);
    const store = await damaged.open();
    await continued(store, 'one');
    const copy = new Damaged(context, await newFolder(context));
    for (const end of ['', '-wal']) copyFileSync(`${damaged.path}${end}`, `${copy.path}${end}`);
    await store.close();
    copy.destroyPage('{"text":"two 30 ', 0);
    await copy.unchanged(async (copied) => {
      assert.equal((await textsOf(copied, 'one')).at(-1), 'next');
      assert.ok((await lostOf(copied, 'two')).includes(30));
    });
  });

  test('also by suggestions', async (context) => {
    const damaged = await Damaged.withLog(context);
    const before = [damaged.bytes, readFileSync(damaged.log)];
    assert.deepEqual(
      knownSessions(damaged.folder).map(({ id }) => id),
      ['one'],
    );
    assert.deepEqual([damaged.bytes, readFileSync(damaged.log)], before);
  });

  test('from the moment on in which damage is found while it is open', async (context) => {
    const damaged = await Damaged.of(context);
    const [store, other] = [await damaged.open(), await damaged.open()];
    damaged.destroyPage('{"text":"two 20 ', 0);
    // Another store writes, so that pages are read again.
    await other.rename('one', 'new');
    assert.ok((await lostOf(store, 'two')).includes(20));
    assert.equal((await store.get('one'))?.title, 'new');
    damaged.checkTold(damaged.warnings);
    await checkRefused(store);
    // The last one to close leaves the log as it is too.
    assert.ok((await lostOf(other, 'two')).includes(20));
    const before = [damaged.bytes, readFileSync(damaged.log)];
    await store.close();
    await other.close();
    assert.deepEqual([damaged.bytes, readFileSync(damaged.log)], before);
  });
});

describe('a log that ends within a change, as a loss of power leaves it', () => {
  for (const [what, length] of [
    ['is cut', -100],
    ['ends with zeros', 100],
  ] as const)
    test(`is no damage: ${what}`, async (context) => {
      const damaged = await Damaged.withLog(context);
      const log = readFileSync(damaged.log);
      if (length < 0) truncateSync(damaged.log, log.length + length);
      else writeFileSync(damaged.log, Buffer.concat([log, Buffer.alloc(2 * PAGE)]));
      const store = await damaged.open();
      const texts = await textsOf(store, 'one');
      const whole = upTo(20).map((n) => `one ${n}`);
      assert.deepEqual(texts, length < 0 ? whole.slice(0, 19) : whole);
      await store.rename('one', 'new');
      assert.deepEqual(damaged.warnings, []);
    });
});

describe('promise 80: a damaged entry', () => {
  test('that only its checksum shows is a gap, and other sessions continue', async (context) => {
    const damaged = await Damaged.of(context);
    const at = damaged.bytes.indexOf('{"text":"two 20 ');
    damaged.write(Buffer.from('{"text":"two 99 '), at);
    const store = await damaged.open();
    assert.deepEqual(await lostOf(store, 'two'), [20]);
    assert.deepEqual(damaged.warnings, []);
    await checkGap(store, 'two', 20);
    await continued(store, 'one');
    assert.equal(await store.remove('two'), true);
  });

  test('is a gap in all forks that share it, and the others continue', async (context) => {
    const damaged = new Damaged(context, await newFolder(context));
    const store = await sqliteStore({ folder: damaged.folder });
    const one = await SessionWriter.of(store, { id: 'one' });
    const early = await one.say('a', 'b');
    const late = await one.say('find me', 'd');
    await one.say('e');
    for (const [id, { id: leaf }] of [
      ['early', early],
      ['late', late],
    ] as const) {
      const fork = await SessionWriter.of(store, { id, leaf });
      await fork.say(`${id} 1`, `${id} 2`);
      await store.release(fork.lease);
    }
    await store.release(one.lease);
    await store.close();
    damaged.write(Buffer.from('{"text":"FIND'), damaged.bytes.indexOf('{"text":"find me'));
    const again = await damaged.open();
    assert.deepEqual(await textsOf(again, 'one'), ['a', 'b', undefined, 'd', 'e']);
    assert.deepEqual(await textsOf(again, 'late'), ['a', 'b', undefined, 'd', 'late 1', 'late 2']);
    assert.deepEqual(await textsOf(again, 'early'), ['a', 'b', 'early 1', 'early 2']);
    for (const id of ['one', 'late']) await checkGap(again, id, 3);
    await continued(again, 'early');
    assert.equal(await again.remove('one'), true);
    assert.deepEqual(await textsOf(again, 'late', 2), [undefined, 'd', 'late 1', 'late 2']);
  });

  test('at the end of a session is a gap there, and in a fork that goes on behind it', async (context) => {
    const damaged = await Damaged.of(context);
    const before = await damaged.open();
    const fork = await forkSession(await openSession(before, 'two'));
    await continued(before, fork.id);
    await before.close();
    for (const n of [49, 50])
      damaged.write(Buffer.from('{"text":"two 99 '), damaged.bytes.indexOf(`{"text":"two ${n} `));
    const store = await damaged.open();
    assert.deepEqual(await lostOf(store, 'two'), [49, 50]);
    const kinds = (await store.read(fork.id)).map(({ kind }) => kind === MISSING_ENTRY);
    assert.deepEqual(kinds, [...upTo(48).map(() => false), true, true, false]);
    await checkGap(store, fork.id, 49);
  });
});

test('the command of the message recovers what the file has, and the new file is written', {
  // Some systems build it without what it needs for that.
  skip:
    spawnSync('sqlite3', [':memory:', 'SELECT 1 FROM sqlite_dbpage']).status !== 0 &&
    'no sqlite3 here can recover a file',
}, async (context) => {
  const damaged = await Damaged.of(context);
  damaged.destroyPage('{"text":"two 30 ', 0);
  const first = await damaged.open();
  await first.close();
  const [command = ''] =
    /sqlite3 ".*" "\.recover" \| sqlite3 "[^"]*"/.exec(damaged.warnings[0] ?? '') ?? [];
  execFileSync('sh', ['-c', command]);
  for (const end of ['', '-wal', '-shm']) rmSync(damaged.path + end, { force: true });
  renameSync(join(damaged.folder, 'recovered.db'), damaged.path);
  const store = await damaged.open();
  assert.equal(damaged.warnings.length, 1);
  assert.deepEqual(await lostOf(store, 'one'), []);
  const [gap = 0] = await lostOf(store, 'two');
  await continued(store, 'one');
  await checkGap(store, 'two', gap);
});
