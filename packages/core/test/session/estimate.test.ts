import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { estimate, measure } from '../../src/estimate.ts';
import type { Workload } from '../../src/request/cost.ts';
import { createToolLayer } from '../../src/session/layer.ts';
import type { ToolLayerOptions } from '../../src/session/options.ts';
import { strategies } from '../../src/tool/strategies.ts';
import { estimateTokens } from '../../src/tool/tokens.ts';
import { formatNumber } from '../../src/values/text.ts';
import { inlineTools, simpleTools } from '../conversation.test-support.ts';
import { replay } from './replay.test-support.ts';

const groups = () => [
  fakeGroup({ groupId: 'mcp:a', count: 30, seed: 1 }),
  fakeGroup({ groupId: 'mcp:b', count: 30, seed: 2 }),
];
const layer = (options: ToolLayerOptions = {}) => createToolLayer({ groups: groups(), ...options });

suite('estimate', () => {
  test('estimated loads of average size equal real loads', async () => {
    // All tools are equal, so each has the average size.
    const tools = simpleTools(...Array.from({ length: 60 }, (_, n) => `tool_number_${10 + n}`));
    const alike = layer({ groups: [fakeGroup({ groupId: 'mcp:a', tools })] });
    const named = (n: number) => `a__tool_number_${n}`;
    const calls = [named(10)];
    const requests = [
      { adds: 200, loads: [{ tools: [10, 11, 12].map(named) }] },
      { adds: 200, calls },
      { adds: 200, calls, loads: [{ tools: [20, 21, 22].map(named) }] },
      { adds: 200, calls },
    ];
    const workload: Workload = { turns: 4, loads: 2, perTurn: 200, toolsPerLoad: 3 };
    const real = await replay(alike, { requests });
    const typical = await estimate(alike, workload);
    for (const name of Object.keys(strategies) as (keyof typeof strategies)[]) {
      const [a, b] = [real[name], typical.strategies[name]];
      assert.equal(a.requests, b.requests, name);
      assert.ok(Math.abs(a.sent / b.sent - 1) < 0.01, `${name}: ${a.sent} and ${b.sent}`);
      assert.ok(Math.abs(a.cost / b.cost - 1) < 0.02, `${name}: ${a.cost} and ${b.cost}`);
    }
  });

  test('names the tools that the endpoint would refuse, and counts eager with all of them', async () => {
    const [first] = simpleTools('ask');
    const of = layer({
      groups: [fakeGroup({ groupId: 'mcp:a', tools: simpleTools('ask', 'b', 'c', 'd', 'e') })],
    });
    const accepts = {
      ...{ by: 'Somebody', most: 4 },
      brokenRule: ({ name }: { name: string }) =>
        name.endsWith(first?.name ?? '') ? 'it asks' : undefined,
    };
    const limited = await estimate(of, {}, { accepts });
    assert.deepEqual(limited.refused, [
      {
        name: 'a__ask',
        why: 'Somebody does not accept it among declared tools: it asks',
      },
    ]);
    assert.equal(limited.auto.strategy, 'dispatch');
    assert.match(limited.auto.reason, /^"a__ask" cannot be declared/);
    const free = await estimate(of);
    assert.deepEqual(free.refused, []);
    assert.equal(free.auto.strategy, 'eager');
    assert.deepEqual(limited.strategies.eager, free.strategies.eager);
  });

  test('declared tools need no load: none in eager, none for inline tools', async () => {
    const own = layer({ tools: inlineTools('ask') });
    const requests = [
      { adds: 50, loads: [{ tools: ['ask'] }] },
      { adds: 50, calls: ['ask'] },
    ];
    const costs = await replay(own, { requests });
    assert.equal(costs.eager.requests, 2);
    assert.equal(costs.dispatch.requests, 2);
    const deferred = await replay(layer({ tools: simpleTools('ask') }), { requests });
    assert.deepEqual([deferred.dispatch.requests, deferred.lazy.requests], [3, 3]);
  });

  test('a call through a dispatcher costs the tokens of its envelope', async () => {
    const named = 'a__list_issue';
    const replayed = (calls: readonly string[]) =>
      replay(layer(), { requests: [{ adds: 50, calls }] });
    const [with_, without] = [await replayed([named]), await replayed([])];
    const size = (name: string, input: object) =>
      estimateTokens(name) + estimateTokens(JSON.stringify(input));
    const envelope = { tool_name: named, arguments: {} };
    const around = size('deferred_tool_call', envelope) - size(named, {});
    assert.equal(with_.dispatch.sent - without.dispatch.sent, around);
    assert.ok(with_.bridge.sent > without.bridge.sent);
    for (const name of ['eager', 'lazy', 'inject', 'native'] as const)
      assert.equal(with_[name].sent, without[name].sent, name);
  });

  test('only strategies that declare loaded tools lose the prefix', async () => {
    const { strategies } = await estimate(layer(), { turns: 10, loads: 3 });
    const fresh = ({ sent, read }: { sent: number; read: number }) => sent - read;
    for (const name of ['dispatch', 'bridge', 'native'] as const)
      assert.ok(fresh(strategies[name]) * 2 < fresh(strategies.inject), name);
    assert.ok(fresh(strategies.lazy) > fresh(strategies.dispatch));
    assert.equal(strategies.dispatch.requests, 13);
    assert.equal(strategies.eager.requests, 10);
  });

  test('loads call no callbacks, and a host may abort them', async () => {
    const told: string[] = [];
    const heard = layer({
      onToolsExpanded: (groupId) => told.push(groupId),
      onCall: ({ name }) => told.push(name),
    });
    await estimate(heard, { turns: 1, loads: 1 });
    assert.deepEqual(told, []);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(estimate(layer(), {}, { signal }), /enough/);
  });

  test('prices are those of the options, otherwise those of the layer', async () => {
    const prices = { write: 1, read: 1 };
    const asked = await estimate(layer(), {}, { prices });
    const set = await estimate(layer({ auto: { prices } }));
    assert.deepEqual(asked, set);
    assert.equal(asked.strategies.eager.cost, asked.strategies.eager.sent);
  });

  test('without a known price the cost is the processed tokens, and auto compares them', async () => {
    const { strategies, auto } = await estimate(layer(), {}, { prices: 'unknown' });
    for (const { cost, sent, read } of Object.values(strategies)) assert.equal(cost, sent - read);
    const { dispatch, eager } = strategies;
    assert.ok(
      auto.reason.includes(
        `estimated ${formatNumber(dispatch.cost)} tokens, and ${formatNumber(eager.cost)} with every schema`,
      ),
    );
    assert.match(auto.reason, /no cache price is known, so each token counts once/);
  });

  test('a role is estimated for the tools that it sees', async () => {
    const roles = { reader: { groups: ['mcp:a'] } };
    const all = await estimate(layer({ roles }));
    const some = await estimate(layer({ roles }), {}, { role: 'reader' });
    assert.ok(some.strategies.eager.sent < all.strategies.eager.sent * 0.6);
  });

  test('the choice of the estimate equals that of auto and of measure', async () => {
    const one = layer();
    const { auto, strategies } = await estimate(one);
    assert.deepEqual((await measure(one)).auto, auto);
    assert.match(
      auto.reason,
      new RegExp(
        `estimated ${formatNumber(strategies.dispatch.cost)} uncached tokens, and ${formatNumber(strategies.eager.cost)} with every schema`,
      ),
    );
    const few = await estimate(
      layer({ groups: [fakeGroup({ groupId: 'mcp:a', tools: fakeTools(3) })] }),
    );
    assert.match(few.auto.reason, /only [\d,]+ tokens together, and/);
  });

  test('no loader works, or there are no tools: eager, and no error', async () => {
    const down = layer({
      groups: [fakeGroup({ groupId: 'mcp:a', failures: Number.POSITIVE_INFINITY })],
    });
    assert.equal((await estimate(down)).auto.strategy, 'eager');
    const { strategies } = await estimate(layer({ groups: [] }), {
      turns: 1,
      loads: 4,
      perTurn: 7,
    });
    assert.deepEqual(strategies.dispatch, { requests: 1, sent: 7, read: 0, written: 7, cost: 9 });
  });

  test('invalid sizes, and a value that is not a layer, are errors', async () => {
    const code = 'invalid-option';
    for (const workload of [
      { turns: 0 },
      { turns: 1.5 },
      { loads: -1 },
      { toolsPerLoad: 0 },
      { perTurn: Number.NaN },
      { turns: 1e9 },
    ]) {
      await assert.rejects(estimate(layer(), workload), { code });
    }
    for (const other of [{ ...layer() }, {}]) {
      await assert.rejects(estimate(other as never), { code, message: /not a tool layer/ });
      await assert.rejects(measure(other as never), { code, message: /not a tool layer/ });
    }
  });
});
