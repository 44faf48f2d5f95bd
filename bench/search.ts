/**
 * Measures how often the built-in search finds the right tool, and how long it takes, on the public
 * retrieval sets of ../shared/retrieval: each set alone, then each set's queries over all tools
 * together. Run: `npx node bench/search.ts`, or with `--dev` for the queries that tuning may see.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ToolDocument, ToolSearch } from '../src/tools/search/index.ts';
import { createLexicalSearch } from '../src/tools/search/lexical.ts';

const MAX_QUERIES = 600;
const data = new URL('../../shared/retrieval/', import.meta.url);
const catalogs = new URL('../../shared/catalogs/', import.meta.url);
const part = process.argv.includes('--dev') ? 'dev' : 'test';

interface Query {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly groups?: readonly (readonly string[])[];
}

interface Schema {
  readonly properties?: Record<string, { description?: unknown }>;
}

interface ListedTool {
  readonly id?: string;
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Schema;
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(new URL(file, data), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function toDocument(tool: ListedTool, key: string, group: string): ToolDocument {
  const parameters = Object.entries(tool.inputSchema?.properties ?? {}).map(([name, schema]) => ({
    name,
    description: typeof schema?.description === 'string' ? schema.description : '',
  }));
  return { key, name: tool.name, group, description: tool.description ?? '', parameters };
}

function readTools(set: string): ToolDocument[] {
  const tools = readLines<ListedTool>(`${set}/tools.jsonl`);
  return tools.map((tool) => toDocument(tool, `${set}/${tool.id}`, tool.server ?? ''));
}

function readCatalogs(): ToolDocument[] {
  if (!existsSync(catalogs)) return [];
  const files = readdirSync(catalogs).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const { tools } = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
    return tools.map((tool: ListedTool) => toDocument(tool, `${file}/${tool.name}`, file));
  });
}

/**
 * The queries of the part, sampled evenly up to a limit. Sets without a split are used completely.
 */
function readQueries(
  set: string,
  file: string,
  splits: Record<string, Record<string, string[]>>,
): Query[] {
  const split = splits[`${set}:${file}`]?.[part];
  const ids = split && new Set(split);
  const queries = readLines<Query>(`${set}/${file}.jsonl`).filter(({ id }) => ids?.has(id) ?? true);
  const step = Math.max(1, queries.length / MAX_QUERIES);
  return queries.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

interface Quality {
  readonly first: number;
  readonly five: number;
  readonly ndcg: number;
  readonly milliseconds: number;
}

function measure(search: ToolSearch, set: string, queries: readonly Query[]): Quality {
  const sum = { first: 0, five: 0, ndcg: 0, milliseconds: 0 };
  for (const { query, gold, groups } of queries) {
    const needs = (groups ?? gold.map((id) => [id])).map(
      (ids) => new Set(ids.map((id) => `${set}/${id}`)),
    );
    const start = performance.now();
    const hits = search.search(query, { limit: 10, allows: () => true });
    sum.milliseconds += performance.now() - start;
    const open = new Set(needs);
    let gain = 0;
    for (const [rank, { key }] of hits.entries()) {
      const met = [...open].find((need) => need.has(key));
      if (met === undefined) continue;
      open.delete(met);
      gain += 1 / Math.log2(rank + 2);
      if (rank < 1) sum.first += 1 / needs.length;
      if (rank < 5) sum.five += 1 / needs.length;
    }
    let ideal = 0;
    for (let rank = 0; rank < Math.min(10, needs.length); rank++) ideal += 1 / Math.log2(rank + 2);
    sum.ndcg += gain / ideal;
  }
  return {
    first: (100 * sum.first) / queries.length,
    five: (100 * sum.five) / queries.length,
    ndcg: (100 * sum.ndcg) / queries.length,
    milliseconds: sum.milliseconds / queries.length,
  };
}

function indexed(documents: readonly ToolDocument[]): { search: ToolSearch; milliseconds: number } {
  const search = createLexicalSearch();
  const start = performance.now();
  search.index(documents);
  return { search, milliseconds: performance.now() - start };
}

function row({ first, five, ndcg, milliseconds }: Quality): string {
  return `${first.toFixed(1)} | ${five.toFixed(1)} | ${ndcg.toFixed(1)} | ${milliseconds.toFixed(2)}`;
}

if (!existsSync(data)) {
  console.log(
    'Skipped: no ../shared/retrieval beside this checkout, so no queries to measure with.',
  );
} else {
  const splits = JSON.parse(readFileSync(new URL('splits.json', data), 'utf8'));
  const sets = readdirSync(data).filter((set) => existsSync(new URL(`${set}/tools.jsonl`, data)));
  const tools = new Map(sets.map((set) => [set, readTools(set)]));
  const everything = [...[...tools.values()].flat(), ...readCatalogs()];
  const together = indexed(everything);
  console.log(`Queries: ${part} where a split exists, at most ${MAX_QUERIES} a set.\n`);
  console.log(
    `| queries | tools | n | R@1 | R@5 | nDCG@10 | mean ms ` +
      `| of all ${everything.length}: R@1 | R@5 | nDCG@10 | mean ms |`,
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const [set, documents] of tools) {
    const { search } = indexed(documents);
    const files = readdirSync(new URL(`${set}/`, data)).filter((file) => /^queries/.test(file));
    for (const file of files.map((name) => name.replace(/\.jsonl$/, ''))) {
      const queries = readQueries(set, file, splits);
      if (queries.length === 0) continue;
      const label = `${set} ${file.replace(/^queries\.?/, '')}`.trim();
      console.log(
        `| ${label} | ${documents.length} | ${queries.length} | ${row(measure(search, set, queries))} ` +
          `| ${row(measure(together.search, set, queries))} |`,
      );
    }
  }
  console.log(
    `\nIndexing ${everything.length} tools: ${together.milliseconds.toFixed(0)} ms. In "of all", ` +
      'tools of other sets that would do as well count as wrong.',
  );
}
