import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { mock, test } from 'node:test';
import { type Lease, newOwner } from '../../src/sessions/lease.ts';
import { createSession, type Session } from '../../src/sessions/session.ts';
import { Database } from '../../src/sqlite/database.ts';
import { memoryStore, sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';

/** Counts the statements of all databases from now on. */
function countStatements(): () => number {
  const { get, all, run, execute } = Database.prototype;
  const mocks = [
    mock.method(Database.prototype, 'get', get),
    mock.method(Database.prototype, 'all', all),
    mock.method(Database.prototype, 'run', run),
    mock.method(Database.prototype, 'execute', execute),
  ];
  return () => mocks.reduce((sum, { mock }) => sum + mock.callCount(), 0);
}

/** How many statements sessions of one process take in 10 s in which nothing happens to them. */
async function idleStatements(count: number): Promise<number> {
  mock.timers.enable({ apis: ['setInterval'] });
  const sessions: Session[] = [];
  const lost: unknown[] = [];
  try {
    const store = memoryStore();
    for (let index = 0; index < count; index++) {
      const session = await createSession(store);
      await session.begin({ onMessage: () => {}, onLost: (error) => lost.push(error) });
      sessions.push(session);
    }
    const counted = countStatements();
    for (let time = 0; time < 10_000; time += 500) {
      mock.timers.tick(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const statements = counted();
    assert.deepEqual(lost, []);
    await Promise.all(sessions.map((session) => session.end()));
    return statements;
  } finally {
    mock.timers.reset();
    mock.restoreAll();
  }
}

test('100 sessions of a process are looked at and renewed with the statements of one', async () => {
  const one = await idleStatements(1);
  assert.ok(one > 0);
  assert.equal(await idleStatements(100), one);
});

test('what is asked for many leases at once is answered to each by itself', async () => {
  const store = memoryStore();
  const ids = ['a', 'b\u0000', 'c\ud800', 'd', 'e'];
  for (const id of ids) await store.create({ id, createdAt: 1 });
  const leases = await Promise.all(ids.map((id) => store.acquire(id, newOwner())));
  const [a, , , d] = leases;
  assert.ok(a && d);
  await store.post('a', { id: 'm', kind: 'cancel', body: {} });
  await store.watch('e');
  await store.release(d);
  const all = [...leases, { ...a, session: 'none' }, { ...a, fence: 7 }];
  const outcomes = async (work: (lease: Lease) => Promise<unknown>) =>
    (await Promise.allSettled(all.map(work))).map((done) =>
      done.status === 'fulfilled' ? done.value : done.reason.code,
    );
  const looked = await outcomes(async (lease) => {
    const { messages, isWatched } = await store.look(lease);
    return `${messages.map(({ id }) => id)} ${isWatched}`;
  });
  const refusals = ['session-unknown', 'session-lost'];
  const expected = ['m false', ' false', ' false', 'session-lost', ' true', ...refusals];
  assert.deepEqual(looked, expected);
  const renewed = await outcomes((lease) => store.renew(lease));
  const none = undefined;
  assert.deepEqual(renewed, [none, none, none, 'session-lost', none, ...refusals]);
  const held = await outcomes(async ({ session }) => (await store.holder(session))?.instance);
  const owners = leases.map(({ owner }) => owner.instance);
  assert.deepEqual(held, [...owners.with(3, none as never), 'session-unknown', owners[0]]);
});

test('a changed message is an error for the holder of its session alone', async (context) => {
  await using store = await sqliteStore({ folder: await newFolder(context) });
  const leases: Lease[] = [];
  for (const id of ['a', 'b']) {
    await store.create({ id, createdAt: 1 });
    leases.push(await store.acquire(id, newOwner()));
    await store.post(id, { id: `of ${id}`, kind: 'cancel', body: {} });
  }
  const other = new DatabaseSync(store.name);
  other.exec(`UPDATE inbox SET json = '{"a":1}' WHERE id = 'of a'`);
  other.close();
  const [a, b] = await Promise.allSettled(leases.map((lease) => store.look(lease)));
  assert.equal(a?.status === 'rejected' && a.reason.code, 'session-damaged');
  assert.equal(b?.status === 'fulfilled' && b.value.messages.length, 1);
});
