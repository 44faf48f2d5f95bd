import type { ScoreSigns, SearchHit, ToolSearch } from '../../../src/tools/search/index.ts';
import {
  likelihoodOf,
  SCORE_SIGNS,
  type ScoreWeights,
} from '../../../src/tools/search/ranking/index.ts';
import { logisticRegression } from '../../logistic.ts';
import { type Servers, toolsOf } from '../servers.ts';
import { percent } from '../tables.ts';
import { halfOf, type Need } from './need.ts';

const FOLDS = 10;
/** The share of the needs that are not served that must be told so. */
const TOLD = 0.75;
/** The share of the needs that are served that may be told that nothing fits. */
const WRONG = 0.05;
/** The share of first hits that must be right from `clear` on. */
const RIGHT = 0.97;

/** A need with the signs of its first hits together. */
export interface SignedNeed {
  readonly isServed: boolean;
  /** Whether it is one of the needs in plain words. */
  readonly isPlain: boolean;
  readonly isFirstRight: boolean;
  /** Whether the query spells a tool's name. Such a need counts in thresholds and not in weights. */
  readonly isNamed: boolean;
  /** Undefined without a hit: then nothing fits. */
  readonly signs: ScoreSigns | undefined;
}

/** Reads the signs of the needs for calibration. */
export async function signedNeeds(
  create: () => ToolSearch | Promise<ToolSearch>,
  needs: readonly Need[],
  servers: Servers,
  isPlain: boolean,
): Promise<SignedNeed[]> {
  const found: SignedNeed[] = [];
  const even = needs.filter((need) => halfOf(need) === 'calibration');
  for (const group of Map.groupBy(even, (need) => need.servers.join()).values()) {
    const search = await create();
    search.index(toolsOf(servers, group[0]?.servers ?? []));
    for (const { query, right } of group) {
      const [first] = search.search(query, { limit: 1, allows: everything, explain: true });
      found.push({
        isServed: right.length > 0,
        isPlain,
        isFirstRight: keysOf(first).some((key) => right.includes(key)),
        isNamed: first?.why?.name !== undefined,
        signs: first?.why?.signs,
      });
    }
  }
  return found;
}

/** A score model as text to paste, and what it does, also on needs that it was not fitted to. */
export function fitText(title: string, needs: readonly SignedNeed[]): string {
  const weights = fitted(needs);
  const scored = needs.map((need) => ({ ...need, score: scoreOf(need, weights) }));
  const crossed = crossValidated(needs);
  const fits = thresholdOf(scored);
  const lines = [
    `${title}, fitted to ${needs.length} needs:`,
    `weights: { none: ${weights.none.toFixed(2)}, ${SCORE_SIGNS.map((sign) => `${sign}: ${weights[sign].toFixed(2)}`).join(', ')} }`,
    `scale: { fits: ${fits.toFixed(2)}, clear: ${clearOf(scored).toFixed(2)} }`,
    `told and wrongly told: ${sharesAt(scored, fits)}`,
    `cross-validated in ${FOLDS} parts: ${sharesAt(crossed, thresholdOf(crossed))}`,
  ];
  return `${lines.join('\n')}\n`;
}

type Scored = SignedNeed & { readonly score: number };

function scoreOf({ signs, isNamed }: SignedNeed, weights: ScoreWeights): number {
  if (isNamed) return 1;
  return signs ? likelihoodOf(signs, weights) : 0;
}

function fitted(needs: readonly SignedNeed[]): ScoreWeights {
  const examples = needs.flatMap(({ signs, isServed, isNamed }) =>
    signs === undefined || isNamed
      ? []
      : [{ signs: SCORE_SIGNS.map((sign) => signs[sign]), isRight: isServed, weight: 1 }],
  );
  const [none = 0, ...found] = logisticRegression(examples);
  const weightOf = (sign: keyof ScoreSigns) => found[SCORE_SIGNS.indexOf(sign)] ?? 0;
  return {
    none,
    words: weightOf('words'),
    missing: weightOf('missing'),
    referenceWords: weightOf('referenceWords'),
    meaning: weightOf('meaning'),
    similarity: weightOf('similarity'),
    referenceSimilarity: weightOf('referenceSimilarity'),
  };
}

/** Each need with the score by weights that were fitted to the needs of the other parts. */
function crossValidated(needs: readonly SignedNeed[]): Scored[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const weights = fitted(needs.filter((_, i) => i % FOLDS !== fold));
    return needs
      .filter((_, i) => i % FOLDS === fold)
      .map((need) => ({ ...need, score: scoreOf(need, weights) }));
  });
}

/**
 * A threshold, in hundredths: the middle of those that tell enough of the needs that are not served and
 * are wrong for few of the others. If there is none, the lowest that tells enough.
 */
function thresholdOf(scored: readonly Scored[]): number {
  const shareBelow = (isServed: boolean) => {
    const scores = scored.filter((one) => one.isServed === isServed).map(({ score }) => score);
    return (fits: number) => scores.filter((score) => score < fits).length / scores.length;
  };
  const [told, wrong] = [shareBelow(false), shareBelow(true)];
  const telling = Array.from({ length: 99 }, (_, n) => n / 100).filter(
    (fits) => told(fits) >= TOLD,
  );
  const good = telling.filter((fits) => wrong(fits) <= WRONG);
  return good[good.length >> 1] ?? telling[0] ?? 0.99;
}

/** The lowest threshold, in hundredths, from which on nearly all first hits are right. */
function clearOf(scored: readonly Scored[]): number {
  const rightAt = (clear: number) => {
    const some = scored.filter(({ score }) => score >= clear);
    return some.filter(({ isFirstRight }) => isFirstRight).length / some.length;
  };
  let clear = 0;
  while (clear < 0.99 && rightAt(clear) < RIGHT) clear += 0.01;
  return clear;
}

function sharesAt(scored: readonly Scored[], fits: number): string {
  return [false, true]
    .map((isPlain) => {
      const some = scored.filter((one) => one.isPlain === isPlain);
      const share = (isServed: boolean) => {
        const all = some.filter((one) => one.isServed === isServed);
        return percent(all.filter(({ score }) => score < fits).length / all.length);
      };
      return `${isPlain ? 'plain wording' : 'all wordings'} ${share(false)} and ${share(true)}`;
    })
    .join('; ');
}

/** A hit may stand for equal tools. */
function keysOf(hit: SearchHit | undefined): string[] {
  return hit ? [hit.key, ...(hit.twins ?? [])] : [];
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;
