/**
 * Measures the error of a task's estimate against its recording on the Anthropic wire format. Both
 * use the same counter (o200k_base).
 */
import type { StrategyName } from '@toolfold/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { compare, record, STORIES } from '../packages/ai-sdk/test/prefix/estimate.test-support.ts';

const STRATEGIES: readonly StrategyName[] = [
  'eager',
  'lazy',
  'inject',
  'dispatch',
  'bridge',
  'native',
];

const pad = (text: string | number, width: number) => String(text).padStart(width);
const figure = (value: number) => Math.round(value).toLocaleString('en-US');

const percent = (error: number) => `${(100 * error).toFixed(2)} %`;

for (const story of STORIES) {
  console.log(story.name);
  console.log(
    `  ${'strategy'.padEnd(10)}${pad('requests', 9)}${pad('sent', 11)}${pad('account', 11)}${pad('error', 9)}${pad('estimate', 11)}${pad('error', 9)}${pad('cost', 10)}`,
  );
  const eager = await record(story, 'eager', countTokens);
  for (const strategy of STRATEGIES) {
    const { sent, requests, ...comparison } = await compare(story, strategy, eager, countTokens);
    console.log(
      `  ${strategy.padEnd(10)}${pad(requests, 9)}${pad(figure(sent), 11)}${pad(figure(comparison.account.sent), 11)}${pad(percent(comparison.accountError), 9)}${pad(figure(comparison.estimate.sent), 11)}${pad(percent(comparison.estimateError), 9)}${pad(figure(comparison.account.cost), 10)}`,
    );
  }
  console.log();
}
console.log(
  'Account: of the turns and loads that happened. Estimate: from their number and average size.',
);
console.log(
  'Cost is that of the account, in input tokens at base price, by the default prices of the cache.',
);
