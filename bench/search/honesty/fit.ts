import type { ScoreSigns, ToolSearch } from '../../../src/tools/search/index.ts';
import {
  likelihoodOf,
  SCORE_SIGNS,
  type ScoreModel,
  type ScoreWeights,
  scoreOf,
} from '../../../src/tools/search/ranking/index.ts';
import { logisticRegression } from '../../logistic.ts';
import { mean } from '../statistics.ts';
import { markdown, percent } from '../tables.ts';
import type { SentenceGroup } from './sentences.ts';

const PARTS = 10;
const THRESHOLDS = [0.05, 0.08, 0.1, 0.12, 0.14, 0.15, 0.16, 0.18, 0.2, 0.25];

/** A query with what the score of its first hit follows from. */
export interface SignedQuery {
  readonly group: string;
  readonly set: string;
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
  for (const { name, set, tools, queries } of groups) {
    const search = await create();
    search.index(tools);
    for (const { text, right } of queries) {
      const [first] = search.search(text, { limit: 5, allows: everything, explain: true });
      const keys = first ? [first.key, ...(first.twins ?? [])] : [];
      found.push({
        ...{ group: name, set, isServed: right.length > 0, score: first?.score ?? 0 },
        isFirstRight: keys.some((key) => right.includes(key)),
        isNamed: first?.why?.name !== undefined,
        signs: first?.why?.signs,
      });
    }
  }
  return found;
}

/**
 * Weights as text to paste, and what thresholds do with them on queries and servers that were held out. Each
 * set is also held out whole: its queries are scored with weights that were fitted without the set.
 */
export function fitText(
  title: string,
  model: ScoreModel,
  fitted: readonly SignedQuery[],
  held: readonly SignedQuery[],
): string {
  const own = fit(fitted);
  const bySet = [...Map.groupBy(held, ({ set }) => set)].map(([set, queries]) => {
    const others = fitted.filter((one) => one.set !== set);
    return { set, queries, by: others.length > 0 ? fit(others) : own };
  });
  const served = bySet.flatMap(({ queries, by }) =>
    scored(queries, (signs) => likelihoodOf(signs, by.served)),
  );
  const right = bySet.map(({ set, queries, by }) => ({
    set,
    queries: scored(queries, (signs) => scoreOf(signs, { ...model, ...by })),
  }));
  const all = right.flatMap(({ queries }) => queries);
  return [
    `${title}, fitted to ${fitted.length} queries:`,
    `right: ${weightsText(own.right)}`,
    `served: ${weightsText(own.served)}`,
    'thresholds of `served` on these queries:',
    thresholdTable(scored(fitted, (signs) => likelihoodOf(signs, own.served))),
    'thresholds on queries and servers that were held out, with weights fitted without the set of the query:',
    thresholdTable(served),
    decileTable([{ title: `${title}, held out`, queries: all }]),
    'served queries of the two highest tenths of each set, said and right:',
    highestTable(right),
  ].join('\n');
}

function fit(queries: readonly SignedQuery[]): Pick<ScoreModel, 'right' | 'served'> {
  return {
    right: weightsOf(queries, ({ isFirstRight }) => isFirstRight),
    served: weightsOf(queries, ({ isServed }) => isServed),
  };
}

function weightsText(weights: ScoreWeights): string {
  const signs = (['none', ...SCORE_SIGNS] as const).flatMap((sign) => {
    const weight = weights[sign] ?? 0;
    return weight === 0 ? [] : `${sign}: ${weight.toFixed(2)}`;
  });
  return `{ ${signs.join(', ')} }`;
}

/** The queries with other scores. A query that spells a name has the highest one. */
function scored(
  queries: readonly SignedQuery[],
  scoreOf: (signs: ScoreSigns) => number,
): SignedQuery[] {
  return queries.map((query) => ({
    ...query,
    score: query.isNamed ? 1 : query.signs ? scoreOf(query.signs) : 0,
  }));
}

/** The two highest tenths of the served queries of each set: the mean score, and the share of right hits. */
export function highestTable(
  bySet: readonly { set: string; queries: readonly SignedQuery[] }[],
): string {
  const rows = bySet.map(({ set, queries }) => {
    const sorted = queries
      .filter(({ isServed }) => isServed)
      .sort((a, b) => a.score - b.score)
      .slice(-2 * Math.ceil(queries.filter(({ isServed }) => isServed).length / PARTS));
    const middle = Math.floor(sorted.length / 2);
    return [set, sorted.slice(0, middle), sorted.slice(middle)] as const;
  });
  const shares = (some: readonly SignedQuery[]) => [
    mean(some.map(({ score }) => score)),
    mean(some.map(({ isFirstRight }) => (isFirstRight ? 1 : 0))),
  ];
  const figures = rows.map(([set, ninth, tenth]) => ({
    set,
    values: [...shares(ninth), ...shares(tenth)],
  }));
  const means = [0, 1, 2, 3].map((i) => mean(figures.map(({ values }) => values[i] ?? 0)));
  return markdown(
    ['set', 'ninth tenth: said', 'right', 'highest tenth: said', 'right'],
    [...figures, { set: 'mean', values: means }].map(({ set, values }) => [
      set,
      ...values.map(percent),
    ]),
    1,
  );
}

/**
 * A regression of what `isRight` says. The served queries of each set count the same together, and so do the
 * others; within a set, each group counts the same.
 */
function weightsOf(
  queries: readonly SignedQuery[],
  isRight: (query: SignedQuery) => boolean,
): ScoreWeights {
  const groups = Map.groupBy(queries, ({ group, isServed }) => `${group} ${isServed}`);
  const sets = Map.groupBy(groups.values(), ([one]) => `${one?.set} ${one?.isServed}`);
  const examples = [...sets.values()].flatMap((own) =>
    own.flatMap((group) =>
      group.flatMap((query) =>
        query.signs === undefined || query.isNamed
          ? []
          : [
              {
                signs: valuesOf(query.signs),
                isRight: isRight(query),
                weight: 1 / (own.length * group.length),
              },
            ],
      ),
    ),
  );
  const [none = 0, ...found] = logisticRegression(examples);
  const pairs = SCORE_SIGNS.map((sign, i) => [sign, found[i] ?? 0] as const);
  return { none, ...Object.fromEntries(pairs) };
}

function valuesOf(signs: ScoreSigns): number[] {
  return SCORE_SIGNS.map((sign) => signs[sign]);
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
