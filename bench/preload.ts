/**
 * Measures how often a preloaded schema is a right one, on the queries of
 * ../shared/retrieval/livemcpbench over its tools alone and with ../shared/catalogs added, and how
 * often small talk preloads any. Run: `npx node bench/preload.ts`, or with `--dev` for the queries
 * that tuning may use.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { preloadBy } from '../src/agent/routing/narrowing.ts';
import {
  CLEAR_HIT,
  type ClearHit,
  choosePreload,
  matchedCategories,
  PRELOAD_LIMIT,
} from '../src/agent/routing/preload-choice.ts';
import { createRouter } from '../src/agent/routing/routing.ts';
import { ROUTED_PHRASES } from '../src/agent/routing-phrases.test-support.ts';
import type { Addressed } from '../src/tools/access/glob.ts';
import { canonicalName, groupSlug } from '../src/tools/names/names.ts';
import type { SearchHit, ToolDocument } from '../src/tools/search/index.ts';
import { createLexicalSearch } from '../src/tools/search/lexical.ts';
import { definitionTokens } from '../src/tools/tokens/ledger.ts';
import { estimateTokens } from '../src/tools/tokens/tokens.ts';

const retrieval = new URL('../../shared/retrieval/', import.meta.url);
const catalogs = new URL('../../shared/catalogs/', import.meta.url);
const MAX_QUERIES = 400;

interface Schema {
  readonly properties?: Record<string, { description?: unknown } | undefined>;
}

interface Listed extends Addressed {
  readonly id: string;
  readonly document: ToolDocument;
  readonly tokens: number;
}

interface RawTool {
  readonly id?: string;
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Schema;
}

interface Query {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly groups?: readonly (readonly string[])[];
}

/** What is known about a turn before schemas are chosen. */
interface Turn {
  readonly right: ReadonlySet<string>;
  readonly matched: ReturnType<typeof matchedCategories>;
  readonly hits: readonly SearchHit[];
  /**
   * What the agent preloads: it searches for each clause alone, and takes at most three schemas.
   */
  readonly preloaded: readonly string[];
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(new URL(file, retrieval), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function toListed(tool: RawTool, server: string): Listed {
  const { name: bare, description = '', inputSchema = {} } = tool;
  const groupId = `mcp:${server}`;
  const name = canonicalName(groupSlug(groupId), bare);
  const parameters = Object.entries(inputSchema.properties ?? {}).map(([key, schema]) => ({
    name: key,
    description: typeof schema?.description === 'string' ? schema.description : '',
  }));
  return {
    id: tool.id ?? '',
    name,
    bare,
    groupId,
    document: { key: name, name: bare, group: server, description, parameters },
    tokens: definitionTokens({ name, description, parameters: { ...inputSchema } }, estimateTokens),
  };
}

function readSet(set: string): Listed[] {
  return readLines<RawTool>(`${set}/tools.jsonl`).map((tool) => toListed(tool, tool.server ?? set));
}

function readCatalogs(): Listed[] {
  if (!existsSync(catalogs)) return [];
  const files = readdirSync(catalogs).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const { server, tools } = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
    return tools.map((tool: RawTool) => toListed(tool, `captured-${server}`));
  });
}

const router = createRouter();
const preloadFor = preloadBy(router);

function ask(tools: readonly Listed[], queries: readonly Query[]): Turn[] {
  const search = createLexicalSearch();
  search.index(tools.map(({ document }) => document));
  const nameOf = new Map(tools.map(({ id, name }) => [id, name]));
  const sizes = new Map(tools.map(({ name, tokens }) => [name, tokens]));
  return queries.map(({ query, gold, groups = [] }) => ({
    right: new Set([...gold, ...groups.flat()].map((id) => nameOf.get(id) ?? id)),
    matched: matchedCategories(router.match({ user: query }), tools),
    hits: search.search(query, { limit: PRELOAD_LIMIT.schemas + 1, allows: () => true }),
    preloaded: preloadFor({
      user: query,
      isNew: true,
      rounds: 0,
      tools,
      search: (text, limit) => search.search(text, { limit, allows: () => true }),
      hasShown: () => false,
      tokensOf: (name) => sizes.get(name),
    }).slice(0, PRELOAD_LIMIT.schemas),
  }));
}

type Choice = (turn: Turn) => readonly string[];

