import { amountIn, ownProperties, ownProperty } from '../../tools/values/index.ts';
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
    input: amountIn(total ?? input),
    cacheRead: amountIn(cacheRead ?? cacheReadTokens ?? cached),
    cacheWrite: amountIn(cacheWrite ?? cacheWriteTokens),
    output: amountIn(ownProperty(output, 'total') ?? output),
  };
}
