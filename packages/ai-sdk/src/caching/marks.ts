import type { MarkOption, ModelCaching } from '@toolfold/core/internal/models';
import { isRecord, ownProperty } from '@toolfold/core/internal/values';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '../protocol/index.ts';
import type { MarkPlace } from './places.ts';

/** What a request asks of the cache. */
interface CacheRequest {
  readonly caching: ModelCaching;
  readonly places: readonly MarkPlace[];
  readonly key: string | undefined;
}

/** Why a request asks nothing of the cache. */
export type NotAsked =
  | 'off'
  | 'set by the app'
  | 'no tools'
  | 'unknown provider'
  | 'automatic'
  | 'refused';

/** What a request asks of the cache, or why it asks nothing. */
export type CachePlan = CacheRequest | NotAsked;

/** The request with its marks and its key. Nothing of the given request is changed. */
export function withMarks(
  params: LanguageModelV4CallOptions,
  { caching, places, key }: CacheRequest,
): LanguageModelV4CallOptions {
  const { marks, reads } = caching;
  const prompt = [...params.prompt];
  const tools = [...(params.tools ?? [])];
  if (marks)
    for (const place of places) {
      const add = <T extends Marked>(value: T): T => marked(value, marks.options, place);
      if (place.in === 'tools') {
        const tool = tools[place.index];
        if (tool?.type === 'function') tools[place.index] = add(tool);
      } else {
        const message = prompt[place.index];
        if (message) prompt[place.index] = withMark(message, place.part, add);
      }
    }
  const providerOptions =
    key === undefined
      ? params.providerOptions
      : {
          ...params.providerOptions,
          [reads[0]]: { ...params.providerOptions?.[reads[0]], promptCacheKey: key },
        };
  return {
    ...params,
    prompt,
    ...(params.tools ? { tools } : {}),
    ...(providerOptions ? { providerOptions } : {}),
  };
}

type CacheMark = SharedV4ProviderOptions[string];

interface Marked {
  providerOptions?: SharedV4ProviderOptions;
}

/** The mark as the AI SDK's provider takes it. Five minutes are the default, and some hosts refuse to hear of it. */
function markOf(option: MarkOption, { time }: MarkPlace): CacheMark {
  switch (option) {
    case 'cacheControl':
    case 'cache_control':
      return { [option]: { type: 'ephemeral', ...(time === '1h' ? { ttl: time } : {}) } };
    case 'cachePoint':
      return { cachePoint: { type: 'default' } };
    case 'promptCacheBreakpoint':
      return { promptCacheBreakpoint: { mode: 'explicit' } };
  }
}

function marked<T extends Marked>(
  value: T,
  options: Readonly<Record<string, MarkOption>>,
  place: MarkPlace,
): T {
  const own = value.providerOptions;
  const marks = Object.entries(options).map(([key, option]) => [
    key,
    { ...own?.[key], ...markOf(option, place) },
  ]);
  return { ...value, providerOptions: { ...own, ...Object.fromEntries(marks) } };
}

function withMark(
  message: LanguageModelV4Message,
  part: number | undefined,
  add: <T extends Marked>(value: T) => T,
): LanguageModelV4Message {
  if (part === undefined || typeof message.content === 'string') return add(message);
  const content = message.content.map((one, at) => (at === part ? add(one as Marked) : one));
  return { ...message, content } as LanguageModelV4Message;
}

/**
 * The options of all providers about their caches: `cacheControl`, `cache_control`, `cachePoint`, `promptCacheKey`,
 * `promptCacheBreakpoint`, `promptCacheOptions`, `caching`, `cachedContent`.
 */
const CACHE_OPTION = /^(cache_?control|cache_?point|prompt_?cache_?\w*|caching|cached_?content)$/i;

/** Whether options under a key of `providerOptions` may concern the request. */
type Concerns = (key: string) => boolean;

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
