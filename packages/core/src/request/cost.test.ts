import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type CachePrices, DEFAULT_PRICES, estimateCost, type Growth } from './cost.ts';

const prices: CachePrices = { write: 1.25, read: 0.1 };
const adds = (messages: number, tools = 0): Growth => ({ messages, tools });

suite('estimated cost', () => {
  test('each request reads the tokens of the previous one and writes the rest', () => {
    assert.deepEqual(estimateCost(1_000, [adds(100), adds(100)], prices), {
      requests: 2,
      sent: 1_100 + 1_200,
      read: 1_100,
      written: 1_100 + 100,
      cost: 1_200 * 1.25 + 1_100 * 0.1,
    });
  });

  test('a declared schema loses the prefix in that request, not in the next', () => {
    const kept = estimateCost(1_000, [adds(100), adds(150), adds(100)], prices);
    const lost = estimateCost(1_000, [adds(100), adds(100, 50), adds(100)], prices);
    assert.equal(kept.sent, lost.sent);
    assert.deepEqual([kept.read, lost.read], [1_100 + 1_250, 1_250]);
    assert.equal(kept.written + kept.read, kept.sent);
    assert.ok(lost.cost > kept.cost);
  });

  test('a prompt below the minimum is not cached and costs the base price', () => {
    const growth = [adds(100), adds(100), adds(100), adds(100)];
    const { read, written, sent, cost } = estimateCost(0, growth, { ...prices, minPrefix: 300 });
    assert.deepEqual([sent, read, written], [1_000, 300, 300 + 100]);
    assert.equal(cost, 300 + 400 * 1.25 + 300 * 0.1);
  });

  test('with a cache that costs and saves nothing, the cost is the number of tokens sent', () => {
    const growth = fc.array(fc.record({ messages: fc.nat(5_000), tools: fc.nat(500) }));
    fc.assert(
      fc.property(fc.nat(50_000), growth, (fixed, growth) => {
        const { cost, sent, read, written } = estimateCost(fixed, growth, { write: 1, read: 1 });
        assert.equal(cost, sent);
        assert.equal(read + written, sent);
      }),
    );
  });

  test('a task without requests sends nothing', () => {
    const { requests, cost } = estimateCost(1_000, [], DEFAULT_PRICES);
    assert.deepEqual([requests, cost], [0, 0]);
  });
});
