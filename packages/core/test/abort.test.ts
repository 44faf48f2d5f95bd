import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FakeGroup, fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { measure } from '../src/estimate.ts';
import { resumeState } from '../src/request/state.ts';
import { createToolLayer, type ToolLayer } from '../src/session/layer.ts';
import { simpleTools } from './conversation.test-support.ts';

const never = new Promise<never>(() => {});
const stuck = () =>
  fakeGroup({ groupId: 'mcp:a', tools: simpleTools('one'), gate: never, names: false });
const expanded = { strategy: 'dispatch', fingerprint: '', expandedGroups: { 'mcp:a': null } };

type Act = (layer: ToolLayer, group: FakeGroup, signal: AbortSignal) => Promise<unknown>;

function routed(name: string, input: unknown): Act {
  return (layer, _, signal) => layer.session().route({ id: '1', name, input }, { signal });
}

const paths: readonly (readonly [string, Act])[] = [
  ['a direct call', routed('a__one', {})],
  ['a dispatched call', routed('deferred_tool_call', { tool_name: 'a__one' })],
  ['a load', routed('load_tools', { group_id: 'mcp:a' })],
  ['a search that has to load', routed('tool_search', { query: 'one' })],
  ['a description', routed('tool_describe', { name: 'a__one' })],
  ['a request', routed('request_tool', { name: 'a__one' })],
  [
    'preparing eager',
    (layer, _, signal) => layer.session({ strategy: 'eager' }).prepare([], { signal }),
  ],
  ['measuring', (layer, _, signal) => measure(layer, { signal })],
  [
    'resuming a state',
    (_, group, signal) => resumeState([group], expanded, { strategy: 'dispatch', signal }),
  ],
];

/** Waits for what is only promises, and code that loads, away; nothing here waits for time to pass. */
async function until(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !happened(); turn++) await setImmediate();
  assert.ok(happened());
}

suite('promise 40: abort', () => {
  for (const [what, act] of paths) {
    test(`promise 40: ${what} ends with the reason of its signal and stops the loader`, async () => {
      const group = stuck();
      const layer = createToolLayer({ groups: [group], strategy: 'dispatch', onWarning: () => {} });
      const controller = new AbortController();
      const acting = act(layer, group, controller.signal);
      await until(() => group.loads > 0);
      controller.abort(new Error('the user left'));
      await assert.rejects(acting, /the user left/);
      await until(() => group.aborted > 0);
      assert.equal(group.loads, 1);
      await assert.rejects(act(layer, group, controller.signal), /the user left/);
      assert.equal(group.loads, 1);
    });
  }

  test('promise 40: one caller leaving does not take the load from another', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = fakeGroup({ groupId: 'mcp:a', tools: simpleTools('one'), gate: promise });
    const session = createToolLayer({ groups: [group], strategy: 'dispatch' }).session();
    session.present([]);
    const controller = new AbortController();
    const call = { name: 'a__one', input: { issue_id: '1' } };
    const leaving = session.route({ id: '1', ...call }, { signal: controller.signal });
    const staying = session.route({ id: '2', ...call });
    await until(() => group.loads > 0);
    controller.abort();
    await assert.rejects(leaving);
    resolve();
    assert.equal((await staying).kind, 'run');
    assert.deepEqual([group.loads, group.aborted], [1, 0]);
  });

  test('a state resumes as preloaded tools, what is left, and a cache; one bad loader sinks nothing', async () => {
    const groups = [
      fakeGroup({ groupId: 'mcp:a', tools: simpleTools('one', 'odd name') }),
      fakeGroup({ groupId: 'mcp:b', tools: simpleTools('two') }),
      fakeGroup({ groupId: 'mcp:bad', failures: 1 }),
      fakeGroup({ groupId: 'mcp:new' }),
    ];
    const layer = createToolLayer({ groups, strategy: 'inject' });
    const session = layer.session();
    const { schemas: _, ...named } = {
      schemas: 0,
      ...(await session.route({
        id: '1',
        name: 'load_tools',
        input: { group_id: 'mcp:a', tool_names: ['odd name'] },
      })),
    };
    const shown = named.kind === 'answer' ? (named.result.tool_names as string[]) : [];
    const state = {
      strategy: 'inject',
      fingerprint: '',
      expandedGroups: { 'mcp:a': shown, 'mcp:b': null, 'mcp:bad': null, 'mcp:gone': null },
    };
    const resumed = await resumeState(groups, state, { strategy: 'inject' });
    assert.deepEqual(
      [...resumed.preloadedTools].map(([id, tools]) => [id, tools.map(({ name }) => name)]),
      [
        ['mcp:a', ['odd name']],
        ['mcp:b', ['two']],
      ],
    );
    assert.deepEqual(
      resumed.remainingGroups.map(({ groupId }) => groupId),
      ['mcp:a', 'mcp:bad', 'mcp:new'],
    );
    assert.deepEqual([...resumed.failures.keys()], ['mcp:bad']);
    assert.deepEqual(Object.keys(resumed.state.expandedGroups), ['mcp:a', 'mcp:b', 'mcp:bad']);
    const all = await resumeState(
      groups,
      { ...state, strategy: 'dispatch' },
      { strategy: 'dispatch' },
    );
    assert.equal(all.remainingGroups.length, groups.length);
    await assert.rejects(resumeState(groups, state, { strategy: 'dispatch' }), /strategy/);
    const next = createToolLayer({
      groups,
      strategy: 'inject',
      loaderCache: resumed.loaderCache,
    }).session({ state: resumed.state });
    const loads = groups.map((group) => group.loads);
    assert.deepEqual(
      next
        .present([])
        .tools.slice(1)
        .map(({ name }) => name.slice(0, 8)),
      ['a__odd_n', 'b__two'],
    );
    assert.deepEqual(
      groups.map((group) => group.loads),
      loads,
    );
  });
});
