import type { SentRequest } from '@toolfold/agent/internal/events';
import { cachingOf, modelFromName, pricesOf } from '@toolfold/core/internal/models';
import { formatCount, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import { share } from '../terminal/index.ts';

export type SentSegments = SentRequest['segments'];

/** What the provider counted. */
export interface PromptUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Absent if no price is known. */
  readonly cost?: number;
  readonly isEstimate: boolean;
  /** `cacheRead / input`. */
  readonly share: number;
  /** Milliseconds. */
  readonly duration?: number;
}

/**
 * `broken`: our bytes do not begin with what was sent before. `missed`: they do, yet the provider read little of them
 * from its cache.
 */
export interface PromptMark {
  readonly kind: 'broken' | 'missed';
  readonly cause: string;
  /** The label of the first segment that changed. */
  readonly label?: string;
}

/** Tokens below which no provider is known to cache. */
const MINIMUM = 1_024;
/** Milliseconds after which a cache may be gone. */
const PAUSE = 300_000;

interface SeenUse {
  /** Tokens of the last request, and when it was sent. */
  readonly input: number;
  readonly at: number;
  /** Whether the provider has read from its cache, or written to it, in any request so far. */
  readonly isCached: boolean;
}

/** What each model has said of its cache in the requests of one conversation. */
export class CacheUse {
  readonly #seen = new Map<string, SeenUse>();

  /**
   * Takes the usage of the next request. It is a miss if the provider has read under half of what it could: of the
   * prompt, or of the request before if that was shorter. Then this conversation was cached before by this model, and
   * that much is more than the model caches at least. An estimate says nothing of a cache.
   */
  take(
    { model = '', at }: { readonly model?: string; readonly at: number },
    { input, cacheRead, cacheWrite, isEstimate }: PromptUsage,
    isBroken: boolean,
  ): PromptMark | undefined {
    if (isEstimate) return;
    const before = this.#seen.get(model);
    const isCached = cacheRead + cacheWrite > 0 || (before?.isCached ?? false);
    this.#seen.set(model, { input, at, isCached });
    if (isBroken || !before?.isCached) return;
    const possible = Math.min(input, before.input);
    if (possible <= minimumOf(model) || cacheRead >= possible / 2) return;
    const pause = at - before.at;
    const after =
      pause < PAUSE
        ? ''
        : `, ${formatCount(Math.floor(pause / 60_000), 'minute')} after the request before`;
    const read = `the provider read ${share(cacheRead / input)} of it from its cache`;
    return { kind: 'missed', cause: `the prompt begins as the one before, yet ${read}${after}` };
  }
}

/** The tokens that the model caches at least. */
function minimumOf(name: string): number {
  if (!name.includes('/')) return MINIMUM;
  const model = modelFromName(name);
  return pricesOf(model)?.minPrefix ?? cachingOf(model)?.marks?.minimum ?? MINIMUM;
}

/** Most names of tools in a cause. */
const MOST_NAMES = 5;

/** The tools that differ between two requests, in words. Undefined if the texts are not known. */
export async function changedTools(
  { segments, before }: { readonly segments: SentSegments; readonly before: SentSegments },
  textOf: (hash: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const read = async (sent: SentSegments, other: SentSegments) => {
    const known = new Set(other.map(({ hash }) => hash));
    const tools = new Map<string, string>();
    for (const { kind, hash } of sent) {
      if (kind !== 'tools' || known.has(hash)) continue;
      const list = parsedJson((await textOf(hash)) ?? '');
      if (!Array.isArray(list)) continue;
      for (const tool of list) tools.set(String(ownProperty(tool, 'name')), JSON.stringify(tool));
    }
    return tools;
  };
  const [old, now] = [await read(before, segments), await read(segments, before)];
  const added = [...now.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].flatMap(([name, text]) =>
    old.has(name) && old.get(name) !== text ? [name] : [],
  );
  const words = [
    ...wordsFor('changed', changed),
    ...wordsFor('added', added),
    ...wordsFor('removed', removed),
  ];
  return words.length === 0 ? undefined : words.join('; ');
}

function wordsFor(what: string, names: readonly string[]): string[] {
  const rest = names.length - MOST_NAMES;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return names.length === 0 ? [] : [`${what} ${names.slice(0, MOST_NAMES).join(', ')}${more}`];
}
