/**
 * Compares tables in the search itself. Run:
 * `node training/evaluate.ts RETRIEVAL CATALOGS PART TABLE...`: folders
 * of retrieval sets and of recorded catalogs, `dev` or `test`, and files of tables, or `none`.
 * Prints nDCG@10 and R@5 in percent, and how far each table is from the first one.
 */
import { readFileSync } from 'node:fs';
import { readSets } from '../bench/search/data.ts';
import { judgeNeeds } from '../bench/search/honesty/judge.ts';
import type { Need } from '../bench/search/honesty/need.ts';
import { qualityOf } from '../bench/search/quality.ts';
import { readOwnData, readServers } from '../bench/search/servers.ts';
import { macroEstimate } from '../bench/search/statistics.ts';
import { createLexicalSearch } from '../packages/core/src/search.ts';
import { readVectors } from '../packages/core/src/vectors.ts';

const [retrieval = '', catalogs = '', part = 'dev', ...tables] = process.argv.slice(2);
const isTest = part === 'test';
/** Sets that have no part in training. */
const UNSEEN = /^(livemcpbench|apibank)/;

/** nDCG@10 and R@5 of one query. For a need of served.jsonl, R@1 and R@5. */
type Figures = readonly [number, number];
type Measured = ReadonlyMap<string, readonly Figures[]>;

async function measure(table: string): Promise<Measured> {
  const vectors = table === 'none' ? undefined : readVectors(readFileSync(table));
  const create = () => createLexicalSearch(vectors ? { vectors } : {});
  const measured = new Map<string, readonly Figures[]>();
  for (const { name, tools, queries } of readSets(retrieval, isTest ? 'test' : 'dev')) {
    const search = create();
    search.index(tools);
    const figures = queries.map((query): Figures => {
      const hits = search.search(query.text, { limit: 10, allows: () => true });
      const keys = hits.flatMap(({ key, twins = [] }) => [key, ...twins]);
      const { ndcg, r5 } = qualityOf(keys, query);
      return [ndcg, r5];
    });
    measured.set(name, figures);
  }
  const half = isTest ? 'report' : 'calibration';
  const judged = await judgeNeeds(create, readOwnData<Need>('served.jsonl'), readServers(catalogs));
  for (const kind of ['plain', 'reworded']) {
    const needs = judged.filter((need) => need.half === half && need.kind === kind);
    measured.set(
      `served, ${kind}`,
      needs.map(({ r1, r5 }): Figures => [r1, r5]),
    );
  }
  return measured;
}

function samples(measured: Measured, sets: readonly string[], at: 0 | 1): number[][] {
  return sets.map((set) => (measured.get(set) ?? []).map((each) => 100 * each[at]));
}

/** The mean over sets, and with another table the interval of the difference to it. */
function text(measured: Measured, before: Measured, sets: readonly string[], at: 0 | 1): string {
  const own = samples(measured, sets, at);
  const shown = macroEstimate(own).mean.toFixed(1);
  if (measured === before) return shown;
  const other = samples(before, sets, at);
  const differences = own.map((list, set) => list.map((each, i) => each - (other[set]?.[i] ?? 0)));
  const { low, high } = macroEstimate(differences);
  return `${shown} (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

const [first, ...others] = await Promise.all(tables.map(measure));
if (first === undefined) throw new Error('No table is given.');
const names = [...first.keys()];
const sets = names.filter((name) => !name.startsWith('served'));
const groups: readonly (readonly [string, readonly string[]])[] = [
  ...names.map((name) => [name, [name]] as const),
  ['all sets', sets],
  ['sets without a part in training', sets.filter((name) => UNSEEN.test(name))],
];
console.log(`set | ${tables.join(' | ')}`);
for (const [title, members] of groups) {
  if (members.length === 0) continue;
  const figures = [first, ...others].map((each) =>
    ([0, 1] as const).map((at) => text(each, first, members, at)).join(' / '),
  );
  console.log(`${title} | ${figures.join(' | ')}`);
}
