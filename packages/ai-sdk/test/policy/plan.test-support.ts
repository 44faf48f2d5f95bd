import { pairwise } from '@toolfold/testing/test/combinations.test-support.ts';
import { POLICIES, type PolicyName } from './rules.test-support.ts';
import { DIALECTS, type StrategyName } from './strategies.test-support.ts';
import {
  ANSWERS,
  type Coordinates,
  FIELDS,
  isOwn,
  KINDS,
  LOADS,
  MODES,
  nameOf,
  POSITIONS,
} from './trial.test-support.ts';
import type { Way } from './way.test-support.ts';

const ALL_POLICIES = Object.keys(POLICIES) as PolicyName[];

/** Combinations that make no sense for any way, with the reason. */
const NONSENSE: readonly { readonly when: (at: Coordinates) => boolean; readonly why: string }[] = [
  { when: (at) => isOwn(at) && at.load === 'loaded', why: 'an own tool is always loaded' },
  {
    when: ({ kind, strategy }) => kind.endsWith('dispatched') && !DIALECTS[strategy].dispatch,
    why: 'the strategy has no dispatcher',
  },
  {
    when: (at) => !isOwn(at) && at.load === 'loaded' && !DIALECTS[at.strategy].load,
    why: 'the strategy has nothing to load by',
  },
  {
    when: ({ answer, policy, field }) =>
      answer === 'no' && (POLICIES[policy].comesTo !== 'asks' || field === 'overridden'),
    why: 'nobody is asked',
  },
];

/** The reason why a case is left out; undefined if it is played. */
export function skipped(at: Coordinates, way: Way): string | undefined {
  const asksAnyway = way.app !== undefined || way.override !== undefined;
  const found = NONSENSE.find(
    ({ when, why }) => when(at) && !(asksAnyway && why === 'nobody is asked'),
  );
  return found?.why ?? way.skip?.(at);
}

export interface Plan {
  readonly cases: readonly Coordinates[];
  /** Number of cases that were left out, by reason. */
  readonly left: ReadonlyMap<string, number>;
}

/** How many of the combinations are played. */
export type Extent = 'every combination' | 'every triple' | 'every pair';

/** Every combination for one way: one policy of each that are alike; what is left out here, sparse plans choose from. */
export function wholePlan(way: Way, strategy: StrategyName): Plan {
  const all = sift(way, product(way, strategy));
  const cases = all.cases.filter(
    ({ policy, mode, kind }) =>
      !ALIKE.has(policy) && !mode.startsWith('agent') && kind !== 'own, dispatched',
  );
  return { ...all, cases };
}

/**
 * Every class of policies with every kind of tool and every use of the third field, or every pair
 * of these; of all other combinations one each, chosen by the coordinates themselves, so that a
 * new row moves no other.
 */
export function sparsePlan(
  way: Way,
  strategy: StrategyName,
  extent: Exclude<Extent, 'every combination'>,
): Plan {
  const all = sift(way, product(way, strategy));
  const chosen = new Map<string, { at: Coordinates; rank: number; triple: Triple }>();
  for (const at of all.cases) {
    const kind = isOwn(at) ? 'own' : at.kind;
    const triple = { policy: ALIKE.get(at.policy) ?? at.policy, kind, field: at.field };
    const key = Object.values(triple).join('|');
    const rank = hash(nameOf(at));
    const best = chosen.get(key);
    if (!best || rank < best.rank) chosen.set(key, { at, rank, triple });
  }
  const found = [...chosen.values()];
  const pairs = new Set(pairwise(found.map(({ triple }) => triple)));
  const played = extent === 'every pair' ? found.filter(({ triple }) => pairs.has(triple)) : found;
  return { cases: played.map(({ at }) => at), left: all.left };
}

interface Triple {
  readonly [setting: string]: string;
}

/** Policies that differ in how they come to the same: where not all are played, one of them is. */
const ALIKE: ReadonlyMap<PolicyName, PolicyName> = new Map([
  ['throw', 'deny'],
  ['ask final', 'ask'],
  ['needsApproval final', 'needsApproval'],
  ['needsApproval never', 'watch'],
]);

function sift(way: Way, all: readonly Coordinates[]): Plan {
  const cases: Coordinates[] = [];
  const left = new Map<string, number>();
  for (const at of all) {
    const why = skipped(at, way);
    if (why === undefined) cases.push(at);
    else left.set(why, (left.get(why) ?? 0) + 1);
  }
  return { cases, left };
}

function product({ name: way }: Way, strategy: StrategyName): Coordinates[] {
  const found: Coordinates[] = [];
  for (const policy of ALL_POLICIES)
    for (const kind of KINDS)
      for (const field of FIELDS)
        for (const position of POSITIONS)
          for (const load of LOADS)
            for (const mode of MODES)
              for (const answer of ANSWERS)
                found.push({ strategy, way, policy, kind, field, position, load, mode, answer });
  return found;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
