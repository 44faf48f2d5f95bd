import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { FakeClock, SessionWriter } from '@toolfold/testing/internal/store-cases/writer.ts';
import { LEASE_TIME, newOwner, thisMoment } from '../../src/sessions/lease.ts';
import { SessionFile, storeIn } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';
import { StoreProcess } from './store-process.test-support.ts';

const skip = thisMoment().clock === undefined;

/** A process that holds the session `one`, and the store here. */
async function held(context: TestContext) {
  const folder = await newFolder(context);
  const file = new SessionFile(join(folder, 'sessions.db'), { onWarning: assert.fail });
  context.after(() => file.close());
  const store = storeIn(file, { grace: 50 });
  await store.create({ id: 'one', createdAt: 1 });
  const holder = await StoreProcess.start(folder);
  context.after(() => holder.kill());
  const lease = await holder.acquire('one');
  const clock = new FakeClock(Date.now());
  context.after(() => clock.restore());
  const change = (sql: string) => file.write((database) => database.run(sql));
  return { store, holder, lease, clock, change };
}

describe('a lease of another process', { skip }, () => {
  for (const hours of [7, -7])
    test(`stays while the process is alive, though the clock is set by ${hours} hours`, async (context) => {
      const { store, holder, lease, clock } = await held(context);
      clock.set(hours);
      // At once, without a second look.
      clock.pass(LEASE_TIME - 5_000);
      await assert.rejects(store.acquire('one', newOwner()), { code: 'session-busy' });
      assert.deepEqual(await store.holder('one'), lease.owner);
      await holder.call('renew', lease);
      await holder.call('release', lease);
      await store.acquire('one', newOwner());
    });

  test('is lost by a process that was stopped, whatever the clock says', async (context) => {
    const { store, holder, lease, clock } = await held(context);
    holder.child.kill('SIGSTOP');
    context.after(() => holder.child.kill('SIGCONT'));
    const stopped = () => / T /.test(readFileSync(`/proc/${holder.child.pid}/stat`, 'utf8'));
    while (!stopped()) await new Promise((resolve) => setImmediate(resolve));
    clock.set(-7);
    clock.pass(LEASE_TIME - 5_000);
    await assert.rejects(store.acquire('one', newOwner()), { code: 'session-busy' });
    clock.pass(5_000);
    const writer = await SessionWriter.open(store, 'one');
    await writer.say('a');
    holder.child.kill('SIGCONT');
    const late = { id: 'late', parent: null, seq: 1, kind: 'user', body: {}, at: 1 };
    await assert.rejects(holder.call('append', [late], { lease }), { code: 'session-lost' });
  });

  test('is free at once where the process ran in an earlier boot', async (context) => {
    const { store, change } = await held(context);
    change("UPDATE session SET owner = json_set(owner, '$.boot', 'an earlier one')");
    assert.equal(await store.holder('one'), undefined);
    await store.acquire('one', newOwner());
  });

  test('of a process in another container is not looked up here', async (context) => {
    const { store, lease, clock, change } = await held(context);
    const other = { pid: 2 ** 30, pidSpace: 'pid:[1]' };
    change(`UPDATE session SET owner = json_patch(owner, '${JSON.stringify(other)}')`);
    assert.deepEqual(await store.holder('one'), { ...lease.owner, ...other });
    await assert.rejects(store.acquire('one', newOwner()), { code: 'session-busy' });
    clock.pass(LEASE_TIME);
    assert.equal(await store.holder('one'), undefined);
  });

  test('without a moment goes by the time that was written', async (context) => {
    const { store, holder, lease, clock, change } = await held(context);
    change("UPDATE session SET owner = json_remove(owner, '$.renewed')");
    assert.deepEqual(await store.holder('one'), lease.owner);
    clock.set(7);
    assert.equal(await store.holder('one'), undefined);
    // It is not taken from a process that renews it meanwhile.
    const taken = store.acquire('one', newOwner());
    await new Promise((resolve) => setImmediate(resolve));
    change('UPDATE session SET renewed_at = renewed_at + 1');
    await assert.rejects(taken, { code: 'session-busy' });
    // A later time makes the moment of an earlier renewal void.
    await holder.call('renew', lease);
    assert.deepEqual(await store.holder('one'), lease.owner);
    change('UPDATE session SET renewed_at = renewed_at + 1');
    assert.equal(await store.holder('one'), undefined);
  });

  test('is lost only after a second look if the process could not renew it in time', async (context) => {
    const { store, holder, lease, clock } = await held(context);
    clock.pass(LEASE_TIME);
    const taken = store.acquire('one', newOwner());
    await new Promise((resolve) => setImmediate(resolve));
    const renewed = once(holder.child, 'message');
    await holder.call('renew', lease);
    await renewed;
    await assert.rejects(taken, { code: 'session-busy' });
  });
});
