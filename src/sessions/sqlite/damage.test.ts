import assert from 'node:assert/strict';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { addressOf, textsOf, Writer } from '../store/store-cases.test-support.ts';
import { newFolder } from './folder.test-support.ts';
import { type SqliteStore, sqliteStore } from './sqlite-store.ts';

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

describe('a damaged file', () => {
  test('whose header is gone is kept, and a new one is in its place', async (context) => {
    const damaged = await Damaged.of(context);
    damaged.write(Buffer.alloc(4096, 'x'), 0);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    assert.deepEqual(await store.list(), []);
    damaged.check(bytes);
    assert.match(damaged.warnings[0] ?? '', /Nothing in it could be read/);
    await (await Writer.of(store)).say('works');
    await store.close();
    assert.equal((await (await damaged.open()).list()).length, 1);
    assert.equal(damaged.warnings.length, 1);
  });

  test('that is not a database at all', async (context) => {
    const folder = await newFolder(context);
    const damaged = new Damaged(context, folder);
    writeFileSync(damaged.path, 'This is a text.');
    assert.deepEqual(await (await damaged.open()).list(), []);
    damaged.check(Buffer.from('This is a text.'));
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
    const read = (await store.read('two')).map(({ seq }) => seq);
    assert.ok(read.length >= 20 && read.length < 30, String(read.length));
    assert.deepEqual(read, upTo(read.length));
    assert.match(damaged.warnings[0] ?? '', /2 sessions with \d+ of their entries.* 1 of them/);
    assert.equal(await store.text(addressOf('system text of one')), 'system text of one');
    assert.deepEqual(
      (await store.search('one 17')).map(({ seq }) => seq),
      [17],
    );
    // The session goes on where it ends now.
    const writer = await Writer.open(store, 'two');
    await writer.say('next');
    assert.equal((await textsOf(store, 'two')).at(-1), 'next');
  });

  test('whose end is missing', async (context) => {
    const damaged = await Damaged.of(context);
    truncateSync(damaged.path, Math.floor(statSync(damaged.path).size / 2 / 4096) * 4096);
    const bytes = readFileSync(damaged.path);
    const store = await damaged.open();
    damaged.check(bytes);
    assert.equal((await store.list()).length, 2);
    const [one, two] = [await store.read('one'), await store.read('two')];
    assert.ok(one.length + two.length > 30);
    for (const entries of [one, two]) {
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        upTo(entries.length),
      );
    }
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
    assert.equal((await store.read('two')).length, 19);
    assert.equal((await store.read('one')).length, 50);
    await (await Writer.open(store, 'two')).say('next');
  });

  test('with a session that can not be read: its entries are kept under a new id', async (context) => {
    const damaged = await Damaged.of(context);
    const whole = readFileSync(damaged.path);
    const at = Math.floor(whole.indexOf('Title of one') / 4096) * 4096;
    damaged.write(Buffer.alloc(4096, 0xa5), at);
    const store = await damaged.open();
    const ids = (await store.list()).map(({ id }) => id).sort();
    assert.deepEqual(ids, ['recovered-1', 'recovered-2']);
    assert.equal((await store.read('recovered-1')).length, 50);
    assert.match(String((await textsOf(store, 'recovered-2'))[49]), /^two 50/);
  });

  test('with forks: all of them end before the entry that is lost', async (context) => {
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
    assert.deepEqual(await textsOf(again, 'one'), ['a', 'b']);
    assert.deepEqual(await textsOf(again, 'late'), ['a', 'b']);
    assert.deepEqual(await textsOf(again, 'early'), ['a', 'b', 'early 1', 'early 2']);
    const fork = await Writer.open(again, 'late');
    await fork.say('new');
    assert.deepEqual(await textsOf(again, 'late'), ['a', 'b', 'new']);
    assert.deepEqual(await textsOf(again, 'one'), ['a', 'b']);
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
    assert.equal((await store.read('two')).length, 19);
  });
});
