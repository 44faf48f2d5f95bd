import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, SessionWriter, textsOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { createSession, forkSession, openSession } from '../../src/sessions/session.ts';
import { memoryStore } from '../../src/sqlite/sqlite-store.ts';

test('a fork has the sessions of subagents as they were at its last entry, on every level', async () => {
  const store = memoryStore();
  const { now } = Date;
  try {
    Date.now = () => NOW;
    const parent = await SessionWriter.of(store, { id: 's', folder: '/work' });
    await parent.say('a', 'b', 'c');
    const child = await SessionWriter.of(store, { id: 's/call/x', parent: 's', title: 'call/x' });
    await child.say('1', '2', '3', '4');
    const inner = await SessionWriter.of(store, { id: 's/call/x/in', parent: 's/call/x' });
    await inner.say('i');
    await store.create({ id: 's/late', parent: 's', createdAt: NOW + 9 });
    const fork = await forkSession(await openSession(store, 's'), 3);
    assert.deepEqual(await textsOf(store, `${fork.id}/call/x`), ['1', '2', '3']);
    assert.deepEqual(await textsOf(store, `${fork.id}/call/x/in`), ['i']);
    assert.equal(await store.get(`${fork.id}/late`), undefined);
    const record = await store.get(`${fork.id}/call/x`);
    assert.deepEqual(
      [record?.parent, record?.forkOf, record?.title],
      [fork.id, 's/call/x', 'call/x'],
    );
    const opened = await fork.child('call/x');
    assert.equal(opened.entries.length, 3);
    // Both go on by themselves.
    await child.say('5');
    assert.equal((await store.read(opened.id)).length, 3);
    const whole = await forkSession(await openSession(store, 's'));
    assert.equal((await store.read(`${whole.id}/call/x`)).length, 5);
    assert.ok(await store.get(`${whole.id}/late`));
    const early = await forkSession(await openSession(store, 's'), 1);
    assert.deepEqual(await textsOf(store, `${early.id}/call/x`), ['1']);
    for (const writer of [parent, child, inner]) await store.release(writer.lease);
    assert.equal(await store.remove('s'), true);
    assert.deepEqual(await textsOf(store, `${fork.id}/call/x`), ['1', '2', '3']);
  } finally {
    Date.now = now;
  }
});

test('a fork has the session of a subagent that is not named after its parent', async () => {
  const store = memoryStore();
  const parent = await SessionWriter.of(store, { id: 'parent' });
  await parent.say('a');
  const child = await SessionWriter.of(store, { id: 'own', parent: 'parent' });
  await child.say('1');
  const fork = await forkSession(await openSession(store, 'parent'));
  const [copy, ...others] = await store.list({ parent: fork.id });
  assert.deepEqual(others, []);
  assert.deepEqual(await textsOf(store, copy?.id ?? ''), ['1']);
});

test('a clock that was set back puts no subagent before the entry that began it', async (context) => {
  const store = memoryStore();
  const onLost = (error: unknown) => assert.fail(String(error));
  let now = NOW;
  context.mock.method(Date, 'now', () => now);
  const session = await createSession(store);
  await session.begin({ onMessage: () => {}, onLost });
  await session.append([{ kind: 'user', body: {} }]);
  now += 2_000;
  await session.append([{ kind: 'children', body: {} }]);
  await session.end();
  now -= 5_000;
  const child = await session.child('call/x');
  const early = await forkSession(session, 1);
  assert.deepEqual(await store.list({ parent: early.id }), []);
  const whole = await forkSession(session);
  assert.equal((await store.list({ parent: whole.id })).length, 1);
  assert.equal(child.record.createdAt, NOW + 2_000);
});
