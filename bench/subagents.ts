/**
 * Measures simulated time and tokens of one task in 16 parts. One agent does the parts one after
 * the other in one conversation; other agents give them to 4 or 8 parallel subagents. Each runs in
 * `eager` and in `dispatch`, on the Anthropic wire format. Counts use o200k_base over the recorded
 * bodies.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent, createSubagents } from '@toolfold/agent';
import { createFold } from '@toolfold/ai-sdk';
import type { DeferredToolGroup, Tool } from '@toolfold/core';
import { pricesOf } from '@toolfold/core/models';
import {
  type Block,
  blocksOf,
  fakeTools,
  type RecordedRequest,
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Simulated speed of a model, of a usual order of magnitude. Not the figures of any provider. */
const SECONDS_PER_REQUEST = 0.6;
const UNCACHED_TOKENS_PER_SECOND = 4_000;
const OUTPUT_TOKENS_PER_SECOND = 60;

const MODEL_ID = 'claude-sonnet-4-5';
/** Price of an output token as a multiple of the input base price, as in Anthropic's prices. */
const OUTPUT_PRICE = 5;

const PARTS = 16;
const SERVERS = ['calendar', 'crm', 'docs', 'github', 'mail', 'shop', 'tracker', 'wiki'];
const TOOLS_EACH = 15;
const RESULT_TOKENS = 600;

const STRATEGIES = ['eager', 'dispatch'] as const;
type Strategy = (typeof STRATEGIES)[number];

/**
 * How a task is done: number of parallel children (0: an agent alone), and whether one starts first
 * to warm the cache.
 */
interface Way {
  readonly name: string;
  readonly atOnce: number;
  readonly warmCache: boolean;
}

const WAYS: readonly Way[] = [
  { name: 'alone', atOnce: 0, warmCache: false },
  { name: '4 subagents', atOnce: 4, warmCache: false },
  { name: '4, one ahead', atOnce: 4, warmCache: true },
  { name: '8 subagents', atOnce: 8, warmCache: false },
  { name: '8, one ahead', atOnce: 8, warmCache: true },
];

/** A call that a part needs. */
interface Goal {
  readonly group: string;
  readonly tool: Tool;
}

const tools = new Map(
  SERVERS.map((name, index) => [name, fakeTools(TOOLS_EACH, index + 1).map(lenient)]),
);
const groups = [...tools].map(
  ([name, list]): DeferredToolGroup => ({
    groupId: `mcp:${name}`,
    toolNames: list.map((tool) => tool.name),
    loader: async () => list,
  }),
);

/** Removes required arguments: the script knows the names of tools, not their arguments. */
function lenient(tool: Tool): Tool {
  return {
    ...tool,
    inputSchema: { ...(tool.inputSchema as object), required: [] },
    execute: (input) => records(JSON.stringify(input)),
  };
}

/** Records as a server would return them, of about `RESULT_TOKENS` tokens. */
function records(about: string): string {
  const lines = [`Records for ${about}`];
  for (let n = 1; countTokens(lines.join('\n')) < RESULT_TOKENS; n++) {
    lines.push(
      `#${n} | opened 2026-03-${10 + (n % 18)} | customer ${n * 37} | waits for an answer since the last release`,
    );
  }
  return lines.join('\n');
}

/** Two calls on one server, then one on another. */
function goalsOf(part: number): readonly Goal[] {
  const goal = (server: number, index: number): Goal[] => {
    const group = SERVERS[server % SERVERS.length] ?? '';
    const tool = tools.get(group)?.[index % TOOLS_EACH];
    return tool ? [{ group, tool }] : [];
  };
  return [...goal(part, part), ...goal(part, part + 1), ...goal(part + 3, part + 2)];
}

/** The finding of a part. It is the same for every agent. */
function findingOf(part: number): string {
  const facts = goalsOf(part).map(
    ({ tool }, n) =>
      `${tool.name.replaceAll('_', ' ')}: ${12 + n} records are open, the oldest since 10 March, and all of them wait for an answer since the last release`,
  );
  return JSON.stringify({
    summary: `Part ${part} is done: three queries, all of them answered.`,
    findings: facts,
    open_questions: [],
  });
}

const SUMMARY = Array.from(
  { length: PARTS },
  (_, n) => `Part ${n + 1}: 39 open records, the oldest since 10 March.`,
).join('\n');

const taskOf = (part: number) =>
  `Part ${part}: ask ${goalsOf(part)
    .map(({ group, tool }) => `${group} to ${tool.name.replaceAll('_', ' ')}`)
    .join(', then ')}, and say what is open.`;

const parts = Array.from({ length: PARTS }, (_, n) => n + 1);

