import { isRecord } from '@toolfold/core/internal/values';
import {
  automaticMark,
  hasBreakpoints,
  isBreakpoint,
  isExplicitMode,
  isMarkable,
  isTurnEnd,
  keptSeconds,
  markOn,
} from '../wire/index.ts';
import type { FormattedRequest, PlacedBlock } from './blocks.ts';

/** What a request asks of the cache of its provider. Places are indexes of its blocks. */
export interface SimulatedCachePlan {
  /** The ends of the beginnings that are saved, in order, and for how long. */
  readonly saves: readonly { readonly end: number; readonly seconds: number }[];
  /** The ends at which the provider looks for a saved beginning, in any order. */
  readonly looks: readonly number[];
  /** Reads are reported in multiples of this number of tokens. */
  readonly step: number;
  /** Whether a token that is written has a price of its own, and is reported. */
  readonly reportsWrites: boolean;
}

/**
 * Where the provider looks back from a mark, the mark's own block included
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "Explicit cache breakpoints").
 * Each block counts. On the Claude API itself, by a later version of that page, consecutive calls count
 * as one, and results too; other hosts of the format and reports of that API (strands-agents #3348) differ.
 */
const LOOK_BACK = 20;

const SECONDS = { '5m': 300, '1h': 3_600 } as const;

/** OpenAI's guide: at most this many breakpoints are written for one request, and the latest ones read. */
const MAX_WRITTEN = 4;
const MAX_READ = 80;

/** OpenAI's guide: hits of models without breakpoints occur in increments of this many tokens. */
const INCREMENT = 128;

/** What a request asks of the cache, by the rules of its provider. */
export function cachePlan(
  { provider, body }: FormattedRequest,
  blocks: readonly PlacedBlock[],
): SimulatedCachePlan {
  if (mustBeAsked({ provider, body })) return markedPlan(body, blocks);
  return hasBreakpoints(body.model) ? breakpointPlan(body, blocks) : automaticPlan(body, blocks);
}

/**
 * Whether the provider of a request caches only where a request asks: Anthropic, and gateways that pass
 * marks on to Claude in OpenAI's format (https://openrouter.ai/docs/features/prompt-caching).
 */
export function mustBeAsked({ provider, body }: FormattedRequest): boolean {
  return provider === 'anthropic' || /claude/i.test(String(body.model));
}

/** Whether a request asks for the cache: with a mark on a block, or at the top level. */
export function asksForCache({ body }: FormattedRequest, blocks: readonly PlacedBlock[]): boolean {
  return automaticMark(body) !== undefined || blocks.some((block) => markOf(block) !== undefined);
}

function markedPlan(
  body: FormattedRequest['body'],
  blocks: readonly PlacedBlock[],
): SimulatedCachePlan {
  const automatic = automaticMark(body);
  const last = automatic && blocks.findLastIndex(({ value }) => isMarkable(value));
  const saves = blocks.flatMap((block, end) => {
    const ttl = markOf(block) ?? (end === last ? automatic : undefined);
    return ttl === undefined ? [] : [{ end, seconds: SECONDS[ttl] }];
  });
  const looks = saves.flatMap(({ end }) =>
    Array.from({ length: Math.min(LOOK_BACK, end + 1) }, (_, back) => end - back),
  );
  return { saves, looks, step: 1, reportsWrites: true };
}

/** The mark of a block. A mark on a message in OpenAI's format is that of its last block. */
function markOf({ value, message }: PlacedBlock): ReturnType<typeof markOn> {
  const own = markOn(value);
  if (own !== undefined || message === undefined) return own;
  const parts = [message.content, message.tool_calls].flat();
  return parts.at(-1) === value || message.content === value ? markOn(message) : undefined;
}

function breakpointPlan(
  body: FormattedRequest['body'],
  blocks: readonly PlacedBlock[],
): SimulatedCachePlan {
  const marked = indexesOf(blocks, ({ value }) => isBreakpoint(value));
  const turns = isExplicitMode(body)
    ? []
    : indexesOf(
        blocks,
        ({ message }, index) =>
          isRecord(message) && isTurnEnd(message) && blocks[index + 1]?.message !== message,
      );
  const latest = turns.slice(-1);
  const written = [...marked.slice(latest.length - MAX_WRITTEN), ...latest];
  const seconds = keptSeconds(body);
  return {
    saves: [...new Set(written)].sort((a, b) => a - b).map((end) => ({ end, seconds })),
    looks: [...marked, ...turns].sort((a, b) => a - b).slice(-MAX_READ),
    step: 1,
    reportsWrites: true,
  };
}

/** Every beginning of the request is saved, and can be read. */
function automaticPlan(
  body: FormattedRequest['body'],
  blocks: readonly PlacedBlock[],
): SimulatedCachePlan {
  const looks = indexesOf(blocks, () => true);
  const seconds = keptSeconds(body);
  const saves = looks.map((end) => ({ end, seconds }));
  return { saves, looks, step: INCREMENT, reportsWrites: false };
}

function indexesOf(
  blocks: readonly PlacedBlock[],
  matches: (block: PlacedBlock, index: number) => boolean,
): number[] {
  return blocks.flatMap((block, index) => (matches(block, index) ? [index] : []));
}
