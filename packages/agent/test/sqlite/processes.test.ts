import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { SessionWriter, textsOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import { type SqliteStore, sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';
import { StoreProcess } from './store-process.test-support.ts';

async function started(
  context: TestContext,
  folder: string,
  count: number,
): Promise<readonly StoreProcess[]> {
  const processes = await Promise.all(
    Array.from({ length: count }, () => StoreProcess.start(folder)),
  );
  context.after(() => Promise.all(processes.map((each) => each.kill())));
  for (const { failure } of processes) assert.equal(failure, undefined);
  return processes;
}

async function opened(context: TestContext, folder: string): Promise<SqliteStore> {
  const store = await sqliteStore({ folder });
  context.after(() => store.close());
  return store;
}

const entry = (seq: number, parent: string | null, id: string) => {
  return { id, parent, seq, kind: 'user', body: { text: id }, words: id, at: seq };
};

describe('several processes with one file', () => {
  test('open a new file at the same time, ten of them, and write their own sessions at the same time', async (context) => {
    const folder = await newFolder(context);
    const processes = await started(context, folder, 10);
    const written = processes.map(async (each, number) => {
      const id = `session-${number}`;
      await each.call('create', { id, createdAt: 1 });
      const lease = await each.acquire(id);
      let parent: string | null = null;
      for (let seq = 1; seq <= 50; seq++) {
        const next = entry(seq, parent, `${id}-${seq}`);
        await each.call('append', [next], { lease });
        parent = next.id;
      }
      await each.call('release', lease);
    });
    await Promise.all(written);
    const store = await opened(context, folder);
    assert.equal((await store.list()).length, 10);
    for (const { id } of await store.list()) {
      const expected = Array.from({ length: 50 }, (_, n) => `${id}-${n + 1}`);
      assert.deepEqual(await textsOf(store, id), expected);
    }
    assert.equal((await store.search('session', { limit: 1000 })).length, 500);
  });

  test('one of those that want a lease gets it, and the others are told which process it is', async (context) => {
    const folder = await newFolder(context);
    const store = await opened(context, folder);
    await store.create({ id: 'one', createdAt: 1 });
    const processes = await started(context, folder, 4);
    const results = await Promise.allSettled(processes.map((each) => each.acquire('one')));
    const [lease, ...others] = results.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value] : [],
    );
    assert.ok(lease);
    assert.deepEqual(others, []);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      assert.equal(result.reason.code, 'session-busy');
      assert.match(result.reason.message, new RegExp(` ${lease.owner.pid} on ${lease.owner.host}`));
    }
    await assert.rejects(store.remove('one'), { code: 'session-busy' });
  });

  test('a lease goes from one process to the next, and the first one can not append any more', async (context) => {
    const folder = await newFolder(context);
    const store = await opened(context, folder);
    const writer = await SessionWriter.of(store, { id: 'one' });
    const last = await writer.say('a');
    const [other] = await started(context, folder, 1);
    assert.ok(other);
    await assert.rejects(other.acquire('one'), { code: 'session-busy' });
    await store.release(writer.lease);
    const lease = await other.acquire('one');
    await assert.rejects(writer.say('b'), { code: 'session-lost' });
    await assert.rejects(store.renew(writer.lease), { code: 'session-lost' });
    await other.call('append', [entry(2, last.id, 'c')], { lease });
    assert.deepEqual(await textsOf(store, 'one'), ['a', 'c']);
  });

  test('the lease of a killed process is free at once, and all it appended is there', async (context) => {
    const folder = await newFolder(context);
    const store = await opened(context, folder);
    await store.create({ id: 'one', createdAt: 1 });
    const [other] = await started(context, folder, 1);
    assert.ok(other);
    const lease = await other.acquire('one');
    await other.call('append', [entry(1, null, 'a')], { lease });
    await assert.rejects(store.acquire('one', newOwner()), { code: 'session-busy' });
    await other.kill();
    const writer = await SessionWriter.open(store, 'one');
    assert.equal(writer.lease.fence, lease.fence + 1);
    await writer.say('b');
    assert.deepEqual(await textsOf(store, 'one'), ['a', 'b']);
  });

  test('each message is taken by one entry, while others post and the holder changes', async (context) => {
    const folder = await newFolder(context);
    const store = await opened(context, folder);
    await store.create({ id: 'one', createdAt: 1 });
    const [holder, ...posters] = await started(context, folder, 3);
    assert.ok(holder);
    const lease = await holder.acquire('one');
    let isPosting = true;
    const posted = Promise.all(
      posters.map(async (each, number) => {
        for (let n = 0; n < 30; n++) {
          // Both post some messages with the same ids.
          const id = n < 10 ? `both-${n}` : `${number}-${n}`;
          await each.call('post', 'one', { id, kind: 'answer', body: {} });
        }
      }),
    ).finally(() => {
      isPosting = false;
    });
    const taken: string[] = [];
    while (isPosting) {
      const ids = (await holder.call('look', lease)).messages.map(({ id }) => id);
      const seq = taken.length === 0 ? 0 : Number((await store.get('one'))?.seq);
      if (ids.length > 0) {
        const next = entry(seq + 1, seq === 0 ? null : `${seq}`, `${seq + 1}`);
        await holder.call('append', [next], { lease, taken: ids });
      }
      taken.push(...ids);
    }
    await posted;
    await holder.call('release', lease);
    const next = await store.acquire('one', newOwner());
    taken.push(...(await store.look(next)).messages.map(({ id }) => id));
    await assert.rejects(holder.call('look', lease), { code: 'session-lost' });
    assert.equal(taken.length, 50);
    assert.equal(new Set(taken).size, 50);
  });
});