/** Does the parts in one conversation. Each finding is text in the first reply of the next part. */
function* conversation(strategy: Strategy, numbers: readonly number[]): Generator<Reply, string> {
  const shown = new Set<string>();
  let found = '';
  for (const part of numbers) {
    const goals = goalsOf(part);
    const replies = goals.map((goal): Reply => ({ calls: [callOf(strategy, part, goal)] }));
    const missing = goals.filter(({ group, tool }) => !shown.has(`${group} ${tool.name}`));
    if (strategy === 'dispatch' && missing.length > 0) replies.unshift({ calls: loads(missing) });
    for (const { group, tool } of missing) shown.add(`${group} ${tool.name}`);
    for (const [n, reply] of replies.entries()) {
      yield n === 0 && found !== '' ? { ...reply, text: found } : reply;
    }
    found = findingOf(part);
  }
  return found;
}

function callOf(strategy: Strategy, part: number, { group, tool }: Goal): ReplyCall {
  const name = `${group}__${tool.name}`;
  const { properties = {} } = tool.inputSchema as { properties?: object };
  const input = { [Object.keys(properties)[0] ?? '']: `part-${part}-2026-03` };
  return strategy === 'eager'
    ? { name, arguments: input }
    : { name: 'deferred_tool_call', arguments: { tool_name: name, arguments: input } };
}

function loads(goals: readonly Goal[]): ReplyCall[] {
  const names = Map.groupBy(goals, ({ group }) => group);
  return [...names].map(([group, list]) => ({
    name: 'load_tools',
    arguments: { group_id: `mcp:${group}`, tool_names: list.map(({ tool }) => tool.name) },
  }));
}

function* alone(strategy: Strategy): Generator<Reply> {
  const last = yield* conversation(strategy, parts);
  yield { text: `${last}\n\n${SUMMARY}` };
}

function* child(strategy: Strategy, part: number): Generator<Reply> {
  yield { text: yield* conversation(strategy, [part]) };
}

function* parent(atOnce: number): Generator<Reply> {
  const tasks = parts.map((part) => ({ id: `part-${part}`, task: taskOf(part) }));
  yield { calls: [{ name: 'subagents', arguments: { tasks, concurrency: atOnce } }] };
  yield { text: SUMMARY };
}

/** Tokens of a request, and how many of them a cache held. */
interface Sent {
  readonly tokens: number;
  readonly kept: number;
}

/**
 * A cache of prompts, block by block. It holds a request as soon as that request is answered.
 * Requests with a common prefix that start at the same time each pay for the prefix.
 */
class PromptCache {
  readonly #answered: (readonly Block[])[] = [];
  readonly #known = new Map<string, number>();

  read(blocks: readonly Block[]): Sent {
    const shared = Math.max(0, ...this.#answered.map((earlier) => sharedBlocks(earlier, blocks)));
    return { tokens: this.#count(blocks), kept: this.#count(blocks.slice(0, shared)) };
  }

  write(blocks: readonly Block[]): void {
    this.#answered.push(blocks);
  }

  #count(blocks: readonly Block[]): number {
    return blocks.reduce((sum, { text }) => {
      const tokens = this.#known.get(text) ?? countTokens(text);
      this.#known.set(text, tokens);
      return sum + tokens;
    }, 0);
  }
}

function sharedBlocks(one: readonly Block[], other: readonly Block[]): number {
  const at = one.findIndex(
    ({ path, text, frame }, index) =>
      path !== other[index]?.path || text !== other[index].text || frame !== other[index].frame,
  );
  return at < 0 ? one.length : at;
}

/**
 * A simulated clock. Time advances only while all workers wait. Computation takes no time, so that
 * the figures are the same on every machine.
 */
class Clock {
  now = 0;
  #working = 1;
  #waiting: { readonly until: number; readonly worker: number; readonly wake: () => void }[] = [];

  /** Sets the number of workers. Time advances when that many are waiting. */
  work(working: number): void {
    this.#working = working;
    this.#advance();
  }

  wait(seconds: number, worker: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ until: this.now + seconds, worker, wake });
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#waiting.length < this.#working) return;
    const [first, ...others] = this.#waiting.toSorted(
      (one, other) => one.until - other.until || one.worker - other.worker,
    );
    if (!first) return;
    this.#waiting = others;
    this.now = first.until;
    first.wake();
  }
}

/** The figures of one way of doing the task. */
interface Outcome {
  /** Simulated seconds. */
  readonly seconds: number;
  readonly sent: readonly Sent[];
  readonly output: number;
}

