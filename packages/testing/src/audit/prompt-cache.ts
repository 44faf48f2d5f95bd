import { createHash } from 'node:crypto';
import { pricesOf } from '@toolfold/core/internal/models';
import { estimateTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/values';
import {
  type AuditableRequest,
  blocksIn,
  type FormattedRequest,
  formatted,
  type PlacedBlock,
  remembered,
} from './blocks.ts';
import { cachePlan, type SimulatedCachePlan } from './cache-plan.ts';

/** The input tokens of one request as its provider reports them. */
export interface InputTokens {
  /** All of them. */
  readonly input: number;
  /** Read from the cache. */
  readonly cached: number;
  /** Written to the cache at a price of their own; 0 where writing costs nothing more. */
  readonly written: number;
  /** Those of `written` that are kept for an hour, at Anthropic's higher price. */
  readonly writtenForHour: number;
}

/** Options of the simulated cache. */
export interface PromptCacheOptions {
  /** The token counter. Default: the core's estimate of o200k tokens. */
  readonly countTokens?: TokenCounter;
  /** Fewest tokens of a cached prefix. Default: that of the model in the table of prices. */
  readonly minimum?: number;
  /** The time in milliseconds, by which prefixes expire. Default: `Date.now`. */
  readonly now?: () => number;
}

const PROMPT_CACHE_OPTIONS: KnownOptions<PromptCacheOptions> = {
  ...{ countTokens: true, minimum: true, now: true },
};

/** A simulated prompt cache. */
export interface PromptCache {
  /** The tokens of a request that is answered at once. Later requests can read what it saves. */
  readonly send: (request: AuditableRequest) => InputTokens;
  /** The same for a request whose answer begins later, or never: `answered` saves. */
  readonly begin: (request: AuditableRequest) => {
    readonly tokens: InputTokens;
    readonly answered: () => void;
  };
}

/** A saved beginning of a request. */
interface Saved {
  readonly seconds: number;
  /** When it expires, in milliseconds. */
  until: number;
}

const NOTHING: InputTokens = { input: 0, cached: 0, written: 0, writtenForHour: 0 };

const HOUR = 3_600;

// What OpenAI states for all its models, and the largest that Anthropic states for one of its own.
const MINIMUM = { openai: 1_024, anthropic: 4_096 };

/**
 * The prompt caches of providers, as their documents describe them: Anthropic's reads and writes only at
 * the marks of a request, OpenAI's by itself, from GPT-5.6 on at breakpoints. What is read is the
 * beginning of an earlier request to the same model, block by block: tools, system, messages.
 */
export function createPromptCache(options: PromptCacheOptions = {}): PromptCache {
  checkKnown('createPromptCache()', options, PROMPT_CACHE_OPTIONS);
  const { countTokens = estimateTokens, now = Date.now } = options;
  const count = remembered(countTokens);
  const saved = new Map<string, Saved>();
  const begin: PromptCache['begin'] = (given) => {
    const request = formatted(given);
    if (request === undefined) return { tokens: NOTHING, answered: () => {} };
    const blocks = blocksIn(request);
    const ends = endsOf(request, blocks, count);
    const plan = cachePlan(request, blocks);
    const minimum = options.minimum ?? minimumOf(request);
    const started = now();
    const found = longestSaved(plan, ends, saved, started);
    const tokens = tokensOf(plan, ends, found?.end, minimum);
    const answered = (): void => {
      const longest = found?.saved.seconds ?? Number.POSITIVE_INFINITY;
      if (found !== undefined) found.saved.until = started + found.saved.seconds * 1_000;
      for (const { end, seconds } of plan.saves) {
        const { key = '', length = 0 } = ends[end] ?? {};
        if (length < minimum) continue;
        // What is read is paid as a read. It is not kept for longer than what it was read from.
        const isRead = found !== undefined && end <= found.end;
        const known = saved.get(key);
        const kept = isRead ? Math.min(seconds, longest) : seconds;
        const lasting = Math.max(
          kept,
          known !== undefined && known.until > started ? known.seconds : 0,
        );
        saved.set(key, { seconds: lasting, until: started + lasting * 1_000 });
      }
    };
    return { tokens, answered };
  };
  const send: PromptCache['send'] = (request) => {
    const { tokens, answered } = begin(request);
    answered();
    return tokens;
  };
  return { send, begin };
}

/** The beginning of a request that ends with a block: its identity, and its tokens. */
interface CachedPrefix {
  readonly key: string;
  readonly length: number;
}

function endsOf(
  request: FormattedRequest,
  blocks: readonly PlacedBlock[],
  count: TokenCounter,
): CachedPrefix[] {
  let key = `${request.provider} ${request.body.model}`;
  let length = 0;
  let inMessages = false;
  return blocks.map((block) => {
    const isFirst = block.section === 'messages' && !inMessages;
    inMessages ||= isFirst;
    key = createHash('sha256')
      .update(JSON.stringify([key, block.path, block.frame, block.text]))
      .update(isFirst ? settingsOf(request) : '')
      .digest('base64');
    length += count(block.text);
    return { key, length };
  });
}

/**
 * The settings whose change invalidates Anthropic's cache of messages, but not that of tools and system
 * (its page on prompt caching, "What invalidates the cache").
 */
function settingsOf({ provider, body }: FormattedRequest): string {
  if (provider !== 'anthropic') return '';
  return JSON.stringify([body.tool_choice, body.thinking, body.output_config]);
}

function longestSaved(
  { looks }: SimulatedCachePlan,
  ends: readonly CachedPrefix[],
  saved: ReadonlyMap<string, Saved>,
  time: number,
): { readonly end: number; readonly saved: Saved } | undefined {
  for (const end of [...looks].sort((a, b) => b - a)) {
    const known = saved.get(ends[end]?.key ?? '');
    if (known !== undefined && known.until > time) return { end, saved: known };
  }
  return undefined;
}

function tokensOf(
  { saves, step, reportsWrites }: SimulatedCachePlan,
  ends: readonly CachedPrefix[],
  found: number | undefined,
  minimum: number,
): InputTokens {
  const lengthTo = (end: number | undefined): number =>
    end === undefined ? 0 : (ends[end]?.length ?? 0);
  const input = lengthTo(ends.length - 1);
  const read = lengthTo(found);
  const cached = read - (read % step);
  if (!reportsWrites) return { ...NOTHING, input, cached };
  const unread = saves.filter(({ end }) => lengthTo(end) >= Math.max(minimum, read));
  const last = lengthTo(unread.at(-1)?.end);
  // The same page, "Mixing different TTLs": up to the last mark for an hour, then the rest.
  const long = lengthTo(unread.findLast(({ seconds }) => seconds === HOUR)?.end);
  return {
    ...{ input, cached },
    written: Math.max(0, last - cached),
    writtenForHour: Math.max(0, long - cached),
  };
}

function minimumOf({ provider, body }: FormattedRequest): number {
  const ofAnthropic = provider === 'anthropic';
  const row = pricesOf({
    provider: ofAnthropic ? 'anthropic.messages' : 'openai',
    modelId: String(body.model),
  });
  return row?.minPrefix ?? (ofAnthropic ? MINIMUM.anthropic : MINIMUM.openai);
}
