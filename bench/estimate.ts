/**
 * How far the estimate of a task is from what was recorded of it: the same turns and loads, on the
 * Anthropic wire format, counted over the recorded bodies with the same counter (o200k_base).
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { StrategyName } from 'toolfold';
import { compare, record, STORIES } from '../src/ai-sdk/estimate.test-support.ts';

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

for (const story of STORIES) {
  console.log(story.name);
  console.log(
    `  ${'strategy'.padEnd(10)}${pad('requests', 9)}${pad('sent', 11)}${pad('estimated', 11)}${pad('error', 9)}${pad('cost', 10)}`,
  );
  const eager = await record(story, 'eager', countTokens);
  for (const strategy of STRATEGIES) {
    const { sent, estimate, requests, error } = await compare(story, strategy, eager, countTokens);
    console.log(
      `  ${strategy.padEnd(10)}${pad(requests, 9)}${pad(figure(sent), 11)}${pad(figure(estimate.sent), 11)}${pad(`${(100 * error).toFixed(2)} %`, 9)}${pad(figure(estimate.cost), 10)}`,
    );
  }
  console.log();
}
console.log('Cost is in input tokens at base price, by the default prices of the cache.');