async function measure(strategy: Strategy, { atOnce, warmCache }: Way): Promise<Outcome> {
  const cache = new PromptCache();
  const clock = new Clock();
  const sent: Sent[] = [];
  let output = 0;
  let unfinished = PARTS;
  /** Whether a child has been answered. */
  let hasOpened = false;
  const conversations = new Map<number, Iterator<Reply>>();
  const next = (part: number): Reply => {
    const begin = () =>
      part > 0 ? child(strategy, part) : atOnce > 0 ? parent(atOnce) : alone(strategy);
    const current = conversations.get(part) ?? begin();
    conversations.set(part, current);
    const { value, done } = current.next();
    if (done) throw new Error('The script has no more replies.');
    return value;
  };
  const script = async (request: RecordedRequest): Promise<Reply> => {
    const part = partOf(request);
    const blocks = blocksOf(request);
    const figures = cache.read(blocks);
    sent.push(figures);
    const reply = next(part);
    const written = outputTokens(reply);
    output += written;
    const reading = (figures.tokens - figures.kept) / UNCACHED_TOKENS_PER_SECOND;
    const writing = written / OUTPUT_TOKENS_PER_SECOND;
    await clock.wait(SECONDS_PER_REQUEST + reading + writing, part);
    cache.write(blocks);
    const isCall = reply.calls !== undefined;
    if (part > 0 && !isCall) unfinished--;
    // The parent waits for its children, and continues when the last child is done.
    const isFirst = part > 0 && !hasOpened;
    if (isFirst) hasOpened = true;
    const working = warmCache && !hasOpened ? 1 : Math.min(atOnce, unfinished) || 1;
    if (atOnce > 0 && (isFirst || isCall === (part === 0))) clock.work(working);
    return reply;
  };
  // The server's own usage count is not used.
  await using server = await startModelServer({ script, countTokens: (text) => text.length });
  const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
  const subagents = createSubagents({ wide: true, warmCache });
  const agent = createAgent({
    model: provider(MODEL_ID),
    fold: createFold({ groups, strategy, ...(atOnce > 0 ? { tools: subagents.tools } : {}) }),
    ...(atOnce > 0 ? { subagents } : {}),
    instructions: 'You answer for the support desk. Be brief, and name your sources.',
    approvals: { mode: 'never' },
    routing: 'off',
    maxRounds: 100,
    settings: { maxRetries: 0 },
  });
  for await (const event of agent.send(`Do all of this:\n${parts.map(taskOf).join('\n')}`)) {
    if (event.type === 'failure') throw new Error(`${event.name} failed: ${event.error}`);
    if (event.type === 'subagent-end' && event.status !== 'done')
      throw new Error(`${event.task} is ${event.status}: ${event.error}`);
    if (event.type === 'end' && !event.text.endsWith(SUMMARY))
      throw new Error(`The task was not done: ${event.reason}.`, { cause: event.error });
  }
  return { seconds: clock.now, sent, output };
}

/** The part that a child does. 0 for the main agent. */
function partOf({ raw }: RecordedRequest): number {
  return Number(/# Your task\\n\\nPart (\d+):/.exec(raw)?.[1] ?? 0);
}

function outputTokens({ text = '', calls = [] }: Reply): number {
  const written = [text, ...calls.flatMap((call) => [call.name, JSON.stringify(call.arguments)])];
  return written.reduce((sum, part) => sum + countTokens(part), 0);
}

const pad = (text: string | number, width: number) => String(text).padStart(width);
const figure = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const prices = pricesOf({ provider: 'anthropic.messages', modelId: MODEL_ID }) ?? {
  read: 1,
  write: 1,
};

console.log(
  `One task in ${PARTS} parts, each three calls on two of ${SERVERS.length} servers with ${SERVERS.length * TOOLS_EACH} tools\n`,
);
for (const strategy of STRATEGIES) {
  console.log(strategy);
  console.log(
    `  ${'way'.padEnd(14)}${pad('time', 8)}${pad('of alone', 10)}${pad('requests', 10)}${pad('sent', 11)}${pad('kept', 9)}${pad('new', 9)}${pad('output', 8)}${pad('biggest', 9)}${pad('price', 9)}`,
  );
  let alone: { readonly seconds: number; readonly price: number } | undefined;
  for (const way of WAYS) {
    const { seconds, sent, output } = await measure(strategy, way);
    const tokens = sent.reduce((sum, request) => sum + request.tokens, 0);
    const kept = sent.reduce((sum, request) => sum + request.kept, 0);
    const price = kept * prices.read + (tokens - kept) * prices.write + output * OUTPUT_PRICE;
    alone ??= { seconds, price };
    console.log(
      `  ${way.name.padEnd(14)}${pad(`${seconds.toFixed(0)} s`, 8)}${pad(percent(seconds / alone.seconds), 10)}${pad(sent.length, 10)}${pad(figure(tokens), 11)}${pad(percent(kept / tokens), 9)}${pad(figure(tokens - kept), 9)}${pad(figure(output), 8)}${pad(figure(Math.max(...sent.map((request) => request.tokens))), 9)}${pad(percent(price / alone.price), 9)}`,
    );
  }
  console.log();
}
console.log(
  [
    `Time is that of a model that takes ${SECONDS_PER_REQUEST} s for a request, a second for ${figure(UNCACHED_TOKENS_PER_SECOND)} tokens that no cache has and a second for`,
    `${OUTPUT_TOKENS_PER_SECOND} of its own; tools, and what runs here, take none. A cache has what a request has sent once that is`,
    `answered: children that begin together each pay for what they have in common. The price is at Anthropic's ratios: new ${prices.write}, kept ${prices.read}, output ${OUTPUT_PRICE}.`,
  ].join('\n'),
);
