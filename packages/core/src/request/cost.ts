import {
  type BridgeKind,
  OWN_GROUP,
  type Strategy,
  type TokenCounter,
  type ToolDefinition,
  type ToolEntry,
} from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';

/** Prices of tokens, relative to an input token at base price. */
export interface CachePrices {
  /** The price to write to the cache. */
  readonly write: number;
  /** The price to read from the cache. */
  readonly read: number;
  /** A prompt with fewer tokens is not cached and costs the base price. If left out, every prompt is cached. */
  readonly minPrefix?: number;
}

/**
 * Anthropic's prices for the five-minute cache: 1.25 to write, 0.1 to read (Anthropic prompt
 * caching documentation, November 2026). Writing costs more than at most providers, so deferral
 * is not chosen too soon.
 */
export const DEFAULT_PRICES: CachePrices = { write: 1.25, read: 0.1 };

/** A model's prices; `unknown` if none were given. */
export type KnownPrices = CachePrices | 'unknown';

/**
 * Counts the tokens that must be processed. An engine that keeps its cache, such as a local one, does
 * not process a cached prefix again.
 */
export const TOKENS_PROCESSED: CachePrices = { write: 1, read: 0 };

/** The prices for a computation, also if the model's prices are unknown. */
export function pricesToCompare(prices: KnownPrices): CachePrices {
  return prices === 'unknown' ? TOKENS_PROCESSED : prices;
}

/** The assumed size of a conversation. All sizes are in tokens. */
export interface Workload {
  /** The number of requests that the task needs without deferral. */
  readonly turns: number;
  /** The number of loads that the task needs with deferral. Each is one extra request; they are spread evenly. */
  readonly loads: number;
  /** Tokens that each request adds to the messages: a call, its result, text from the user. */
  readonly perTurn: number;
  /** The number of tools in one load; 3 if left out. */
  readonly toolsPerLoad?: number;
}

export const DEFAULT_WORKLOAD: Workload = { turns: 8, loads: 2, perTurn: 400 };

/** Tokens that one request adds to the one before it. */
export interface Growth {
  /** Tokens added at the end. */
  readonly messages: number;
  /** Tokens of newly declared tools. They come before everything else, so the cached prefix is lost. */
  readonly tools: number;
}

/** The cost of a task. All fields except the first and last are in tokens. */
export interface CostEstimate {
  readonly requests: number;
  /** The sum over all requests. Tokens that are neither read nor written are not cached. */
  readonly sent: number;
  readonly read: number;
  readonly written: number;
  /** In input tokens at base price. */
  readonly cost: number;
}

/**
 * Computes the cost of a task, request by request, with a working cache: each request reads what
 * the previous one sent and writes the rest. `fixed`: tokens of schemas and catalog in the first
 * request.
 */
export function estimateCost(
  fixed: number,
  growth: readonly Growth[],
  prices: CachePrices = DEFAULT_PRICES,
): CostEstimate {
  let length = fixed;
  let cached = 0;
  const total = { sent: 0, read: 0, written: 0 };
  for (const { messages, tools } of growth) {
    if (tools > 0) cached = 0;
    length += messages + tools;
    const isCached = length >= (prices.minPrefix ?? 0);
    total.sent += length;
    total.read += cached;
    total.written += isCached ? length - cached : 0;
    cached = isCached ? length : 0;
  }
  const { sent, read, written } = total;
  const cost = read * prices.read + written * prices.write + (sent - read - written);
  return { requests: growth.length, sent, read, written, cost: Math.round(cost) };
}

/** The names of a tool: a call that loads it contains nothing else. */
type ToolNames = Pick<ToolEntry, 'name' | 'shown' | 'groupId'>;

/** The bridge tools of one epoch, with which the model loads and calls. */
export interface Means {
  readonly strategy: Strategy;
  readonly bridges: readonly ToolDefinition[];
  readonly kindOf: (name: string) => BridgeKind | undefined;
}

/** How tools are requested by name, and what the answer contains besides their schemas. */
interface Loader {
  readonly inputs: (tools: readonly ToolNames[]) => JsonObject[];
  readonly answer: (input: JsonObject) => JsonObject;
}

/** These follow the operations of the same names; a test compares them. */
const LOADERS: ReadonlyMap<BridgeKind | undefined, Loader> = new Map<BridgeKind, Loader>([
  [
    'load_tools',
    {
      inputs: (tools) =>
        [...Map.groupBy(tools, ({ groupId }) => groupId)].map(([groupId, group]) => ({
          group_id: groupId ?? OWN_GROUP,
          tool_names: group.map(({ shown }) => shown),
        })),
      answer: (input) => ({ ...input, expanded: true, remaining: 0 }),
    },
  ],
  [
    'request_tool',
    {
      inputs: (tools) => tools.map(({ name }) => ({ name })),
      answer: ({ name = '' }) => ({
        ...{ name, declared: true },
        next: `Call ${name} from your next step on.`,
      }),
    },
  ],
  [
    'tool_describe',
    {
      inputs: (tools) => [{ names: tools.map(({ name }) => name) }],
      answer: () => ({ tools: [], not_found: [] }),
    },
  ],
]);

