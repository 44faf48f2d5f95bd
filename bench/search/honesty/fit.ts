import {
  likelihoodOf,
  SCORE_SIGNS,
  type ScoreModel,
  type ScoreWeights,
  scoreOf,
} from '../../../packages/core/src/search/likelihood.ts';
import type { ScoreSigns, ToolSearch } from '../../../packages/core/src/search.ts';
import { logisticRegression } from '../../logistic.ts';
import { mean } from '../statistics.ts';
import { markdown, percent } from '../tables.ts';
import { ELSEWHERE, FEW, FOREIGN, OWN, type SentenceGroup, VERY_FEW } from './sentences.ts';

const PARTS = 10;
const THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
/** Of the served queries of a group for calibration, so many get a doubt, as a mean of the groups. */
const WRONG = 0.035;

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

/** Asks the queries of each group over its tools, with a search that is created for the set of the group. */
export async function signedQueries(
  create: (set: string) => ToolSearch | Promise<ToolSearch>,
  groups: readonly SentenceGroup[],
): Promise<SignedQuery[]> {
  const found: SignedQuery[] = [];
  for (const { name, set, tools, queries } of groups) {
    const search = await create(set);
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
 * Numbers as text to paste, and what they do on queries and servers that were held out. Each set is also held
 * out whole: its queries are scored with numbers that were found without the set, `doubt` included.
 */
export function fitText(
  title: string,
  model: ScoreModel,
  fitted: readonly SignedQuery[],
  held: readonly SignedQuery[],
): string {
  const own = fit(fitted, model);
  const bySet = [...Map.groupBy(held, ({ set }) => set)].map(([set, queries]) => {
    const others = fitted.filter((one) => one.set !== set);
    const isFitted = others.length > 0 && others.length < fitted.length;
    const by = isFitted ? fit(others, model) : own;
    return { set, by, queries: scored(queries, (signs) => scoreOf(signs, { ...model, ...by })) };
  });
  const all = bySet.flatMap(({ queries }) => queries);
  return [
    `${title}, fitted to ${fitted.length} queries:`,
    `right: ${weightsText(own.right)}`,
    `served: ${weightsText(own.served)}`,
    `doubt: ${own.doubt.toFixed(2)}`,
    'thresholds of `served` on these queries:',
    thresholdTable(scored(fitted, (signs) => likelihoodOf(signs, own.served))),
    'queries and servers that were held out, with numbers that were found without the set of the query:',
    ...bySet.map(({ set, by }) => `${set}: doubt ${by.doubt.toFixed(2)}`),
    errorTable([{ title, fits: model.scale.fits, queries: all }]),
    decileTable([{ title: `${title}, held out`, queries: all }]),
    'served queries of the two highest tenths of each set, said and right:',
    highestTable(bySet),
  ].join('\n');
}

/** Finds the weights of the signs that the model names, and `doubt`. */
function fit(
  queries: readonly SignedQuery[],
  model: ScoreModel,
): Pick<ScoreModel, 'right' | 'served' | 'doubt'> {
  const named = (weights: ScoreWeights) =>
    SCORE_SIGNS.filter((sign) => sign in weights && sign !== 'fewTools');
  const right = weightsOf(queries, ({ isFirstRight }) => isFirstRight, named(model.right));
  const mean = weightsOf(queries, ({ isServed }) => isServed, named(model.served));
  // A regression is about the mean query, and a doubt about few, so this weight is not from it.
  const served = { ...mean, fewTools: model.served.fewTools ?? 0 };
  const rated = scored(queries, (signs) => likelihoodOf(signs, served));
  return { right, served, doubt: thresholdOf(rated) };
}

/** The highest threshold with so few wrong doubts. */
function thresholdOf(queries: readonly SignedQuery[]): number {
  const served = queries.filter(({ isServed }) => isServed).map(({ score }) => score);
  const scores = [...new Set(served)].sort((a, b) => a - b);
  let low = 0;
  let high = scores.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shareBelow(queries, true, scores[middle] ?? 1) <= WRONG) low = middle + 1;
    else high = middle;
  }
  return scores[low - 1] ?? 0;
}

