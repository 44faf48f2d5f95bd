import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { fakeGroup } from './fake-group.ts';
import { fakeTools } from './fake-tools.ts';

const signal = new AbortController().signal;

describe('a fake group', () => {
  it('lists the names of its tools, none, or others', async () => {
    const listed = fakeGroup({ groupId: 'mcp:a', count: 2 });
    assert.deepEqual(listed.toolNames, ['list_issue', 'get_issue']);
    const tools = await listed.loader({ signal });
    assert.deepEqual(
      tools.map(({ name }) => name),
      listed.toolNames,
    );
    assert.equal(Object.hasOwn(fakeGroup({ groupId: 'mcp:a', names: false }), 'toolNames'), false);
    assert.deepEqual(fakeGroup({ groupId: 'mcp:a', names: ['x'] }).toolNames, ['x']);
  });

  it('serves the tools it is given and keeps the other fields of a group', async () => {
    const tools = fakeTools(1);
    const group = fakeGroup({ groupId: 'mcp:a', tools, displayName: 'A', trusted: true });
    assert.equal(await group.loader({ signal }), tools);
    assert.equal(group.displayName, 'A');
    assert.equal(group.trusted, true);
    assert.equal(Object.hasOwn(group, 'tools'), false);
  });

  it('fails the given number of times, and counts', async () => {
    const group = fakeGroup({ groupId: 'mcp:a', failures: 2, error: new Error('not yet') });
    await assert.rejects(group.loader({ signal }), /not yet/);
    await assert.rejects(group.loader({ signal }), /not yet/);
    assert.equal((await group.loader({ signal })).length, 3);
    assert.equal(group.loads, 3);
    assert.equal(group.aborted, 0);
  });

  it('waits for its gate', async () => {
    const gate = new EventEmitter();
    const group = fakeGroup({ groupId: 'mcp:a', gate: once(gate, 'open') });
    const load = group.loader({ signal }).then(() => 'loaded');
    const waiting = new Promise((resolve) => setImmediate(resolve, 'waiting'));
    assert.equal(await Promise.race([load, waiting]), 'waiting');
    gate.emit('open');
    assert.equal(await load, 'loaded');
  });

  it('rejects at once when its signal aborts, before or during a load', async () => {
    const group = fakeGroup({ groupId: 'mcp:a', gate: new Promise(() => {}) });
    const controller = new AbortController();
    const load = group.loader({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(load, /enough/);
    await assert.rejects(group.loader({ signal: controller.signal }), /enough/);
    assert.equal(group.loads, 2);
    assert.equal(group.aborted, 2);
  });
});
