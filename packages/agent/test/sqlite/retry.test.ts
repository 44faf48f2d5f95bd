import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import { createSession, openSession } from '../../src/sessions/session.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { retrying } from '../../src/sessions/store-errors.ts';
import { Database } from '../../src/sqlite/database.ts';
import { orUnavailable } from '../../src/sqlite/open-file.ts';
import { sqliteError } from '../../src/sqlite/sqlite-error.ts';
import { memoryStore, SessionFile, storeIn } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';

const SILENT = { onMessage: () => {}, onLost: (error: unknown) => assert.fail(String(error)) };
const ADDED = [{ kind: 'label', body: { text: 'a' } }];

async function opened(context: TestContext, options: Parameters<typeof storeIn>[1] = {}) {
  const path = join(await newFolder(context), 'sessions.db');
  const file = new SessionFile(path, { onWarning: assert.fail });
  context.after(() => file.close());
  return { path, file, store: storeIn(file, options) };
}

describe('a file that another process locks', () => {
  test('is written as soon as it is free, and the event loop is free meanwhile', async (context) => {
    const { path, store } = await opened(context);
    const session = await createSession(store);
    await session.begin(SILENT);
    const other = new Database(path);
    context.after(() => other.close());
    other.execute('BEGIN IMMEDIATE');
    let isDone = false;
    const appended = session.append(ADDED).then(() => {
      isDone = true;
    });
    // Far more turns of the event loop than one attempt has.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    other.execute('COMMIT');
    await appended;
    assert.equal((await store.read(session.id)).length, 1);
    await session.end();
  });

  test('is given up in the end, and the session can go on with the next turn', async (context) => {
    const { path, store } = await opened(context, { retryTimeout: 50 });
    const session = await createSession(store);
    await session.begin(SILENT);
    const other = new Database(path);
    context.after(() => other.close());
    other.execute('BEGIN IMMEDIATE');
    await assert.rejects(session.append(ADDED), { code: 'session-unavailable', message: /locked/ });
    // The lease cannot be given back now. It is the own one later.
    await session.end();
    other.execute('COMMIT');
    await session.begin(SILENT);
    await session.append(ADDED);
    assert.equal((await store.read(session.id)).length, 1);
    await session.end();
  });
});

describe('a place that can not be used', () => {
  const ofSqlite = (errcode: number) =>
    sqliteError(Object.assign(new Error('disk I/O error'), { errcode }), 'a.db');
  const ofFiles = (code: string) => {
    try {
      return orUnavailable('a.db', () => assert.fail(Object.assign(new Error(code), { code })));
    } catch (error) {
      return error;
    }
  };
  const full = { code: 'session-unavailable', message: /a\.db.*The disk is full/ };
  const cases = [
    ['the disk is full', ofFiles('ENOSPC'), full],
    ['the quota is used up', ofFiles('EDQUOT'), full],
    ['there is no room for the memory that processes share', ofSqlite(4_874), full],
    [
      'SQLite could not write, as with a quota',
      ofSqlite(778),
      { message: /a\.db.*A quota is used up/ },
    ],
    ['too many files are open', ofFiles('EMFILE'), { message: /EMFILE.*Close files/ }],
  ] as const;
  for (const [reason, error, expected] of cases) {
    test(`is tried again if ${reason}`, async () => {
      await assert.rejects(Promise.reject(error), expected);
      assert.equal(await retrying(error, () => 'done'), 'done');
    });
  }

  test('is not tried again without a permission, or if the disk has failed', async () => {
    for (const error of [ofFiles('EACCES'), ofSqlite(10), ofSqlite(266)])
      await assert.rejects(retrying(error, assert.fail), error as Error);
  });
});

describe('an entry', () => {
  const failing = (store: SessionStore, when: 'before' | 'after', times: number): SessionStore => ({
    ...store,
    append: async (...given) => {
      const fails = times-- > 0;
      if (!fails || when === 'after') await store.append(...given);
      if (fails) throw new ToolfoldError('session-unavailable', 'No answer.', 'Wait.');
    },
  });
  for (const when of ['before', 'after'] as const) {
    test(`is there once if the store fails ${when} its commit`, async () => {
      const store = failing(memoryStore(), when, 1);
      const session = await createSession(store);
      await session.begin(SILENT);
      await session.append(ADDED);
      await session.append(ADDED);
      const entries = await store.read(session.id);
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        [1, 2],
      );
      assert.deepEqual(session.entries, entries);
      await session.end();
    });
  }

  test('of a session that was lost is not tried again', async () => {
    const store = memoryStore();
    const session = await createSession(store);
    await session.begin({ ...SILENT, onLost: () => {} });
    const owner = (await store.holder(session.id)) ?? assert.fail();
    await store.release({ session: session.id, fence: 1, owner });
    await assert.rejects(session.append(ADDED), { code: 'session-lost' });
  });
});

describe('a lease whose time is over while its owner is alive', () => {
  for (const isRenewed of [true, false]) {
    test(isRenewed ? 'stays if it is renewed' : 'is free if it is not', async (context) => {
      const { file, store } = await opened(context, { grace: 50 });
      const session = await createSession(store);
      const lease = await store.acquire(session.id, newOwner());
      // The clock was set, or the file was locked for long.
      file.write((database) => database.run('UPDATE session SET renewed_at = 1'));
      const other = await openSession(store, session.id);
      const taken = other.begin(SILENT);
      // The other one has looked at the lease, and waits.
      await new Promise((resolve) => setImmediate(resolve));
      if (isRenewed) await store.renew(lease);
      if (isRenewed) await assert.rejects(taken, { code: 'session-busy' });
      else {
        await taken;
        await assert.rejects(store.renew(lease), { code: 'session-lost' });
        await other.end();
      }
    });
  }
});
