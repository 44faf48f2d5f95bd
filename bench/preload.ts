/**
 * Measures how often a preloaded schema is a right one, with the search by words and with word
 * vectors, on the queries of livemcpbench over its tools alone and with captured catalogs added, and
 * how often small talk preloads any. `--dev` prints the weights of the signs and the curve over
 * likelihoods, from development queries alone. `--failures` prints each query that preloads nothing
 * right. `--data` and `--catalogs` name the folders. `--ordinary` measures ordinary messages of users instead.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  candidatesFor,
  choosePreload,
  likelihoodOf,
  PRELOAD_LIMIT,
  type PreloadCandidate,
  SIGN_WEIGHTS,
  SIGNS,
} from '../packages/agent/src/routing/preload-choice.ts';
import { createRouter } from '../packages/agent/src/routing/routing.ts';
import { ROUTED_PHRASES } from '../packages/agent/test/routing-phrases.test-support.ts';
import { createToolLayer } from '../packages/core/src/index.ts';
import { DEFAULT_WORKLOAD } from '../packages/core/src/request/cost.ts';
import { parametersOf } from '../packages/core/src/schema/schema.ts';
import {
  createLexicalSearch,
  type ToolDocument,
  type WordVectors,
} from '../packages/core/src/search.ts';
import { canonicalName, groupSlug } from '../packages/core/src/tool/names.ts';
import { definitionTokens, estimateTokens } from '../packages/core/src/tool/tokens.ts';
import type { Addressed } from '../packages/core/src/values/glob.ts';
import { loadVectors } from '../packages/core/src/vectors.ts';
import { type Example, logisticRegression, logLoss } from './logistic.ts';
import { measureOrdinary } from './preload/ordinary.ts';

const shared = (folder: string) =>
  fileURLToPath(new URL(`../../shared/${folder}`, import.meta.url));
const { values: args } = parseArgs({
  options: {
    data: { type: 'string', default: shared('retrieval') },
    catalogs: { type: 'string', default: shared('catalogs') },
    dev: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
    ordinary: { type: 'boolean', default: false },
  },
});
/** Queries of each development set: an even sample. */
const MAX_QUERIES = 300;

interface Listed extends Addressed {
  /** As the queries name it. */
  readonly id: string;
  readonly document: ToolDocument;
  readonly tokens: number;
}

