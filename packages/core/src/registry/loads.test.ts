import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import type { DeferredToolGroup } from '../tool/group.ts';
import type { Tool } from '../tool/tool.ts';
import { Loads } from './loads.ts';

function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}

function loads(): Loads & { readonly seen: string[] } {
  const seen: string[] = [];
  return Object.assign(new Loads((group) => seen.push(group.groupId)), { seen });
}

suite('loads', () => {
  test('promise 25: parallel calls share one load, later ones need none', async () => {
    const { promise, open } = gate();
    const group = fakeGroup({ groupId: 'mcp:a', gate: promise });
    const made = loads();
    const waiting = [made.load(group), made.load(group), made.load(group)];
    open();
    const [first, ...others] = await Promise.all(waiting);
    assert.ok(first && others.every((tools) => tools === first));
    assert.equal(await made.load(group), first);
    assert.equal(made.peek(group), first);
    assert.equal(group.loads, 1);
    assert.deepEqual(made.seen, ['mcp:a']);
  });

  test('promise 25: a failure reaches all who wait and is not kept', async () => {
    const group = fakeGroup({ groupId: 'mcp:a', failures: 1 });
    const made = loads();
    const settled = await Promise.allSettled([made.load(group), made.load(group)]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(made.peek(group), undefined);
    assert.ok(await made.load(group));
    assert.equal(group.loads, 2);
  });

  test('a loader that throws at once, or returns no promise, is like one that rejects or resolves', async () => {
    const made = loads();
    const throws = () => {
      throw new Error('at once');
    };
    const group = { groupId: 'mcp:a', loader: throws } as DeferredToolGroup;
    await assert.rejects(made.load(group), /at once/);
    const plain = { groupId: 'mcp:b', loader: () => [] as Tool[] } as unknown as DeferredToolGroup;
    assert.deepEqual(await made.load(plain), []);
  });

  test('what the result breaks on fails the load, which is tried again', async () => {
    const group = fakeGroup({ groupId: 'mcp:a' });
    let broken = true;
    const made = new Loads(() => {
      if (broken) throw new Error('not a list');
    });
    await assert.rejects(made.load(group), /not a list/);
    assert.equal(made.peek(group), undefined);
    broken = false;
    assert.ok(await made.load(group));
  });

  test('promise 40: one waiter gives up, the others and the loader go on', async () => {
    const { promise, open } = gate();
    const group = fakeGroup({ groupId: 'mcp:a', gate: promise });
    const made = loads();
    const controller = new AbortController();
    const impatient = made.load(group, controller.signal);
    const patient = made.load(group);
    controller.abort(new Error('enough'));
    await assert.rejects(impatient, /enough/);
    open();
    assert.ok(await patient);
    assert.equal(group.aborted, 0);
  });

  test('promise 40: when the last waiter gives up the loader is told, and the next one starts anew', async () => {
    const { promise, open } = gate();
    const group = fakeGroup({ groupId: 'mcp:a', gate: promise });
    const made = loads();
    const controllers = [new AbortController(), new AbortController()];
    const waiting = controllers.map(({ signal }) => made.load(group, signal));
    for (const controller of controllers) controller.abort();
    const settled = await Promise.allSettled(waiting);
    assert.ok(settled.every(({ status }) => status === 'rejected'));
    const again = made.load(group);
    open();
    assert.ok(await again);
    assert.equal(group.aborted, 1);
    assert.equal(group.loads, 2);
    await assert.rejects(made.load(group, AbortSignal.abort(new Error('before'))), /before/);
  });

  test('the signal of a load that went well never fires: a connection may hang on it', async () => {
    let signal: AbortSignal | undefined;
    const group: DeferredToolGroup = {
      groupId: 'mcp:a',
      loader: async (options) => {
        signal = options.signal;
        return [];
      },
    };
    await loads().load(group);
    assert.equal(signal?.aborted, false);
  });

  test('a group forgotten in flight leaves nothing behind, and its waiters are told to ask again', async () => {
    const { promise, open } = gate();
    const group = fakeGroup({ groupId: 'mcp:a', gate: promise });
    const made = loads();
    const waiting = made.load(group);
    made.forget('mcp:a');
    assert.equal(await waiting, undefined);
    assert.equal(group.aborted, 1);
    open();
    assert.equal(made.peek(group), undefined);
    assert.deepEqual(made.seen, []);
    assert.ok(await made.load(group));
  });

  test('a new fingerprint is a new load; what another layer had loaded is taken over', async () => {
    const group = fakeGroup({ groupId: 'mcp:a', fingerprint: '1' });
    const made = loads();
    await made.load(group);
    assert.equal(made.peek({ ...group, fingerprint: '2' }), undefined);
    const other = loads();
    for (const [, tools] of made.cache()) other.restore(group, tools);
    await other.load(group);
    assert.equal(group.loads, 1);
  });
});
