import type { TokenCounter } from '../tool/index.ts';
import type { Growth, Workload } from './cost.ts';
import { envelopeTokens, type Means, type Named, typicalLoad } from './loads.ts';

/** The assumed number of tools in one load: a group is opened for a few related calls. */
const TOOLS_PER_LOAD = 3;

/** A placeholder for tools whose names are not known yet. */
const NAMELESS: Named = {
  name: 'server__get_something',
  shown: 'get_something',
  groupId: 'mcp:server',
};

/** The known facts about the deferred tools. */
export interface Deferred {
  /** The tools whose names are known. */
  readonly tools: readonly Named[];
  /** The number of all deferred tools. */
  readonly count: number;
  /** The tokens of all their schemas. */
  readonly tokens: number;
}

/** The tokens that each request of a task adds: as many calls as turns, and loads of average tools. */
export function workloadGrowth(
  workload: Workload,
  means: Means,
  deferred: Deferred,
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

function averageTokens({ tokens, count }: Deferred): number {
  return Math.round(tokens / Math.max(1, count));
}

function largestGroup(tools: readonly Named[]): readonly Named[] {
  const groups = Map.groupBy(tools, ({ groupId }) => groupId);
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}