/** The key of the target in a dispatcher's input. */
const DISPATCHERS: ReadonlyMap<BridgeKind | undefined, string> = new Map<BridgeKind, string>([
  ['deferred_tool_call', 'tool_name'],
  ['tool_call', 'name'],
]);

/** The calls that load these tools in one step; none if nothing loads. */
export function loadCalls(
  { bridges, kindOf }: Means,
  tools: readonly ToolNames[],
): { name: string; input: JsonObject }[] {
  const bridge = bridges.find(({ name }) => LOADERS.has(kindOf(name)));
  const loader = LOADERS.get(bridge && kindOf(bridge.name));
  if (!bridge || !loader) return [];
  return loader.inputs(tools).map((input) => ({ name: bridge.name, input }));
}

/** What a load of these tools adds, with a given number of tokens for each schema. */
function typicalLoad(
  means: Means,
  tools: readonly ToolNames[],
  schema: number,
  countTokens: TokenCounter,
): Growth | undefined {
  const calls = loadCalls(means, tools);
  if (calls.length === 0) return;
  const frames = calls.reduce((sum, { name, input }) => {
    const answer = LOADERS.get(means.kindOf(name))?.answer(input) ?? {};
    return sum + callTokens(name, input, countTokens) + countTokens(JSON.stringify(answer));
  }, 0);
  const schemas = tools.length * schema;
  return means.strategy.delivers === 'tools'
    ? { messages: frames, tools: schemas }
    : { messages: frames + schemas, tools: 0 };
}

/** Tokens that a dispatcher, where there is one, adds to a call of a tool. */
export function envelopeTokens(means: Means, tool: string, countTokens: TokenCounter): number {
  const bridge = means.bridges.find(({ name }) => DISPATCHERS.has(means.kindOf(name)));
  const key = DISPATCHERS.get(bridge && means.kindOf(bridge.name));
  if (!bridge || key === undefined) return 0;
  const envelope = { [key]: tool, arguments: {} };
  return callTokens(bridge.name, envelope, countTokens) - callTokens(tool, {}, countTokens);
}

/** Tokens of a call: its name, and its input as JSON. */
export function callTokens(name: string, input: JsonObject, countTokens: TokenCounter): number {
  return countTokens(name) + countTokens(JSON.stringify(input));
}

/** The assumed number of tools in one load: a group is opened for a few related calls. */
const TOOLS_PER_LOAD = 3;

/** A placeholder for tools whose names are not known yet. */
const NAMELESS: ToolNames = {
  name: 'server__get_something',
  shown: 'get_something',
  groupId: 'mcp:server',
};

/** The known facts about the deferred tools. */
export interface DeferredFacts {
  /** The tools whose names are known. */
  readonly tools: readonly ToolNames[];
  /** The number of all deferred tools. */
  readonly count: number;
  /** The tokens of all their schemas. */
  readonly tokens: number;
}

/** The tokens that each request of a task adds: as many calls as turns, and loads of average tools. */
export function workloadGrowth(
  workload: Workload,
  means: Means,
  deferred: DeferredFacts,
  countTokens: TokenCounter,
): Growth[] {
  const wanted = Math.max(1, workload.toolsPerLoad ?? TOOLS_PER_LOAD);
  const sample = largestGroup(deferred.tools);
  const tools = Array.from({ length: wanted }, (_, n) => sample[n % sample.length] ?? NAMELESS);
  const load = typicalLoad(means, tools, averageTokens(deferred), countTokens);
  const envelope = envelopeTokens(means, (tools[0] ?? NAMELESS).name, countTokens);
  return requestsOf(workload, envelope, load);
}

/**
 * Each request but the first holds one call. Loads are spread evenly; the first one comes at
 * once.
 */
function requestsOf(
  { turns, loads, perTurn }: Workload,
  envelope: number,
  load: Growth | undefined,
): Growth[] {
  const before = (turn: number) => Math.ceil((turn * loads) / turns);
  return Array.from({ length: turns }, (_, turn) => {
    const request = { messages: perTurn + (turn === 0 ? 0 : envelope), tools: 0 };
    const times = before(turn + 1) - before(turn);
    return [request, ...(load ? Array<Growth>(times).fill(load) : [])];
  }).flat();
}

function averageTokens({ tokens, count }: DeferredFacts): number {
  return Math.round(tokens / Math.max(1, count));
}

function largestGroup(tools: readonly ToolNames[]): readonly ToolNames[] {
  const groups = Map.groupBy(tools, ({ groupId }) => groupId);
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}