/** The share of queries with a lower score, as a mean of the groups. */
function shareBelow(queries: readonly SignedQuery[], isServed: boolean, score: number): number {
  return mean(sharesBelow(queries, isServed, score));
}

function sharesBelow(
  queries: readonly SignedQuery[],
  isServed: boolean,
  threshold: number,
): number[] {
  const some = queries.filter((query) => query.isServed === isServed);
  const groups = [...Map.groupBy(some, ({ group }) => group).values()];
  return groups.map((group) => mean(group.map(({ score }) => (score < threshold ? 1 : 0))));
}

function weightsText(weights: ScoreWeights): string {
  const signs = (['none', ...SCORE_SIGNS] as const).flatMap((sign) => {
    const weight = weights[sign] ?? 0;
    return weight === 0 ? [] : `${sign}: ${Number(weight.toFixed(2))}`;
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
  names: readonly (keyof ScoreSigns)[],
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
                signs: valuesOf(query.signs, names),
                isRight: isRight(query),
                weight: 1 / (own.length * group.length),
              },
            ],
      ),
    ),
  );
  const [none = 0, ...found] = logisticRegression(examples);
  const pairs = names.map((sign, i) => [sign, found[i] ?? 0] as const);
  return { none, ...Object.fromEntries(pairs) };
}

function valuesOf(signs: ScoreSigns, names: readonly (keyof ScoreSigns)[]): number[] {
  return names.map((sign) => signs[sign]);
}

/** What each threshold says of served queries and of others: the mean of the groups, and the worst one. */
function thresholdTable(queries: readonly SignedQuery[]): string {
  const rows = THRESHOLDS.map((threshold) => {
    const [wrong, told] = [true, false].map((is) => sharesBelow(queries, is, threshold));
    const figures = [
      mean(wrong ?? []),
      Math.max(...(wrong ?? [])),
      mean(told ?? []),
      Math.min(...(told ?? [])),
    ];
    return [threshold.toFixed(2), ...figures.map(percent)];
  });
  return markdown(['threshold', 'wrongly told', 'worst group', 'told', 'least group'], rows);
}

const COLUMNS: readonly { title: string; ending: string; isServed: boolean }[] = [
  { title: 'wrong: own tools', ending: OWN, isServed: true },
  { title: 'few tools', ending: FEW, isServed: true },
  { title: 'very few', ending: VERY_FEW, isServed: true },
  { title: 'told: elsewhere', ending: ELSEWHERE, isServed: false },
  { title: 'another set', ending: FOREIGN, isServed: false },
  { title: 'own needs', ending: OWN, isServed: false },
];

/** The two errors of each way to search: a row for each file of queries, with what it is asked over. */
export function errorTable(
  ways: readonly { title: string; fits: number; queries: readonly SignedQuery[] }[],
): string {
  const rows = ways.flatMap(({ title, fits, queries }) => {
    const names = new Set(queries.map(({ group }) => group.replace(/,.*/, '')));
    const shares = [...names].map((name) =>
      COLUMNS.map(({ ending, isServed }) => {
        const some = queries.filter(
          (one) => one.group === name + ending && one.isServed === isServed,
        );
        return some.map(({ score }) => (score < fits ? 1 : 0));
      }),
    );
    const cells = [...names].map((name, n) => [
      ...[name, title, String(shares[n]?.[0]?.length ?? 0)],
      ...(shares[n] ?? []).map((share) => (share.length === 0 ? '' : percent(mean(share)))),
    ]);
    const means = COLUMNS.map((_, column) =>
      percent(mean(shares.flatMap((row) => (row[column]?.length ? mean(row[column]) : [])))),
    );
    return [...cells, ['mean', title, '', ...means]];
  });
  return markdown(['queries', 'search', 'number', ...COLUMNS.map(({ title }) => title)], rows, 2);
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
