import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';

/**
 * The options of all providers about their caches: `cacheControl`, `cache_control`, `cachePoint`, `promptCacheKey`,
 * `promptCacheBreakpoint`, `promptCacheOptions`, `caching`, `cachedContent`.
 */
const CACHE_OPTION = /^(cache_?control|cache_?point|prompt_?cache_?\w*|caching|cached_?content)$/i;

/** Whether options under a key of `providerOptions` may concern the request. */
export type Concerns = (key: string) => boolean;

/** Whether the app has set an option about the cache of a provider: for the call, a tool, a message or a part. */
export function setsCacheOption(
  { providerOptions, tools = [], prompt = [] }: LanguageModelV4CallOptions,
  concerns: Concerns,
): boolean {
  return (
    hasCacheOption(providerOptions, concerns) ||
    tools.some((tool) => isMarkedTool(tool, concerns)) ||
    prompt.some(
      ({ providerOptions: options, content }) =>
        hasCacheOption(options, concerns) ||
        (typeof content !== 'string' && content.some((part) => isMarked(part, concerns))),
    )
  );
}

/** Whether a tool has such an option. */
export function isMarkedTool(tool: object, concerns: Concerns): boolean {
  return hasCacheOption(ownProperty(tool, 'providerOptions'), concerns);
}

/** Whether a part, its output or a part of its output has such an option. */
function isMarked(part: object, concerns: Concerns): boolean {
  const has = (value: unknown) => hasCacheOption(ownProperty(value, 'providerOptions'), concerns);
  const output = ownProperty(part, 'output');
  if (has(part) || has(output)) return true;
  const value = ownProperty(output, 'type') === 'content' ? ownProperty(output, 'value') : [];
  return Array.isArray(value) && value.some(has);
}

function hasCacheOption(options: unknown, concerns: Concerns): boolean {
  return (
    isRecord(options) &&
    Object.entries(options).some(
      ([provider, of]) =>
        isRecord(of) && concerns(provider) && Object.keys(of).some((key) => CACHE_OPTION.test(key)),
    )
  );
}
