import assert from 'node:assert/strict';
import type { StrategyName } from '@toolfold/core/internal/tool/strategies.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { compare, record, type Story } from './estimate.test-support.ts';

const STRATEGIES: readonly StrategyName[] = [
  'eager',
  'lazy',
  'inject',
  'dispatch',
  'bridge',
  'native',
];

/** Compares the estimate of a story under each strategy with what was sent. */
export async function checkEstimate(story: Story): Promise<void> {
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
}

function percent(error: number): string {
  return `${(100 * error).toFixed(2)} %`;
}
