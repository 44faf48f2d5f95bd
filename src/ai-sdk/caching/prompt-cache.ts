import type { CacheSetting } from '../../config/index.ts';
import { cachingOf, type ModelCaching, type ModelIdentity, pricesOf } from '../../models/index.ts';
import { getOrMake, oncePerKey, Recent } from '../../tools/values/index.ts';
import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '../protocol/index.ts';
import { setsCacheOption } from './app-options.ts';
import { type CachePlan, withMarks } from './marks.ts';
import { placesOf } from './places.ts';
import { cacheRefusalIn } from './refusal.ts';
import { expectWords, notWords, refusedText, unreadText } from './words.ts';

/** Requests of an endpoint that should have read from the cache and did not, before a warning. */
const UNREAD = 3;
/** The tokens of a prefix that each provider caches, for those that do not say it. */
const MINIMUM = 1_024;

/** How a view asks for the cache. */
export interface CacheView {
  readonly setting: CacheSetting | undefined;
  /** Whether a tool of a request is one of the fold. */
  readonly isOurs: (toolName: string) => boolean;
}

/** What a fold knows of the prompt caches of its endpoints. It asks for them, and gives up where it is refused. */
export class PromptCache {
  readonly #rows = new Recent<{ readonly caching: ModelCaching | undefined }>(100);
  /** By model: what was refused, and what is asked since. */
  readonly #refused = new Map<string, '5m' | 'nothing'>();
  /** By model: how many requests have read nothing; `Infinity` once one has read. */
  readonly #unread = new Map<string, number>();
  /** Also on a tool that is deferred, whose options do not reach a request. */
  readonly #isSetOnTool: boolean;
  readonly #once: (key: string, text: string) => void;

  /** `own`: the app's tools. */
  constructor(own: readonly object[], warn: (text: string) => void) {
    this.#isSetOnTool = setsCacheOption({ tools: own });
    this.#once = oncePerKey(warn);
  }

  /** Whether it is known how the model's provider is asked. */
  knows(model: ModelIdentity): boolean {
    return this.#cachingOf(model) !== undefined;
  }

  /** What a request with tools will ask, before there is one. */
  expect(model: ModelIdentity, setting: CacheSetting = 'auto'): string {
    if (setting === false) return notWords('off');
    const caching = this.#cachingOf(model);
    if (!caching) return notWords('unknown provider');
    if (this.#refused.get(keyOf(model)) === 'nothing') return notWords('refused');
    if (this.#isSetOnTool) return notWords('set by the app');
    const { key } = setting === 'auto' ? {} : setting;
    return expectWords(caching, key !== undefined);
  }

  /** What the request asks of the cache. It follows from the request and from what was refused. */
  plan(
    params: LanguageModelV4CallOptions,
    model: ModelIdentity,
    { setting = 'auto', isOurs }: CacheView,
  ): CachePlan {
    if (setting === false) return 'off';
    const key = keyOf(model);
    const caching = this.#cachingOf(model);
    if (!caching) return 'unknown provider';
    const refused = this.#refused.get(key);
    if (refused === 'nothing') return 'refused';
    const { tools = [] } = params;
    if (!tools.some(({ name }) => isOurs(name))) return 'no tools';
    if (this.#isSetOnTool || setsCacheOption(params)) return 'set by the app';
    const { ttl = '5m', key: given } = setting === 'auto' ? {} : setting;
    const { marks, takesKey } = caching;
    const time = marks?.hour && refused !== '5m' ? ttl : '5m';
    const places = marks ? placesOf({ prompt: params.prompt, tools }, marks, time) : [];
    const ofKey = takesKey ? given : undefined;
    if (places.length === 0 && ofKey === undefined) return 'automatic';
    return { caching, places, key: ofKey };
  }

  #cachingOf(model: ModelIdentity): ModelCaching | undefined {
    return getOrMake(this.#rows, keyOf(model), () => ({ caching: cachingOf(model) })).caching;
  }

  /** Sends a request with its marks. If the endpoint refuses them, sends it without, and remembers it. */
  async send<T>(
    params: LanguageModelV4CallOptions,
    model: ModelIdentity,
    view: CacheView,
    to: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ readonly result: T; readonly plan: CachePlan }> {
    const plan = this.plan(params, model, view);
    if (typeof plan === 'string') return { result: await to(params), plan };
    try {
      return { result: await to(withMarks(params, plan)), plan };
    } catch (error) {
      const isLong = plan.places.some(({ time }) => time === '1h');
      const refusal = cacheRefusalIn(error, isLong ? '1h' : '5m');
      if (!refusal) throw error;
      params.abortSignal?.throwIfAborted();
      const key = keyOf(model);
      const before = this.#refused.get(key);
      this.#refused.set(key, refusal.instead);
      try {
        const sent = await this.send(params, model, view, to);
        this.#once(`refused ${key}`, refusedText(key, refusal.why, refusal.instead));
        return sent;
      } catch (second) {
        // Something else was the cause.
        if (before === undefined) this.#refused.delete(key);
        else this.#refused.set(key, before);
        throw second;
      }
    }
  }

  /** Notes what a provider says that it has read. Warns if it was asked and never reads. */
  note(
    { prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>,
    model: ModelIdentity,
    plan: CachePlan,
    { inputTokens: { total = 0, cacheRead } }: LanguageModelV4Usage,
  ): void {
    if (typeof plan === 'string' || cacheRead === undefined) return;
    const key = keyOf(model);
    const { caching, places } = plan;
    const isFirst = !prompt.some(({ role }) => role === 'assistant');
    const minimum = pricesOf(model)?.minPrefix ?? caching.marks?.minimum ?? MINIMUM;
    if (cacheRead > 0) this.#unread.set(key, Number.POSITIVE_INFINITY);
    else if (!isFirst && places.length > 0 && total >= 2 * minimum) {
      const count = (this.#unread.get(key) ?? 0) + 1;
      this.#unread.set(key, count);
      if (count === UNREAD) this.#once(`unread ${key}`, unreadText(key, UNREAD));
    }
  }
}

function keyOf({ provider, modelId }: ModelIdentity): string {
  return `${provider}/${modelId}`;
}
