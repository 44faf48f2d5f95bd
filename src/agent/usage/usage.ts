import { isFiniteAmount, ownProperties, ownProperty } from '../../tools/values/index.ts';
import type { TokenUsage } from '../events/index.ts';

/** Reads a usage object: the provider's in the present or an earlier version, or the SDK's. */
export function readUsage(usage: unknown): TokenUsage {
  const {
    inputTokens: input,
    outputTokens: output,
    inputTokenDetails: details,
    cachedInputTokens: cached,
  } = ownProperties(usage);
  const { total, cacheRead, cacheWrite } = ownProperties(input);
  const { cacheReadTokens, cacheWriteTokens } = ownProperties(details);
  return {
    input: count(total ?? input),
    cacheRead: count(cacheRead ?? cacheReadTokens ?? cached),
    cacheWrite: count(cacheWrite ?? cacheWriteTokens),
    output: count(ownProperty(output, 'total') ?? output),
  };
}

function count(value: unknown): number {
  return isFiniteAmount(value) ? value : 0;
}
