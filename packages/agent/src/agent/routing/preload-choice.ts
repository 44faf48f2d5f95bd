import type { ChoosePreload, PreloadTurn } from '@toolfold/ai-sdk';
import { DEFAULT_WORKLOAD } from '@toolfold/core/internal/tools/epoch';
import { byCodePoint } from '@toolfold/core/internal/tools/values';
import { type Candidate, candidatesFor } from './candidates.ts';
import { likelihoodOf } from './likelihood.ts';
import type { Router } from './routing.ts';

/** Limits of the schemas that one turn may preload. */
export interface PreloadLimit {
  readonly schemas: number;
  readonly tokens: number;
}

/** Input of a preload choice. */
export interface PreloadOptions
  extends Pick<PreloadTurn, 'hasShown' | 'tokensOf'>,
    Partial<Pick<PreloadTurn, 'requestTokens'>> {
  readonly candidates: readonly Candidate[];
  /** The likelihood below which no schema is preloaded, whatever it saves. */
  readonly least?: number;
  readonly limit?: PreloadLimit;
}

/** Default limits of a turn. */
export const PRELOAD_LIMIT: PreloadLimit = { schemas: 3, tokens: 1_500 };

/** A schema that is more likely wrong than right distracts the model, however small it is. */
const LEAST_LIKELIHOOD = 0.5;

/**
 * Whether a schema is expected to save tokens. A right one saves a load: one request less. A wrong one is
 * sent in vain, with each request that a conversation is assumed to have.
 */
function saves(likelihood: number, tokens: number, requestTokens: number): boolean {
  return likelihood * requestTokens > (1 - likelihood) * tokens * DEFAULT_WORKLOAD.turns;
}

/**
 * Preloads the schemas that most likely save more tokens than they cost. Searches the text and each of its
 * clauses, and also the last assistant message if the user's text is short. Preloads nothing if the scores of
 * the search cannot be compared. `words` replace the user's text where the request is known more exactly.
 */
export function preloadBy(router: Router, words?: string): ChoosePreload {
  return (turn) => choosePreload({ ...turn, candidates: candidatesFor(router, turn, words) });
}

/**
 * Chooses the likeliest schemas, best first. Skips schemas that are shown, not loaded or too large, and those
 * that are expected to cost more than they save. Skips tools that the turn does not name: small talk finds such tools.
 * Without `requestTokens`, no schema costs too much.
 */
export function choosePreload(options: PreloadOptions): readonly string[] {
  const { candidates, least = LEAST_LIKELIHOOD, limit = PRELOAD_LIMIT } = options;
  const wanted = candidates
    .filter(({ isNamed }) => isNamed)
    .map(({ key, signs }) => ({ key, likelihood: likelihoodOf(signs) }))
    .filter(({ likelihood }) => likelihood >= least)
    .sort((a, b) => b.likelihood - a.likelihood || byCodePoint(a.key, b.key));

  const chosen: string[] = [];
  let requestTokens: number | undefined;
  let left = limit.tokens;
  for (const { key, likelihood } of wanted) {
    if (chosen.length >= limit.schemas) break;
    const tokens = options.hasShown(key) ? undefined : options.tokensOf(key);
    if (tokens === undefined || tokens > left) continue;
    requestTokens ??= options.requestTokens?.() ?? Infinity;
    if (!saves(likelihood, tokens, requestTokens)) continue;
    chosen.push(key);
    left -= tokens;
  }
  return chosen;
}
