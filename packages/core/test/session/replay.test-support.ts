import assert from 'node:assert/strict';
import type { ToolRequest } from '../../src/calls/tool-request.ts';
import {
  type CostEstimate,
  callTokens,
  envelopeTokens,
  estimateCost,
  type Growth,
  loadCalls,
  pricesToCompare,
} from '../../src/request/cost.ts';
import { contextOf } from '../../src/request/layer-context.ts';
import { meansOf, sizeOf } from '../../src/session/estimate.ts';
import type { ToolLayer } from '../../src/session/layer.ts';
import type { Session } from '../../src/session/session.ts';
import { type StrategyName, strategies } from '../../src/tool/strategies.ts';
import type { TokenCounter, ToolEntry } from '../../src/tool/tool.ts';
import type { TranscriptCall, TranscriptMessage } from '../../src/transcript/transcript.ts';

/** A conversation of an agent with all schemas declared. */
export interface Task {
  readonly requests: readonly TaskRequest[];
}

export interface TaskRequest {
  /**
   * Tokens that the request adds to the messages: the text of the user, or the calls of the previous
   * answer and their results. The first request also adds the app's system text.
   */
  readonly adds: number;
  /** Names of the tools called in the added messages. */
  readonly calls?: readonly string[];
  /** The loads that the answer needs if tools are deferred. */
  readonly loads?: readonly Load[];
}

/** Tools that become usable in one extra request. */
export interface Load {
  /**
   * Names of all tools whose schemas the load returns, requested or found. It does not load tools that
   * a strategy declares anyway.
   */
  readonly tools: readonly string[];
}

/** The cost of a known task under each strategy, computed as in the estimate. */
export async function replay(
  layer: ToolLayer,
  task: Task,
): Promise<Readonly<Record<StrategyName, CostEstimate>>> {
  const { countTokens, auto } = contextOf(layer);
  const costs = new Map<string, CostEstimate>();
  for (const strategy of Object.keys(strategies) as StrategyName[]) {
    const session = layer.session({ strategy });
    await session.prepare();
    const { declared } = sizeOf(session.turn([]), countTokens);
    const growth = await taskGrowth(session, task, countTokens);
    costs.set(strategy, estimateCost(declared, growth, pricesToCompare(auto.prices)));
  }
  return Object.fromEntries(costs) as Record<StrategyName, CostEstimate>;
}

/** The tokens that each request of a task adds under the session's strategy, with real loads. */
async function taskGrowth(
  session: Session,
  task: Task,
  countTokens: TokenCounter,
): Promise<Growth[]> {
  const messages: TranscriptMessage[] = [];
  const sizes: (Growth | undefined)[] = [];
  for (const { calls = [], loads = [] } of task.requests) {
    messages.push(...asMessages(calls, messages.length));
    for (const load of loads) sizes.push(await loadGrowth(session, load, messages, countTokens));
  }
  const turn = session.turn([]);
  const declared = declaredBy(turn);
  return growthOf(task, sizes, (name) =>
    declared.has(entryOf(turn, name).name) ? 0 : envelopeTokens(meansOf(turn), name, countTokens),
  );
}

/** Successful calls. They reset the number of loads in a row, which answers mention. */
function asMessages(names: readonly string[], position: number): TranscriptMessage[] {
  if (names.length === 0) return [{ role: 'user' }];
  const calls = names.map((name, index) => ({ id: `${position} ${index}`, name, input: {} }));
  const results = calls.map(({ id }) => ({ id, output: {}, isError: false }));
  return [
    { role: 'assistant', calls },
    { role: 'tool', results },
  ];
}

/** Runs one load in the session and adds it to the messages. */
async function loadGrowth(
  session: Session,
  load: Load,
  messages: TranscriptMessage[],
  countTokens: TokenCounter,
): Promise<Growth | undefined> {
  const turn = session.turn(messages);
  const calls = callsFor(turn, load).map(
    (call, index): TranscriptCall => ({ id: `${messages.length} ${index}`, ...call }),
  );
  if (calls.length === 0) return;
  const results = await Promise.all(
    calls.map(async ({ id, name, input }) => {
      const route = await turn.decide({ id, name, input });
      assert.ok(route.kind === 'answer' && !route.isError, load.tools.join(', '));
      return { id, output: route.result, isError: false };
    }),
  );
  messages.push({ role: 'assistant', calls }, { role: 'tool', results });
  await session.prepare(messages);
  const after = session.turn(messages);
  const { deliveries } = after.presentation;
  const frames = calls.reduce((sum, { id, name, input }, index) => {
    const appended = deliveries.find(({ callId }) => callId === id)?.result;
    const result = appended ?? results[index]?.output;
    return (
      sum + callTokens(name, input as never, countTokens) + countTokens(JSON.stringify(result))
    );
  }, 0);
  const [before, now] = [sizeOf(turn, countTokens), sizeOf(after, countTokens)];
  return {
    messages: frames + now.appended - before.appended,
    tools: now.declared - before.declared,
  };
}

/** The calls that load what a request does not declare. */
function callsFor(turn: ToolRequest, { tools }: Load) {
  const declared = declaredBy(turn);
  const entries = tools.map((name) => entryOf(turn, name));
  const wanted = entries.filter(({ name }) => !declared.has(name));
  return wanted.length === 0 ? [] : loadCalls(meansOf(turn), wanted);
}

function entryOf(turn: ToolRequest, name: string): ToolEntry {
  const entry = turn.lookUp(name);
  assert.ok(entry, name);
  return entry;
}

function declaredBy({ presentation }: ToolRequest): Set<string> {
  return new Set(presentation.tools.map(({ name }) => name));
}

/** The tokens that each request adds, computed from the tokens of each load and of each call's envelope. */
function growthOf(
  task: Task,
  loads: readonly (Growth | undefined)[],
  envelope: (tool: string) => number,
): Growth[] {
  const next = loads.values();
  return task.requests.flatMap((request) => [
    {
      messages: (request.calls ?? []).reduce((sum, name) => sum + envelope(name), request.adds),
      tools: 0,
    },
    ...(request.loads ?? []).flatMap(() => next.next().value ?? []),
  ]);
}