function row(
  label: string,
  turns: readonly Turn[],
  choice: Choice,
  tokens: (name: string) => number,
) {
  let schemas = 0;
  let right = 0;
  let hit = 0;
  let some = 0;
  let size = 0;
  for (const one of turns) {
    const chosen = choice(one);
    const good = chosen.filter((name) => one.right.has(name)).length;
    schemas += chosen.length;
    right += good;
    hit += good > 0 ? 1 : 0;
    some += chosen.length > 0 ? 1 : 0;
    size += chosen.reduce((sum, name) => sum + tokens(name), 0);
  }
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : ((100 * part) / whole).toFixed(0);
  const each = turns.length;
  console.log(
    `| ${label} | ${share(right, schemas)} | ${share(hit, each)} | ${share(some, each)} ` +
      `| ${(schemas / each).toFixed(2)} | ${(size / each).toFixed(0)} |`,
  );
}

function report(title: string, tools: readonly Listed[], turns: readonly Turn[]): void {
  const sizes = new Map(tools.map(({ name, tokens }) => [name, tokens]));
  const tokens = (name: string) => sizes.get(name) ?? 0;
  const choose =
    (clear: ClearHit): Choice =>
    ({ matched, hits }) =>
      choosePreload({ matched, hits, clear, already: new Set(), tokensOf: tokens });
  console.log(`\n${title}: ${turns.length} queries, ${tools.length} tools\n`);
  console.log('| preloaded | right, % of schemas | one right, % | any, % | schemas | tokens |');
  console.log('|---|--:|--:|--:|--:|--:|');
  row('the best hit, always', turns, ({ hits }) => hits.slice(0, 1).map(({ key }) => key), tokens);
  row('three best, always', turns, ({ hits }) => hits.slice(0, 3).map(({ key }) => key), tokens);
  row('**as the agent does, clause by clause**', turns, ({ preloaded }) => preloaded, tokens);
  for (const margin of [1, 1.25, 1.5, 2]) {
    const chosen = margin === CLEAR_HIT.margin ? ' (chosen)' : '';
    row(`margin ${margin}${chosen}`, turns, choose({ ...CLEAR_HIT, margin }), tokens);
  }
  for (const [confirmed, other] of [
    [0, 0],
    [0.8, 0.8],
    [0.8, 0.92],
    [0.8, 1],
    [0.9, 0.9],
  ] as const) {
    const label = `margin ${CLEAR_HIT.margin}, least ${confirmed} in a category, else ${other}`;
    row(label, turns, choose({ ...CLEAR_HIT, confirmed, alone: other }), tokens);
  }
  const none = { margin: 1, confirmed: 9, alone: 9 };
  row('small categories, no clear hits', turns, choose(none), tokens);
  const alone: Choice = ({ matched }) =>
    matched.flatMap(({ tools: few }) => (few.length <= 3 ? few : [])).slice(0, 3);
  row('small categories without any hit', turns, alone, tokens);
}

function devQueries(set: string): Query[] {
  const splits = JSON.parse(readFileSync(new URL('splits.json', retrieval), 'utf8'));
  const ids = new Set(splits[`${set}:queries`]?.dev);
  return readLines<Query>(`${set}/queries.jsonl`)
    .filter(({ id }) => ids.has(id))
    .slice(0, MAX_QUERIES);
}

if (!existsSync(retrieval)) {
  console.log(
    'Skipped: no ../shared/retrieval beside this checkout, so no queries to measure with.',
  );
} else if (process.argv.includes('--dev')) {
  for (const set of ['stabletoolbench', 'toollinkos', 'bfcl']) {
    const tools = readSet(set);
    report(`${set}, dev`, tools, ask(tools, devQueries(set)));
  }
} else {
  const tools = readSet('livemcpbench');
  const all = [...tools, ...readCatalogs()];
  for (const file of ['queries', 'queries.steps', 'queries.model']) {
    const queries = readLines<Query>(`livemcpbench/${file}.jsonl`);
    report(`livemcpbench ${file}`, tools, ask(tools, queries));
    report(`livemcpbench ${file}, other servers added`, all, ask(all, queries));
  }
  const talk = ROUTED_PHRASES.filter(
    ([user, expected, assistant]) =>
      expected === '' && assistant === undefined && user.length < 200,
  ).map(([query], i): Query => ({ id: String(i), query, gold: [] }));
  report('small talk and lookalikes (nothing is right)', all, ask(all, talk));
}
