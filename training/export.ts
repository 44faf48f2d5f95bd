/**
 * Writes what training reads: every tool and query as words, split as the search splits them, and
 * the hits of the lexical search. Run:
 * `node training/export.ts RETRIEVAL CATALOGS PAIRS OUT`, folders of
 * retrieval sets, of recorded catalogs and of pairs, and the folder to write. Stops if a tool or a query
 * of the pairs, or a phrase, is also one that is only measured with.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchWords } from '../packages/core/src/near-names.ts';
import { createLexicalSearch, type ToolDocument } from '../packages/core/src/search.ts';
import { overlaps, type Pair } from './disjoint.ts';
import { readPhrases } from './read-phrases.ts';

const [retrieval = '', catalogs = '', pairs = '', out = ''] = process.argv.slice(2);
const HITS = 200;
const MAX_TESTED = 600;

interface ListedTool {
  readonly id?: string;
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: { readonly properties?: Record<string, { description?: unknown }> };
  readonly queries?: readonly string[];
}

interface ListedQuery {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly groups?: readonly (readonly string[])[];
}

/** `train` may be learned from; `test` and `report` are for figures only. */
type Part = 'train' | 'test' | 'report' | 'unused';

interface Query {
  readonly set: string;
  readonly file: string;
  readonly part: Part;
  readonly text: string;
  readonly needs: readonly (readonly string[])[];
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

function toDocument(tool: ListedTool, key: string, group: string): ToolDocument {
  const parameters = Object.entries(tool.inputSchema?.properties ?? {}).map(([name, schema]) => ({
    name,
    description: typeof schema?.description === 'string' ? schema.description : '',
  }));
  return { key, name: tool.name, group, description: tool.description ?? '', parameters };
}

/** The sets that queries may be learned from; all others are reported only. */
const LEARNED = new Set([
  'metatool:queries',
  'metatool:queries.train',
  'bfcl:queries',
  'stabletoolbench:queries',
  'toollinkos:queries',
]);

function partsOf(splits: Record<string, { dev: string[]; test: string[] }>, source: string) {
  const dev = new Set(splits[source]?.dev);
  return (id: string): Part => {
    if (source === 'seal-tools:queries.dev') return 'train';
    if (!LEARNED.has(source)) return 'report';
    if (dev.has(id)) return 'train';
    return source === 'metatool:queries.train' ? 'unused' : 'test';
  };
}

/** Sets whose tools and queries are only measured with. */
const UNSEEN = ['livemcpbench', 'apibank-toolsearcher'];
/** Files of queries of this project, which are only measured with. */
const OWN_QUERIES = join(import.meta.dirname, '../bench/search/data');

function sample<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

const splits = JSON.parse(readFileSync(join(retrieval, 'splits.json'), 'utf8'));
const sets = readdirSync(retrieval).filter((set) =>
  existsSync(join(retrieval, set, 'tools.jsonl')),
);
const tools = new Map<string, ToolDocument[]>();
const queries: Query[] = [];
/** Every query that is only measured with. */
const asked = new Set<string>();
for (const set of sets) {
  const listed = readLines<ListedTool>(join(retrieval, set, 'tools.jsonl'));
  tools.set(
    set,
    listed.map((tool) => toDocument(tool, `${set}/${tool.id}`, tool.server ?? '')),
  );
  for (const name of readdirSync(join(retrieval, set)).filter((file) => /^queries/.test(file))) {
    const file = name.replace(/\.jsonl$/, '');
    const partOf = partsOf(splits, `${set}:${file}`);
    const read = readLines<ListedQuery>(join(retrieval, set, name)).map((query) => ({
      set,
      file,
      part: partOf(query.id),
      text: query.query,
      needs: (query.groups ?? query.gold.map((id) => [id])).map((ids) =>
        ids.map((id) => `${set}/${id}`),
      ),
    }));
    const isTrained = (query: Query) => query.part === 'train';
    const isTested = (query: Query) => query.part === 'test' || query.part === 'report';
    const tested = read.filter(isTested);
    for (const { text } of tested) asked.add(text);
    queries.push(...read.filter(isTrained), ...sample(tested, MAX_TESTED));
  }
}
const unseen = UNSEEN.flatMap((set) => readLines<ListedTool>(join(retrieval, set, 'tools.jsonl')));
const recorded = readdirSync(catalogs).filter((file) => file.endsWith('.json'));
tools.set(
  'catalogs',
  recorded.flatMap((file) => {
    const catalog = JSON.parse(readFileSync(join(catalogs, file), 'utf8'));
    unseen.push(...catalog.tools.map((tool: ListedTool) => ({ ...tool, server: catalog.server })));
    return catalog.tools.map((tool: ListedTool) => toDocument(tool, `${file}/${tool.name}`, file));
  }),
);
for (const name of readdirSync(OWN_QUERIES).filter((file) => file.endsWith('.jsonl')))
  for (const { query } of readLines<{ query: string }>(join(OWN_QUERIES, name))) asked.add(query);
const written = existsSync(pairs) ? readdirSync(pairs).filter((name) => /\.jsonl$/.test(name)) : [];
const all: Pair[] = [];
for (const name of written) {
  const set = `pairs-${name.replace(/\.jsonl$/, '')}`;
  const listed = readLines<ListedTool>(join(pairs, name));
  all.push(...listed.map((tool, i) => ({ ...tool, place: `${name}:${i + 1}` })));
  tools.set(
    set,
    listed.map((tool, i) => toDocument(tool, `${set}/${i}`, tool.server ?? '')),
  );
  for (const [i, tool] of listed.entries()) {
    for (const text of tool.queries ?? [])
      queries.push({ set, file: 'queries', part: 'train', text, needs: [[`${set}/${i}`]] });
  }
}
for (const { phrases } of readPhrases())
  all.push(...phrases.map((one) => ({ place: 'phrases.tsv', name: 'phrase', queries: [one] })));
const seen = overlaps(all, unseen, asked);
if (seen.length > 0) throw new Error(`The pairs are not disjoint:\n${seen.join('\n')}`);

function wordsOf(document: ToolDocument, set: string): string {
  const parameters = document.parameters ?? [];
  return JSON.stringify({
    key: document.key,
    set,
    name: searchWords(document.name),
    group: searchWords(document.group),
    description: searchWords((document.description ?? '').slice(0, 4000)),
    parameters: searchWords(parameters.map(({ name }) => name).join(' ')).slice(0, 200),
    details: searchWords(parameters.map((each) => each.description ?? '').join(' ')).slice(0, 300),
  });
}

function indexOf(documents: readonly ToolDocument[]) {
  const search = createLexicalSearch();
  search.index(documents);
  return (text: string) =>
    search
      .search(text, { limit: HITS, allows: () => true })
      .map(({ key, score }) => [key, Number(score.toFixed(5))]);
}

mkdirSync(out, { recursive: true });
const lines = [...tools].flatMap(([set, list]) => list.map((document) => wordsOf(document, set)));
writeFileSync(join(out, 'tools.jsonl'), `${lines.join('\n')}\n`);

const bySet = new Map([...tools].map(([set, list]) => [set, indexOf(list)]));
const rows = queries.map((query) => {
  const { set, file, part, text, needs } = query;
  const hits = bySet.get(set)?.(text) ?? [];
  return JSON.stringify({ set, file, part, needs, words: searchWords(text.slice(0, 1000)), hits });
});
writeFileSync(join(out, 'queries.jsonl'), `${rows.join('\n')}\n`);
console.log(`${lines.length} tools, ${rows.length} queries`);
