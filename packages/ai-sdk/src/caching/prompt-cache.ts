import type { CacheSetting } from '@toolfold/config/internal/settings';
import {
  cachingOf,
  isOptionOf,
  type ModelCaching,
  type ModelIdentity,
  pricesOf,
} from '@toolfold/core/internal/models';
import { getOrMake, oncePerKey, plainLine, Recent } from '@toolfold/core/internal/values';
import { APICallError } from 'ai';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '../protocol/index.ts';
import { type CachePlan, isMarkedTool, setsCacheOption, withMarks } from './marks.ts';
import { type CacheTime, placesOf } from './places.ts';
import { expectWords, movedText, notWords, refusedText, unreadText } from './words.ts';

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
export class PromptCacheControl {
  readonly #rows = new Recent<{ readonly caching: ModelCaching | undefined }>(100);
  /** By model: what is asked since marks were refused. Written once a request without them has succeeded. */
  readonly #refused = new Map<string, CacheRefusal['instead']>();
  /** By model: how many requests have read nothing; `Infinity` once one has read. */
  readonly #unread = new Map<string, number>();
  readonly #own: readonly (readonly [string, object])[];
  /** By row: the tools of the app on which it has set an option for this provider. */
  readonly #marked = new Map<ModelCaching, readonly string[]>();
  readonly #once: (key: string, text: string) => void;

  /** `own`: the app's tools by name. */
  constructor(own: Readonly<Record<string, object>>, warn: (text: string) => void) {
    this.#own = Object.entries(own);
    this.#once = oncePerKey(warn);
  }

  /** Whether it is known how the model's provider is asked. */
  knows(model: ModelIdentity): boolean {
    return this.#cachingOf(model) !== undefined;
  }

  /** What a request with tools will ask, before there is one. `isDeclared`: whether a tool of the app will be. */
  expect(
    model: ModelIdentity,
    setting: CacheSetting = 'auto',
    isDeclared: (name: string) => boolean = () => true,
  ): string {
    if (setting === false) return notWords('off');
    const caching = this.#cachingOf(model);
    if (!caching) return notWords('unknown provider');
    const refused = this.#refused.get(keyOf(model));
    if (refused === 'nothing') return notWords('refused');
    const marked = this.#markedFor(caching);
    if (marked.length > 0) {
      const moved = marked.filter((name) => !isDeclared(name));
      return `${notWords('set by the app')}${moved.length > 0 ? `. ${movedText(moved)}` : ''}`;
    }
    const { ttl = '5m', key } = setting === 'auto' ? {} : setting;
    return expectWords(caching, {
      ttl,
      hasKey: key !== undefined,
      isHourRefused: refused === '5m',
    });
  }

  /** What the request asks of the cache. It follows from the request and from what was refused. */
  plan(
    params: LanguageModelV4CallOptions,
    model: ModelIdentity,
    { setting = 'auto', isOurs }: CacheView,
    refused: CacheRefusal['instead'] | undefined = this.#refused.get(keyOf(model)),
  ): CachePlan {
    if (setting === false) return 'off';
    const caching = this.#cachingOf(model);
    if (!caching) return 'unknown provider';
    if (refused === 'nothing') return 'refused';
    const { tools = [] } = params;
    if (!tools.some(({ name }) => isOurs(name))) return 'no tools';
    // Also on a tool that is deferred, whose options do not reach a request.
    const isSet = (): boolean => setsCacheOption(params, (name) => isOptionOf(caching, name));
    if (this.#markedFor(caching).length > 0 || isSet()) return 'set by the app';
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

  #markedFor(caching: ModelCaching): readonly string[] {
    const known = this.#marked.get(caching);
    if (known) return known;
    const concerns = (key: string) => isOptionOf(caching, key);
    const marked = this.#own.filter(([, tool]) => isMarkedTool(tool, concerns));
    const names = marked.map(([name]) => name);
    this.#marked.set(caching, names);
    return names;
  }

  /** Sends a request with its marks. If the endpoint refuses them, sends it without, and remembers it. */
  async send<T>(
    params: LanguageModelV4CallOptions,
    model: ModelIdentity,
    view: CacheView,
    to: (params: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<{ readonly result: T; readonly plan: CachePlan }> {
    const key = keyOf(model);
    // What this request has learned, until it has succeeded. Parallel requests do not see it.
    let refusal: CacheRefusal | undefined;
    for (;;) {
      const plan = this.plan(params, model, view, refusal?.instead);
      try {
        const result = await to(typeof plan === 'string' ? params : withMarks(params, plan));
        if (refusal) this.#remember(key, refusal);
        if (plan === 'set by the app') this.#warnOfMoved(params, model);
        return { result, plan };
      } catch (error) {
        if (typeof plan === 'string') throw error;
        const isLong = plan.places.some(({ time }) => time === '1h');
        refusal = cacheRefusalIn(error, isLong ? '1h' : '5m');
        if (!refusal) throw error;
        params.abortSignal?.throwIfAborted();
      }
    }
  }

  #remember(key: string, { why, instead }: CacheRefusal): void {
    // A parallel request may have learned that nothing may be asked.
    if (this.#refused.get(key) !== 'nothing') this.#refused.set(key, instead);
    this.#once(`refused ${key}`, refusedText(key, why, instead));
  }

  /** Warns if a mark of the app stands on a tool that the request does not declare. */
  #warnOfMoved({ tools = [] }: LanguageModelV4CallOptions, model: ModelIdentity): void {
    const caching = this.#cachingOf(model);
    const declared = new Set(tools.map(({ name }) => name));
    const moved = (caching ? this.#markedFor(caching) : []).filter((name) => !declared.has(name));
    if (moved.length > 0) this.#once('moved', movedText(moved));
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

// What gateways and hosts write when they do not know a field, with the field that they name.
const REFUSING: readonly (number | undefined)[] = [400, 422];
const NAMES_MARK =
  /cache.?control|cache.?point|prompt.?cache|cache.?breakpoint|\bttl\b|\bephemeral\b/i;
const NAMES_TIME = /\bttl\b/i;

/** A refusal of marks or of a key. */
interface CacheRefusal {
  readonly why: string;
  /** What may be tried instead: marks without `ttl`, or none. */
  readonly instead: '5m' | 'nothing';
}

/** Why an endpoint has refused what a request asks of the cache; undefined for other failures. */
function cacheRefusalIn(error: unknown, time: CacheTime): CacheRefusal | undefined {
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  const text = `${error.message} ${error.responseBody ?? ''}`;
  if (!NAMES_MARK.test(text)) return;
  return {
    why: `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`,
    instead: time === '1h' && NAMES_TIME.test(text) ? '5m' : 'nothing',
  };
}

/**
 * Asks for the cache with each request as it is sent. It stands next to the model, so that it sees what the app and
 * Toolfold have put into the request, and each request of a model call with several.
 */
export function cacheMiddleware(
  cache: PromptCacheControl,
  view: CacheView,
): LanguageModelV4Middleware {
  return {
    specificationVersion: 'v4',

    async wrapGenerate({ params, model }) {
      const to = (next: LanguageModelV4CallOptions) => model.doGenerate(next);
      const { result, plan } = await cache.send(params, model, view, to);
      cache.note(params, model, plan, result.usage);
      return result;
    },

    async wrapStream({ params, model }) {
      const to = (next: LanguageModelV4CallOptions) => model.doStream(next);
      const { result, plan } = await cache.send(params, model, view, to);
      if (typeof plan === 'string') return result;
      const noted = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          if (part.type === 'finish') cache.note(params, model, plan, part.usage);
          controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(noted) };
    },
  };
}
