import { own } from '../../tools/values/index.ts';

/** Tokens of one answer, as the provider counts them. */
export interface TokenUsage {
  /** All of the prompt, what came from a cache too. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Reads what a provider says, in this version's form or an earlier one's, or what the SDK made of it. */
export function readUsage(usage: unknown): TokenUsage {
  const [input, output] = [own(usage, 'inputTokens'), own(usage, 'outputTokens')];
  const details = own(usage, 'inputTokenDetails');
  return {
    input: count(own(input, 'total') ?? input),
    cacheRead: count(
      own(input, 'cacheRead') ?? own(details, 'cacheReadTokens') ?? own(usage, 'cachedInputTokens'),
    ),
    cacheWrite: count(own(input, 'cacheWrite') ?? own(details, 'cacheWriteTokens')),
    output: count(own(output, 'total') ?? output),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
}
