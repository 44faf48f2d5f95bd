import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { fakeGroup } from '../testing/fake-group.ts';
import { fakeTools } from '../testing/fake-tools.ts';
import { simpleTools } from './conversation.test-support.ts';
import { DEFAULT_PRICES, DEFAULT_WORKLOAD, estimateCost } from './cost.ts';
import { createToolLayer, type ToolLayerOptions } from './layer.ts';

function decide(options: ToolLayerOptions, contextWindow?: number) {
  const session = createToolLayer(options).session(
    contextWindow === undefined ? {} : { contextWindow },
  );
  return session.explain();
}

suite('auto', () => {
  test('promise 34: never costs more than eager on its own estimate, and says what it compared', () => {
    const sizes = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 60 }),
        schemaTokens: fc.option(fc.nat({ max: 60_000 }), { nil: undefined }),
        listed: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    const workload = fc.record({
      turns: fc.integer({ min: 1, max: 20 }),
      loads: fc.nat({ max: 10 }),
      perTurn: fc.nat({ max: 2_000 }),
    });
    const prices = fc.record({
      write: fc.constantFrom(1, 1.25, 2),
      read: fc.constantFrom(0, 0.1, 0.5, 1),
    });
    const window = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });
    let deferred = 0;
    fc.assert(
      fc.property(sizes, workload, prices, window, (groups, workload, prices, contextWindow) => {
        const made = groups.map(({ count, schemaTokens, listed }, i) => ({
          ...fakeGroup({ groupId: `mcp:${i}`, count, names: listed }),
          ...(schemaTokens === undefined ? {} : { schemaTokens }),
        }));
        const { strategy, reason, tools } = decide(
          { groups: made, auto: { workload, prices } },
          contextWindow,
        );
        assert.ok(reason.length > 0);
        const compared = /estimated (\d+) against (\d+)/.exec(reason);
        if (strategy === 'eager') return;
        deferred++;
        assert.ok(compared && Number(compared[1]) < Number(compared[2]), reason);
        const told = made.every(({ schemaTokens }) => schemaTokens !== undefined);
        if (!told || tools.length === 0) return;
        const schemas = groups.reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
        const eager = estimateCost(
          { fixed: schemas, perLoad: 0, keepsPrefix: true },
          workload,
          prices,
        );
        assert.ok(Math.abs(eager - Number(compared[2])) <= 1 + eager / 1_000);
      }),
      { numRuns: 200 },
    );
    assert.ok(deferred > 20);
  });

  test('promise 34: few schemas are not worth deferring, many are, and why is said', () => {
    assert.match(
      decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 5 })] }).reason,
      /only about 1650 tokens/,
    );
    const many = decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 60 })] });
    assert.equal(many.strategy, 'dispatch');
    assert.match(many.reason, /deferral is cheaper/);
    const free = {
      auto: { prices: { write: 1, read: 0 }, workload: { turns: 1, loads: 9, perTurn: 5_000 } },
    };
    assert.equal(
      decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 30 })], ...free }).strategy,
      'eager',
    );
  });

  test('a group that lists nothing counts by what it tells, or as a typical one; hidden ones not at all', () => {
    const unlisted = (schemaTokens?: number) => ({
      ...fakeGroup({ groupId: 'mcp:a', names: false }),
      ...(schemaTokens === undefined ? {} : { schemaTokens }),
    });
    assert.equal(decide({ groups: [unlisted(90_000)] }).strategy, 'dispatch');
    assert.equal(decide({ groups: [unlisted(100)] }).strategy, 'eager');
    const some = Array.from({ length: 5 }, (_, i) => ({ ...unlisted(), groupId: `mcp:${i}` }));
    assert.equal(decide({ groups: some }).strategy, 'dispatch');
    assert.match(
      decide({ groups: some, exposure: { 'mcp:*': 'hidden' } }).reason,
      /nothing to defer/,
    );
  });

  test('promise 34: once chosen it stays for the epoch, whatever loads', async () => {
    const layer = createToolLayer({
      tools: simpleTools('own'),
      groups: [fakeGroup({ groupId: 'mcp:a', tools: fakeTools(100) })],
    });
    const session = layer.session();
    const before = session.present([]);
    await layer.measure();
    assert.deepEqual(session.present([]), before);
    assert.equal(layer.session().explain().strategy, 'dispatch');
    const measured = await layer.measure();
    assert.equal(measured.auto.strategy, 'dispatch');
    assert.ok(measured.strategies.dispatch.total < measured.strategies.eager.total);
  });
});

suite('estimated cost', () => {
  test('is what a request-by-request account with a working cache comes to', () => {
    const prices = { write: 1.25, read: 0.1 };
    const twoTurns = { turns: 2, loads: 0, perTurn: 100 };
    const size = { fixed: 1_000, perLoad: 0, keepsPrefix: true };
    assert.equal(
      estimateCost(size, twoTurns, prices),
      Math.round(1_100 * 1.25 + 1_100 * 0.1 + 100 * 1.25),
    );
    const oneLoad = { turns: 1, loads: 1, perTurn: 100 };
    const kept = estimateCost({ ...size, perLoad: 50 }, oneLoad, prices);
    const lost = estimateCost({ ...size, perLoad: 50, keepsPrefix: false }, oneLoad, prices);
    assert.equal(kept, Math.round(1_100 * 1.25 + 1_100 * 0.1 + 150 * 1.25));
    assert.equal(lost, Math.round(1_100 * 1.25 + 1_250 * 1.25));
    assert.ok(estimateCost(size, DEFAULT_WORKLOAD, DEFAULT_PRICES) > 0);
  });

  test('a group known to be empty counts nothing; one of unknown names is taken for a typical one', () => {
    const groups = (names: boolean) =>
      Array.from({ length: 20 }, (_, i) =>
        fakeGroup({ groupId: `mcp:${i}`, tools: [], names, schemaTokens: 900 }),
      );
    assert.match(decide({ groups: groups(true) }).reason, /only about 0 tokens/);
    assert.match(decide({ groups: groups(false) }).reason, /estimated/);
  });
});
