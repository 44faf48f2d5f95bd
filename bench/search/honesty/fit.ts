import type { ScoreSigns, ToolSearch } from '../../../src/tools/search/index.ts';
import {
  likelihoodOf,
  SCORE_SIGNS,
  type ScoreWeights,
} from '../../../src/tools/search/ranking/index.ts';
import { logisticRegression } from '../../logistic.ts';
import { mean } from '../statistics.ts';
import { markdown, percent } from '../tables.ts';
import type { SentenceGroup } from './sentences.ts';

const PARTS = 10;
const THRESHOLDS = [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15, 0.2];

/** A query with what the score of its first hit follows from. */
export interface SignedQuery {
  readonly group: string;
  readonly isServed: boolean;
  readonly isFirstRight: boolean;
  /** The score as it is now, 0 without a hit. */
  readonly score: number;
  /** Whether the query spells a tool's name. Such a query makes no weights. */
  readonly isNamed: boolean;
  readonly signs: ScoreSigns | undefined;
}

/** Asks the queries of each group over its tools. */
export async function signedQueries(
  create: () => ToolSearch | Promise<ToolSearch>,
  groups: readonly SentenceGroup[],
): Promise<SignedQuery[]> {
  const found: SignedQuery[] = [];
  for (const { name, tools, queries } of groups) {
    const search = await create();
    search.index(tools);
    for (const { text, right } of queries) {
      const [first] = search.search(text, { limit: 5, allows: everything, explain: true });
      const keys = first ? [first.key, ...(first.twins ?? [])] : [];
      found.push({
        ...{ group: name, isServed: right.length > 0, score: first?.score ?? 0 },
        isFirstRight: keys.some((key) => right.includes(key)),
        isNamed: first?.why?.name !== undefined,
        signs: first?.why?.signs,
      });
    }
  }
  return found;
}

/** Weights as text to paste, and what thresholds do with them on queries of other groups. */
export function fitText(
  title: string,
  fitted: readonly SignedQuery[],
  held: readonly SignedQuery[],
): string {
  const weights = weightsOf(fitted);
  const scored = (queries: readonly SignedQuery[]) =>
    queries.map((query) => ({
      ...query,
      score: query.isNamed ? 1 : query.signs ? likelihoodOf(query.signs, weights) : 0,
    }));
  return [
    `${title}, fitted to ${fitted.length} queries:`,
    `weights: { none: ${weights.none.toFixed(2)}, ${SCORE_SIGNS.map((sign) => `${sign}: ${weights[sign].toFixed(2)}`).join(', ')} }`,
    'thresholds on these queries:',
    thresholdTable(scored(fitted)),
    'thresholds on queries and servers that were held out:',
    thresholdTable(scored(held)),
    decileTable([{ title: `${title}, held out`, queries: scored(held) }]),
  ].join('\n');
}

/** The first hit is right or not: a score is how likely it is right. Each group counts by the root of its size. */
function weightsOf(queries: readonly SignedQuery[]): ScoreWeights {
  const sizes = Map.groupBy(queries, ({ group }) => group);
  const examples = queries.flatMap(({ group, signs, isFirstRight, isNamed }) =>
    signs === undefined || isNamed
      ? []
      : [
          {
            signs: SCORE_SIGNS.map((sign) => signs[sign]),
            isRight: isFirstRight,
            weight: 1 / Math.sqrt(sizes.get(group)?.length ?? 1),
          },
        ],
  );
  const [none = 0, ...found] = logisticRegression(examples);
  const pairs = SCORE_SIGNS.map((sign, i) => [sign, found[i] ?? 0] as const);
  return { none, ...Object.fromEntries(pairs) } as ScoreWeights;
}

/** What each threshold says of served queries and of others: the mean of the groups, and the worst one. */
function thresholdTable(queries: readonly SignedQuery[]): string {
  const rows = THRESHOLDS.map((threshold) => {
    const below = (isServed: boolean) => {
      const some = queries.filter((query) => query.isServed === isServed);
      const groups = [...Map.groupBy(some, ({ group }) => group).values()];
      return groups.map((group) => mean(group.map(({ score }) => (score < threshold ? 1 : 0))));
    };
    const [wrong, told] = [below(true), below(false)];
    const figures = [mean(wrong), Math.max(...wrong), mean(told), Math.min(...told)];
    return [threshold.toFixed(2), ...figures.map(percent)];
  });
  return markdown(['threshold', 'wrongly told', 'worst group', 'told', 'least group'], rows);
}

/** The two errors of a way to search, group by group. */
export function errorTable(
  ways: readonly { title: string; fits: number; queries: readonly SignedQuery[] }[],
): string {
  const names = new Set(ways.flatMap(({ queries }) => queries.map(({ group }) => group)));
  const rows = [...names].flatMap((name) =>
    [true, false].flatMap((isServed) => {
      const cells = ways.map(({ fits, queries }) => {
        const some = queries.filter((one) => one.group === name && one.isServed === isServed);
        return some.length === 0
          ? undefined
          : [String(some.length), percent(mean(some.map(({ score }) => (score < fits ? 1 : 0))))];
      });
      const [first] = cells;
      if (first === undefined) return [];
      const label = isServed ? 'served, and wrongly told' : 'not served, and told';
      return [[name, label, first[0] ?? '', ...cells.map((cell) => cell?.[1] ?? '')]];
    }),
  );
  return markdown(['queries', '', 'number', ...ways.map(({ title }) => title)], rows, 2);
}

/** Tenths of the queries by their score: the mean score, and the share of right first hits. */
export function decileTable(
  ways: readonly { title: string; queries: readonly SignedQuery[] }[],
): string {
  const rows = Array.from({ length: PARTS }, (_, part) => [
    String(part + 1),
    ...ways.flatMap(({ queries }) => {
      const sorted = queries.toSorted((a, b) => a.score - b.score);
      const at = (i: number) => Math.floor((i * sorted.length) / PARTS);
      const some = sorted.slice(at(part), at(part + 1));
      return [
        percent(mean(some.map(({ score }) => score))),
        percent(mean(some.map(({ isFirstRight }) => (isFirstRight ? 1 : 0)))),
      ];
    }),
  ]);
  const heads = ways.flatMap(({ title }) => [`${title}: said`, 'right']);
  return markdown(['tenth', ...heads], rows, 1);
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;
