import type { BridgeKind, Strategy } from '../strategies/index.ts';
import { type Entry, OWN_GROUP, type TokenCounter, type ToolDefinition } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
import type { Growth } from './cost.ts';

/** The names of a tool: a call that loads it contains nothing else. */
export type Named = Pick<Entry, 'name' | 'shown' | 'groupId'>;

/** The bridge tools of one epoch, with which the model loads and calls. */
export interface Means {
  readonly strategy: Strategy;
  readonly bridges: readonly ToolDefinition[];
  readonly kindOf: (name: string) => BridgeKind | undefined;
}

/** How tools are requested by name, and what the answer contains besides their schemas. */
interface Loader {
  readonly inputs: (tools: readonly Named[]) => JsonObject[];
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
  tools: readonly Named[],
): { name: string; input: JsonObject }[] {
  const bridge = bridges.find(({ name }) => LOADERS.has(kindOf(name)));
  const loader = LOADERS.get(bridge && kindOf(bridge.name));
  if (!bridge || !loader) return [];
  return loader.inputs(tools).map((input) => ({ name: bridge.name, input }));
}

/** What a load of these tools adds, with a given number of tokens for each schema. */
export function typicalLoad(
  means: Means,
  tools: readonly Named[],
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
