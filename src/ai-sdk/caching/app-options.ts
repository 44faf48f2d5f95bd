import { isRecord, ownProperty } from '../../tools/values/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';

/**
 * The options of all providers about their caches: `cacheControl`, `cache_control`, `cachePoint`, `promptCacheKey`,
 * `promptCacheBreakpoint`, `promptCacheOptions`, `caching`, `cachedContent`.
 */
const CACHE_OPTION = /^(cache_?control|cache_?point|prompt_?cache_?\w*|caching|cached_?content)$/i;

/** Whether the app has set an option of any provider about caches: for the call, a tool, a message or a part. */
export function setsCacheOption({
  providerOptions,
  tools = [],
  prompt = [],
}: Partial<Pick<LanguageModelV4CallOptions, 'providerOptions' | 'prompt'>> & {
  readonly tools?: readonly object[];
}): boolean {
  return (
    hasCacheOption(providerOptions) ||
    tools.some((tool) => hasCacheOption(ownProperty(tool, 'providerOptions'))) ||
    prompt.some(
      ({ providerOptions: options, content }) =>
        hasCacheOption(options) || (typeof content !== 'string' && content.some(isMarked)),
    )
  );
}

/** Whether a part, its output or a part of its output has such an option. */
function isMarked(part: object): boolean {
  if (hasCacheOption(ownProperty(part, 'providerOptions'))) return true;
  const output = ownProperty(part, 'output');
  if (output === undefined) return false;
  if (hasCacheOption(ownProperty(output, 'providerOptions'))) return true;
  const value = ownProperty(output, 'type') === 'content' ? ownProperty(output, 'value') : [];
  return (
    Array.isArray(value) && value.some((one) => hasCacheOption(ownProperty(one, 'providerOptions')))
  );
}

function hasCacheOption(options: unknown): boolean {
  return (
    isRecord(options) &&
    Object.values(options).some(
      (of) => isRecord(of) && Object.keys(of).some((key) => CACHE_OPTION.test(key)),
    )
  );
}
