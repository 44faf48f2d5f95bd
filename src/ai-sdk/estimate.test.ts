import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { estimateTokens, type StrategyName } from '../tools/index.ts';
import { compare, record, STORIES } from './estimate.test-support.ts';

const STRATEGIES: readonly StrategyName[] = [
  'eager',
  'lazy',
  'inject',
  'dispatch',
  'bridge',
  'native',
];

suite('the estimate for the recorded turns and loads, compared with the recorded bodies', () => {
  for (const story of STORIES) {
    test(`promise 43: is within 5 % of the tokens sent: ${story.name}`, async () => {
      const eager = await record(story, 'eager', estimateTokens);
      for (const strategy of STRATEGIES) {
        const { error, estimate, requests } = await compare(story, strategy, eager, estimateTokens);
        assert.equal(estimate.requests, requests, strategy);
        assert.ok(Math.abs(error) <= 0.05, `${strategy}: ${(100 * error).toFixed(2)} %`);
      }
    });
  }
});
