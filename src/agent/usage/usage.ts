import { ownProperty } from '../../tools/values/index.ts';

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
  const [input, output] = [ownProperty(usage, 'inputTokens'), ownProperty(usage, 'outputTokens')];
  const details = ownProperty(usage, 'inputTokenDetails');
  return {
    input: count(ownProperty(input, 'total') ?? input),
    cacheRead: count(
      ownProperty(input, 'cacheRead') ??
        ownProperty(details, 'cacheReadTokens') ??
        ownProperty(usage, 'cachedInputTokens'),
    ),
    cacheWrite: count(ownProperty(input, 'cacheWrite') ?? ownProperty(details, 'cacheWriteTokens')),
    output: count(ownProperty(output, 'total') ?? output),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
}
