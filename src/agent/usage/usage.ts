import { own } from '../../tools/values/index.ts';

/** Tokens of one answer, as the provider counts them. */
export interface TokenUsage {
  /** All prompt tokens, those read from a cache included. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Reads a usage object: the provider's in the present or an earlier version, or the SDK's. */
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
