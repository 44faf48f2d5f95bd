import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkSessions } from '../../src/sqlite/check-sessions.ts';
import { Database } from '../../src/sqlite/database.ts';
import { isOpenHere } from '../../src/sqlite/live-files.ts';
import { KNOWN_VERSION } from '../../src/sqlite/migrations.ts';
import { knownSessions } from '../../src/sqlite/open-file.ts';
import { sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';
import { StoreProcess } from './store-process.test-support.ts';

const ENDS = ['', '-wal', '-shm'] as const;
type End = (typeof ENDS)[number];

/** A folder of sessions, with a process that has it open. */
class Live {
  readonly path: string;
  readonly #process: StoreProcess;

  private constructor(path: string, process: StoreProcess) {
    this.path = path;
    this.#process = process;
  }

  static async start(context: TestContext, ...ids: readonly string[]): Promise<Live> {
    const path = join(await newFolder(context), 'sessions.db');
    const live = new Live(path, await StoreProcess.start(dirname(path)));
    context.after(() => live.kill());
    await live.add(...ids);
    return live;
  }

  async add(...ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#process.call('create', { id, createdAt: 1 });
  }

  /** Writes the log into the file. The next change begins the log again. */
  checkpoint(): void {
    sql(this.path, 'PRAGMA wal_checkpoint(PASSIVE)');
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Copies files, as a backup does, into another folder. */
  copy(to: string, ...ends: readonly End[]): void {
    mkdirSync(dirname(to), { recursive: true });
    for (const end of ends) copyFileSync(this.path + end, to + end);
  }
}

/** Runs statements of a program that is not Toolfold. */
function sql(path: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

const folderIn = async (context: TestContext) => join(await newFolder(context), 'sessions.db');

const warnings: string[] = [];

async function idsIn(path: string): Promise<readonly string[]> {
  const onWarning = (text: string) => void warnings.push(text);
  const store = await sqliteStore({ folder: dirname(path), onWarning });
  try {
    return (await store.list()).map(({ id }) => id).sort();
  } finally {
    await store.close();
  }
}

/** The files of a folder, as they are. */
const filesOf = (path: string) =>
  new Map(
    readdirSync(dirname(path)).map((name) => [name, readFileSync(join(dirname(path), name))]),
  );

/** Files whose log belongs to the file, and the sessions in them. */
const OWN: Readonly<
  Record<string, (context: TestContext) => Promise<readonly [string, ...string[]]>>
> = {
  'a killed process leaves the file, -wal and -shm': async (context) => {
    const live = await Live.start(context, 'a', 'b');
    await live.kill();
    return [live.path, 'a', 'b'];
  },
  'a loss of power leaves no -shm': async (context) => {
    const live = await Live.start(context, 'a', 'b');
    await live.kill();
    rmSync(`${live.path}-shm`);
    return [live.path, 'a', 'b'];
  },
  'a kill after a checkpoint, before the next change': async (context) => {
    const live = await Live.start(context, 'a', 'b');
    live.checkpoint();
    await live.kill();
    return [live.path, 'a', 'b'];
  },
  'a kill after the next change, with which the log began again': async (context) => {
    const live = await Live.start(context, 'a', 'b');
    live.checkpoint();
    await live.add('c');
    await live.kill();
    return [live.path, 'a', 'b', 'c'];
  },
  'a kill after a checkpoint of a part of the log': async (context) => {
    const live = await Live.start(context, 'a');
    const reader = new DatabaseSync(live.path);
    reader.exec('BEGIN; SELECT 1 FROM session');
    await live.add('b');
    live.checkpoint();
    await live.kill();
    reader.close();
    return [live.path, 'a', 'b'];
  },
  'the file was copied earlier than the log, with no checkpoint between': async (context) => {
    const live = await Live.start(context, 'a');
    const to = await folderIn(context);
    live.checkpoint();
    await live.add('b');
    live.copy(to, '');
    await live.add('c');
    live.copy(to, '-wal');
    return [to, 'a', 'b', 'c'];
  },
  'another program has written to the log first': async (context) => {
    const live = await Live.start(context, 'a');
    live.checkpoint();
    sql(live.path, "INSERT INTO session (id, seq, created_at, changed_at) VALUES ('b', 0, 1, 1)");
    sql(
      live.path,
      `PRAGMA user_version = ${KNOWN_VERSION}`,
      'CREATE TABLE other (row)',
      'DROP TABLE other',
    );
    await live.kill();
    return [live.path, 'a', 'b'];
  },
  'the file is of a version that did not number its changes': async (context) => {
    const earlier = await folderIn(context);
    await idsIn(earlier);
    sql(earlier, 'PRAGMA application_id = 0');
    const writer = await StoreProcess.start(dirname(earlier));
    context.after(() => writer.kill());
    await writer.call('create', { id: 'a', createdAt: 1 });
    await writer.kill();
    return [earlier, 'a'];
  },
  'the log is empty, and so is the file': async (context) => {
    const path = await folderIn(context);
    for (const end of ['', '-wal']) writeFileSync(path + end, '');
    return [path];
  },
};

/** Files whose log does not belong to the file, and what the error says of them. */
const FOREIGN: Readonly<
  Record<string, (context: TestContext) => Promise<readonly [string, RegExp]>>
> = {
  'the log of another file': async (context) => {
    const [one, other] = [await Live.start(context, 'a'), await Live.start(context, 'b', 'c')];
    for (const live of [one, other]) {
      live.checkpoint();
      await live.add('d');
    }
    const to = await folderIn(context);
    one.copy(to, '');
    other.copy(to, '-wal');
    return [to, /begins with change \d+, and the file is at change \d+/];
  },
  'the log and -shm of another file, which holds all of it': async (context) => {
    const [one, other] = [await Live.start(context, 'a'), await Live.start(context, 'b', 'c')];
    const to = await folderIn(context);
    one.checkpoint();
    one.copy(to, '');
    other.copy(to, '-wal', '-shm');
    return [to, /begins with change/];
  },
  'a log of another program': async (context) => {
    const [one, other] = [await Live.start(context, 'a'), await folderIn(context)];
    one.checkpoint();
    const database = new DatabaseSync(other);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (text)');
    const to = await folderIn(context);
    one.copy(to, '');
    copyFileSync(`${other}-wal`, `${to}-wal`);
    database.close();
    return [to, /begins with change 0,/];
  },
  'an earlier copy of the file, restored beside the log of the later one': async (context) => {
    const live = await Live.start(context, 'a');
    const backup = await folderIn(context);
    live.checkpoint();
    live.copy(backup, '');
    await live.add('b');
    live.checkpoint();
    await live.add('c');
    await live.kill();
    copyFileSync(backup, live.path);
    return [live.path, /begins with change/];
  },
  'an earlier copy from before the first checkpoint': async (context) => {
    const live = await Live.start(context, 'a');
    const backup = await folderIn(context);
    live.copy(backup, '');
    live.checkpoint();
    await live.add('b');
    await live.kill();
    copyFileSync(backup, live.path);
    return [live.path, /the file is at change 0/];
  },
  'a later copy of the file beside the log of the earlier one': async (context) => {
    const live = await Live.start(context, 'a');
    const [later, log] = [await folderIn(context), await folderIn(context)];
    live.checkpoint();
    live.copy(log, '-wal');
    await live.add('b', 'c');
    live.checkpoint();
    live.copy(later, '');
    copyFileSync(`${log}-wal`, `${later}-wal`);
    return [later, /begins with change/];
  },
  'a copy that SQLite has written anew': async (context) => {
    const live = await Live.start(context, 'a');
    const to = await folderIn(context);
    sql(live.path, `VACUUM INTO '${to}'`);
    await live.add('b');
    live.copy(to, '-wal');
    return [to, /begins with change/];
  },
  'an empty file': async (context) => {
    const live = await Live.start(context, 'a');
    live.checkpoint();
    await live.add('b');
    await live.kill();
    writeFileSync(live.path, '');
    return [live.path, /it is empty, while the log beside it holds changes \(\d+ bytes\)/];
  },
  'no file': async (context) => {
    const live = await Live.start(context, 'a');
    await live.kill();
    rmSync(live.path);
    return [live.path, /it is missing, while the log/];
  },
};

describe('promise 80: a log that belongs to the file is written into it', () => {
  for (const [what, make] of Object.entries(OWN))
    test(what, async (context) => {
      const [path, ...ids] = await make(context);
      warnings.length = 0;
      assert.deepEqual(await idsIn(path), ids);
      assert.deepEqual(await idsIn(path), ids);
      assert.deepEqual(warnings, []);
    });
});

describe('promise 80: a log that does not belong to the file is left with it as it is', () => {
  for (const [what, make] of Object.entries(FOREIGN))
    test(what, async (context) => {
      const [path, text] = await make(context);
      const before = filesOf(path);
      const folder = dirname(path);
      const isRefused = (error: unknown) => {
        assert.ok(error instanceof ToolfoldError && error.code === 'session-damaged');
        assert.match(error.message, text);
        assert.ok(error.hint.includes(`copy the folder ${folder}`));
        assert.match(error.hint, /move sessions\.db-wal and sessions\.db-shm to another folder/);
        return true;
      };
      await assert.rejects(idsIn(path), isRefused);
      if (existsSync(path)) assert.throws(() => knownSessions(folder), isRefused);
      const problem = (await checkSessions({ folder, repair: true })).at(-1);
      assert.equal(problem?.state, 'problem');
      assert.match(problem?.text ?? '', text);
      assert.match(problem?.remedy ?? '', /copy the folder/);
      assert.deepEqual(filesOf(path), before);
    });
});

describe('what the error advises opens', () => {
  test('a file without the log that was moved away', async (context) => {
    const make = FOREIGN['the log of another file'];
    assert.ok(make);
    const [path] = await make(context);
    renameSync(`${path}-wal`, join(await newFolder(context), 'sessions.db-wal'));
    assert.deepEqual(await idsIn(path), ['a']);
  });

  /** Follows the advice for an empty file. */
  async function truncate(live: Live): Promise<void> {
    await live.kill();
    writeFileSync(live.path, '');
    const error = await idsIn(live.path).catch(({ hint }) => hint);
    const [command = ''] = /truncate -s 4096 "[^"]*"/.exec(error) ?? [];
    execFileSync('sh', ['-c', command]);
  }

  test('all that a log holds, where nothing was in the file yet', {
    skip: process.platform === 'win32',
  }, async (context) => {
    const live = await Live.start(context, 'a', 'b');
    await truncate(live);
    warnings.length = 0;
    assert.deepEqual(await idsIn(live.path), ['a', 'b']);
    assert.deepEqual(warnings, []);
  });

  test('what a log holds of a file, and says that the rest is lost', {
    skip: process.platform === 'win32',
  }, async (context) => {
    const live = await Live.start(context, 'a');
    live.checkpoint();
    await live.add('b');
    await truncate(live);
    warnings.length = 0;
    const ids = await idsIn(live.path).catch((error) => void warnings.push(error.message));
    assert.ok(ids === undefined || ids.includes('b'));
    assert.match(warnings.join(), /is damaged/);
  });
});

/** Where the kernel lists the locks of each process, on Linux. */
const LOCKS = '/proc/locks';

test('a look at a file that this process has open leaves its locks', {
  skip: !existsSync(LOCKS) && `there is no ${LOCKS}`,
}, async (context) => {
  const folder = await newFolder(context);
  await using store = await sqliteStore({ folder });
  await store.create({ id: 'a', createdAt: 1 });
  const file = statSync(join(folder, 'sessions.db'));
  const locks = () =>
    readFileSync(LOCKS, 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${file.ino} `)).length;
  assert.equal(locks(), 1);
  knownSessions(folder);
  await using _second = await sqliteStore({ folder });
  await checkSessions({ folder });
  assert.equal(locks(), 1);
});

test('a file that could not be opened does not count as open', async (context) => {
  /** Fails at the first statement. */
  class Failing extends DatabaseSync {
    override prepare(): never {
      throw new Error('it failed');
    }
  }
  const file = await folderIn(context);
  await idsIn(file);
  const mock = context.mock.method(process, 'getBuiltinModule', () => ({ DatabaseSync: Failing }));
  assert.throws(() => new Database(file, { isDamaged: true }), /it failed/);
  assert.equal(isOpenHere(file), false);
  mock.mock.restore();
  const database = new Database(file);
  assert.equal(isOpenHere(file), true);
  database.close();
  assert.equal(isOpenHere(file), false);
});

describe('promise 80: what another file has left is not written into this one', () => {
  /** A closed file of sessions, and its folder as it is. */
  async function closed(context: TestContext): Promise<string> {
    const path = await folderIn(context);
    await idsIn(path);
    return path;
  }

  async function isRefused(path: string, text: RegExp): Promise<void> {
    const before = filesOf(path);
    await assert.rejects(idsIn(path), (error) => {
      assert.ok(error instanceof ToolfoldError && error.code === 'session-damaged');
      assert.match(error.message, text);
      assert.match(error.hint, /copy the folder .* to another folder/);
      return true;
    });
    assert.deepEqual(filesOf(path), before);
  }

  /** A journal of a change that was not finished, with the first page. */
  function journalOf(path: string): Buffer {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1');
    database.exec('BEGIN; PRAGMA application_id = 5; CREATE TABLE other (row)');
    database.exec('INSERT INTO other VALUES (zeroblob(100000)), (zeroblob(100000))');
    const bytes = readFileSync(`${path}-journal`);
    database.exec('ROLLBACK');
    database.close();
    return bytes;
  }

  test('a journal', async (context) => {
    const [one, other] = [await closed(context), await closed(context)];
    const journal = journalOf(other);
    assert.ok(journal.length > 4096);
    writeFileSync(`${other}-journal`, journal);
    assert.deepEqual(await idsIn(other), []);
    writeFileSync(`${one}-journal`, journal);
    await isRefused(one, /the journal beside it is of the change after \d+/);
    writeFileSync(one, '');
    await isRefused(one, /it is empty or missing, while the journal/);
  });

  test('a log beside a link', { skip: process.platform === 'win32' }, async (context) => {
    const [to, live] = [await closed(context), await Live.start(context, 'a')];
    await live.kill();
    rmSync(live.path);
    symlinkSync(to, live.path);
    await isRefused(live.path, /it is a link to .*, and a log of another file \(-wal\)/);
    for (const end of ['-wal', '-shm']) rmSync(live.path + end);
    await using store = await sqliteStore({ folder: dirname(live.path) });
    await store.create({ id: 'b', createdAt: 1 });
    assert.ok(existsSync(`${to}-wal`));
    writeFileSync(to, '');
    await assert.rejects(store.create({ id: 'c', createdAt: 1 }), /overwritten/);
  });
});