interface RawTool {
  readonly id?: string;
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

interface Query {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly groups?: readonly (readonly string[])[];
}

/** A query with what may be preloaded for it. */
interface Turn {
  readonly query: string;
  readonly right: ReadonlySet<string>;
  /** The right tools of each need: one of them is enough. */
  readonly needs: readonly (readonly string[])[];
  /** Tokens of a request without messages. */
  readonly requestTokens: number;
  readonly candidates: readonly PreloadCandidate[];
  readonly hits: readonly string[];
  readonly sizes: ReadonlyMap<string, number>;
}

interface TurnSet {
  readonly name: string;
  readonly tools: number;
  readonly turns: readonly Turn[];
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function toListed(tool: RawTool, server: string, id = tool.id ?? ''): Listed {
  const { name: bare, description = '', inputSchema = {} } = tool;
  const groupId = `mcp:${server}`;
  const name = canonicalName(groupSlug(groupId), bare);
  const parameters = parametersOf(inputSchema);
  return {
    ...{ id, name, bare, groupId },
    document: { key: name, name: bare, group: server, description, parameters },
    tokens: definitionTokens({ name, description, parameters: { ...inputSchema } }, estimateTokens),
  };
}

function readSet(set: string): Listed[] {
  const tools = readLines<RawTool>(join(args.data, set, 'tools.jsonl'));
  return tools.map((tool) => toListed(tool, tool.server ?? set));
}

/** Captured tool lists by file name. Ids are `file/tool`. */
function readCatalogs(prefix = ''): Map<string, Listed[]> {
  if (!existsSync(args.catalogs)) return new Map();
  const files = readdirSync(args.catalogs).filter((file) => file.endsWith('.json'));
  return new Map(
    files.sort().map((file) => {
      const label = file.slice(0, -'.json'.length);
      const { server, tools } = JSON.parse(readFileSync(join(args.catalogs, file), 'utf8'));
      const listed = tools.map((tool: RawTool) =>
        toListed(tool, `${prefix}${server}`, `${label}/${tool.name}`),
      );
      return [label, listed];
    }),
  );
}

const router = createRouter();

function turnsOf(
  tools: readonly Listed[],
  queries: readonly Query[],
  vectors: WordVectors | undefined,
): Turn[] {
  const index = createLexicalSearch(vectors ? { vectors } : {});
  index.index(tools.map(({ document }) => document));
  const allows = () => true;
  // As the agent searches: nothing where no tool fits.
  const search = (text: string, limit: number) => {
    const hits = index.search(text, { limit, allows });
    return (hits[0]?.score ?? 0) < (index.scale?.fits ?? 0) ? [] : hits;
  };
  const nameOf = new Map(tools.map(({ id, name }) => [id, name]));
  const sizes = new Map(tools.map(({ name, tokens }) => [name, tokens]));
  const tokensOf = (name: string) => sizes.get(name);
  const requestTokens = tokensOfRequest(tools);
  const turn = {
    ...{ isNew: true, rounds: 0, tools, search, hasShown: () => false, tokensOf },
    requestTokens: () => requestTokens,
  };
  const named = (ids: readonly string[]) => ids.map((id) => nameOf.get(id) ?? id);
  return queries.map(({ query, gold, groups = [] }) => ({
    ...{ query, requestTokens },
    right: new Set(named([...gold, ...groups.flat()])),
    needs: (groups.length > 0 ? groups : gold.map((id) => [id])).map(named),
    hits: search(query, 3).map(({ key }) => key),
    candidates: candidatesFor(router, { ...turn, user: query }),
    sizes,
  }));
}

/** Tokens of the catalog of these tools and of the tools that `dispatch` declares. */
function tokensOfRequest(tools: readonly Listed[]): number {
  const groups = [...Map.groupBy(tools, ({ groupId }) => groupId ?? '')].map(([groupId, some]) => ({
    groupId,
    toolNames: some.map(({ bare }) => bare),
    loader: async () => [],
  }));
  const { system, tools: declared } = createToolLayer({ groups, strategy: 'dispatch' })
    .session()
    .present([]);
  return estimateTokens(system) + estimateTokens(JSON.stringify(declared));
}

function preloadedIn(turn: Turn, least?: number): readonly string[] {
  const { candidates, sizes, requestTokens } = turn;
  const tokensOf = (name: string) => sizes.get(name);
  const rule = least === undefined ? { requestTokens: () => requestTokens } : { least };
  return choosePreload({ candidates, ...rule, hasShown: () => false, tokensOf });
}

/** Tokens of a call and of its result, as loads and other calls have them. */
const CALL = 60;

/**
 * The requests of a turn and the tokens they send: a call of the tool of each need, and a load if a need
 * has no schema yet. What was preloaded or loaded is sent with later requests of the conversation too. Their
 * number does not depend on loads.
 */
function costOf({ needs, sizes, requestTokens }: Turn, chosen: readonly string[]) {
  const sizeOf = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const missing = needs.filter((names) => !names.some((name) => chosen.includes(name)));
  const loaded = missing.length > 0 ? CALL + sizeOf(missing.flatMap(([name]) => name ?? [])) : 0;
  let length = requestTokens + sizeOf(chosen);
  let sent = length;
  let requests = 1;
  const again = (tokens: number) => {
    length += tokens;
    sent += length;
    requests++;
  };
  if (missing.length > 0) again(loaded);
  for (const _ of needs) again(CALL);
  const later = Math.max(0, DEFAULT_WORKLOAD.turns - 1 - needs.length);
  return { requests, sent: sent + later * (sizeOf(chosen) + loaded) };
}

function row(label: string, turns: readonly Turn[], choose: (turn: Turn) => readonly string[]) {
  let [schemas, right, hit, some, size, requests, sent] = [0, 0, 0, 0, 0, 0, 0];
  for (const turn of turns) {
    const chosen = choose(turn);
    const good = chosen.filter((name) => turn.right.has(name)).length;
    schemas += chosen.length;
    right += good;
    hit += good > 0 ? 1 : 0;
    some += chosen.length > 0 ? 1 : 0;
    size += chosen.reduce((sum, name) => sum + (turn.sizes.get(name) ?? 0), 0);
    const cost = costOf(turn, chosen);
    requests += cost.requests;
    sent += cost.sent;
  }
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : ((100 * part) / whole).toFixed(0);
  const each = turns.length;
  console.log(
    `| ${label} | ${share(right, schemas)} | ${share(hit, each)} | ${share(some, each)} ` +
      `| ${(schemas / each).toFixed(2)} | ${(size / each).toFixed(0)} ` +
      `| ${(requests / each).toFixed(2)} | ${(sent / each).toFixed(0)} |`,
  );
}

function report({ name, tools, turns }: TurnSet): void {
  console.log(`\n${name}: ${turns.length} queries, ${tools} tools\n`);
  console.log(
    '| preloaded | right, % of schemas | one right, % | any, % | schemas | tokens | requests | sent |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
  row('nothing', turns, () => []);
  row('the best hit, always', turns, ({ hits }) => hits.slice(0, 1));
  row('three best, always', turns, ({ hits }) => hits);
  for (const least of [0.25, 0.35, 0.5])
    row(`likelihood from ${least}`, turns, (turn) => preloadedIn(turn, least));
  row('**where it saves tokens, as the agent does**', turns, (turn) => preloadedIn(turn));
  row('any right candidate (the most that a choice can reach)', turns, ({ candidates, right }) =>
    candidates.flatMap(({ key }) => (right.has(key) ? [key] : [])).slice(0, PRELOAD_LIMIT.schemas),
  );
}

function printFailures({ name, turns }: TurnSet): void {
  console.log(`\n${name}: queries without a right schema\n`);
  for (const turn of turns) {
    const preloaded = preloadedIn(turn);
    if (preloaded.some((key) => turn.right.has(key))) continue;
    console.log(`- ${turn.query}\n  preloaded: ${preloaded.join(', ') || 'nothing'}`);
    const right = turn.candidates.filter(({ key }) => turn.right.has(key));
    const shown = right.map(({ key, signs }) => `${key} ${likelihoodOf(signs).toFixed(2)}`);
    console.log(`  right candidates: ${shown.join(', ') || 'none'}`);
    console.log(`  right: ${[...turn.right].join(', ')}`);
  }
}

/** Short texts that need no tool. */
const TALK: readonly Query[] = ROUTED_PHRASES.filter(
  ([user, expected, assistant]) => expected === '' && assistant === undefined && user.length < 200,
).map(([query], i) => ({ id: String(i), query, gold: [] }));

function developmentSets(vectors: WordVectors | undefined): TurnSet[] {
  const splits = JSON.parse(readFileSync(join(args.data, 'splits.json'), 'utf8'));
  const sets: TurnSet[] = (
    [
      ['stabletoolbench', 'queries'],
      ['toollinkos', 'queries'],
      ['bfcl', 'queries'],
      ['seal-tools', 'queries.dev'],
      ['metatool', 'queries'],
      ['metatool', 'queries.multi'],
    ] as const
  ).map(([set, file]) => {
    const dev: readonly string[] | undefined = splits[`${set}:${file}`]?.dev;
    const ids = dev && new Set(dev);
    const listed = readLines<Query>(join(args.data, set, `${file}.jsonl`));
    const queries = listed.filter(({ id }) => ids?.has(id) ?? file.endsWith('.dev'));
    const step = Math.max(1, Math.floor(queries.length / MAX_QUERIES));
    const sample = queries.filter((_, i) => i % step === 0).slice(0, MAX_QUERIES);
    const tools = readSet(set);
    return {
      name: `${set} ${file}, dev`,
      tools: tools.length,
      turns: turnsOf(tools, sample, vectors),
    };
  });
  const catalogs = readCatalogs();
  const all = [...catalogs.values()].flat();
  const served = servedQueries();
  const turns = [...served].flatMap(([servers, queries]) => {
    const tools =
      servers === '*' ? all : servers.split(' ').flatMap((name) => catalogs.get(name) ?? []);
    return turnsOf(tools, queries, vectors);
  });
  sets.push({ name: 'served, even lines (half needs no tool)', tools: all.length, turns });
  const talk = TALK.filter((_, i) => i % 2 === 0);
  const name = 'small talk, every second (nothing is right)';
  return [...sets, { name, tools: all.length, turns: turnsOf(all, talk, vectors) }];
}

/** The even lines of the served queries, by servers. */
function servedQueries(): Map<string, Query[]> {
  const file = fileURLToPath(new URL('search/data/served.jsonl', import.meta.url));
  const lines = readLines<{ id: string; query: string; servers: string[]; right: string[] }>(file);
  const byServers = new Map<string, Query[]>();
  for (const { id, query, servers, right } of lines.filter((_, i) => i % 2 === 1)) {
    const key = servers.join(' ');
    byServers.set(key, [...(byServers.get(key) ?? []), { id, query, gold: right }]);
  }
  return byServers;
}

/** The candidates of a set. Each set counts the same. */
function examplesOf({ turns }: TurnSet): readonly Example[] {
  const all = turns.flatMap(({ candidates, right }) =>
    candidates.map(({ key, signs }) => ({
      signs: SIGNS.map((sign) => signs[sign]),
      isRight: right.has(key),
    })),
  );
  return all.map((one) => ({ ...one, weight: 1 / all.length }));
}

/**
 * Prints a logistic regression over all candidates, and the log-loss of each set by the weights that are
 * used and by those fitted to the other sources. `unseen`: sets that nothing is fitted to.
 */
function printFit(sets: readonly TurnSet[], unseen: readonly TurnSet[]): void {
  const used = [SIGN_WEIGHTS.none, ...SIGNS.map((sign) => SIGN_WEIGHTS[sign])];
  const sourceOf = ({ name }: TurnSet) => name.split(' ')[0];
  const fitTo = (some: readonly TurnSet[]) => logisticRegression(some.flatMap(examplesOf));
  const weights = fitTo(sets);
  console.log('\n| sign | fitted | used |\n|---|--:|--:|');
  for (const [i, sign] of (['none', ...SIGNS] as const).entries()) {
    console.log(`| ${sign} | ${weights[i]?.toFixed(2)} | ${SIGN_WEIGHTS[sign]} |`);
  }
  console.log('\n| log-loss of | used | fitted to the others | fitted to all |\n|---|--:|--:|--:|');
  for (const [name, some] of Map.groupBy([...sets, ...unseen], ({ name }) => name)) {
    const source = some.map(sourceOf)[0];
    const others = sets.filter((set) => sourceOf(set) !== source);
    const held = others.length < sets.length ? fitTo(others) : weights;
    const losses = [used, held, weights].map((one) => logLoss(some.flatMap(examplesOf), one));
    console.log(`| ${name} | ${losses.map((loss) => loss.toFixed(3)).join(' | ')} |`);
  }
}

function reportedSets(vectors: WordVectors | undefined): TurnSet[] {
  const tools = readSet('livemcpbench');
  const all = [...tools, ...[...readCatalogs('captured-').values()].flat()];
  const sets = ['queries', 'queries.steps', 'queries.model'].flatMap((file): TurnSet[] => {
    const queries = readLines<Query>(join(args.data, 'livemcpbench', `${file}.jsonl`));
    return [tools, all].map((some, i) => ({
      name: `livemcpbench ${file}${i === 0 ? '' : ', other servers added'}`,
      tools: some.length,
      turns: turnsOf(some, queries, vectors),
    }));
  });
  const name = 'small talk and lookalikes (nothing is right)';
  return [...sets, { name, tools: all.length, turns: turnsOf(all, TALK, vectors) }];
}

if (args.ordinary) {
  await measureOrdinary(args);
} else if (existsSync(args.data)) {
  const ways = [
    ['by words', undefined],
    ['with word vectors', await loadVectors()],
  ] as const;
  const fitted: TurnSet[] = [];
  const unseen: TurnSet[] = [];
  for (const [way, vectors] of ways) {
    console.log(`\n## ${way}`);
    const sets = args.dev ? developmentSets(vectors) : reportedSets(vectors);
    for (const set of sets) report(set);
    if (args.failures) for (const set of sets.slice(0, -1)) printFailures(set);
    if (args.dev) unseen.push(...reportedSets(vectors).slice(0, -1));
    fitted.push(...sets);
  }
  if (args.dev) printFit(fitted, unseen);
} else {
  console.log('Skipped: no queries to measure with. Name their folder with --data.');
}
