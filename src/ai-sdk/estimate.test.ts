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

suite('the estimate against the recorded bodies', () => {
  for (const story of STORIES) {
    test(`promise 43: within 5 % of the tokens sent, given the turns and loads that happened; within 10 % from their number and size: ${story.name}`, async () => {
      const eager = await record(story, 'eager', estimateTokens);
      for (const strategy of STRATEGIES) {
        const compared = await compare(story, strategy, eager, estimateTokens);
        const { account, accountError, estimate, estimateError, requests } = compared;
        assert.equal(account.requests, requests, strategy);
        assert.equal(estimate.requests, requests, strategy);
        const said = `${strategy}: ${percent(accountError)}, ${percent(estimateError)}`;
        assert.ok(Math.abs(accountError) <= 0.05, said);
        assert.ok(Math.abs(estimateError) <= 0.1, said);
      }
    });
  }
});

function percent(error: number): string {
  return `${(100 * error).toFixed(2)} %`;
}
