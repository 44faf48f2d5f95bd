import { createAnthropic } from '@ai-sdk/anthropic';
import { estimate } from '@toolfold/core/internal/estimate.ts';
import type { CostEstimate, Workload } from '@toolfold/core/internal/request/cost.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import type { StrategyName } from '@toolfold/core/internal/tool/strategies.ts';
import type { TokenCounter } from '@toolfold/core/internal/tool/tool.ts';
import { type Load, replay, type Task } from '@toolfold/core/test/session/replay.test-support.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';

/** One call of a task. */
interface Goal {
  readonly group: string;
  readonly tool: string;
}

/** A conversation: the steps for each user message, each step with one or more calls. */
export interface Story {
  readonly name: string;
  readonly groups: readonly DeferredToolGroup[];
  readonly turns: readonly (readonly (readonly Goal[])[])[];
}

/** `n` records, as a server might list them. */
function records(n: number): object {
  const one = (i: number) => ({
    id: `${n}-${1_000 + 37 * i}`,
    title: `Follow-up number ${i} on the release of the ${['web', 'mobile', 'desk'][i % 3]} client`,
    state: i % 2 === 0 ? 'open' : 'closed',
    updated_at: `2026-0${1 + (i % 9)}-14T09:${10 + i}:00Z`,
    url: `https://work.example.com/records/${n}/${1_000 + 37 * i}`,
  });
  return { total: n + 2, records: Array.from({ length: 1 + (n % 7) }, (_, i) => one(i)) };
}

function groupOf(name: string, count: number, seed: number): DeferredToolGroup {
  const tools = fakeTools(count, seed).map((tool, n) => ({
    ...tool,
    // The script contains only names: add the arguments.
    inputSchema: { ...tool.inputSchema, required: [], additionalProperties: true },
    execute: () => records(n + seed),
  }));
  return fakeGroup({ groupId: `mcp:${name}`, description: `The ${name} server.`, tools });
}

const SERVERS = ['calendar', 'crm', 'docs', 'github', 'mail', 'shop', 'tracker', 'wiki'];
const eight = SERVERS.map((name, index) => groupOf(name, 15, index + 1));
const few = [groupOf('github', 40, 11), groupOf('time', 2, 12)];

function goal(groups: readonly DeferredToolGroup[], group: number, tool: number): Goal {
  const { groupId = '', toolNames = [] } = groups[group % groups.length] ?? {};
  return { group: groupId, tool: toolNames[tool] ?? '' };
}

/** Three tasks of different shape. */
export const STORIES: readonly Story[] = [
  {
    name: 'one server, nine calls',
    groups: few,
    turns: [
      [
        [goal(few, 0, 0)],
        [goal(few, 0, 1), goal(few, 0, 2)],
        ...[3, 9, 0, 12, 1, 17].map((n) => [goal(few, 0, n)]),
      ],
    ],
  },
  {
    name: 'eight servers, one call each',
    groups: eight,
    turns: [SERVERS.map((_, n) => [goal(eight, n, n)])],
  },
  {
    name: 'ten user turns, four with loads',
    groups: eight,
    turns: Array.from({ length: 10 }, (_, n) => {
      if (n % 3 === 0) return [[goal(eight, n, 0), goal(eight, n, 4)], [goal(eight, n, 0)]];
      return n % 3 === 1 ? [] : [[goal(eight, n - 2, 4)]];
    }),
  },
];

const canonical = ({ group, tool }: Goal): string => `${group.slice('mcp:'.length)}__${tool}`;

const words = (n: number): string =>
  `Number ${n}: please look into the records we spoke of, tell me which of them are still open and who has them. ${'Mind the ones of last week. '.repeat(n % 4)}`;

/** The recording of one story under one strategy. */
export interface Recording {
  readonly requests: readonly RecordedRequest[];
  /** Loads by index of the request, counted as in eager, whose answer needs them. */
  readonly loads: readonly (readonly Load[])[];
  readonly fold: Fold<Record<never, never>>;
}

/** Plays a story as a model that knows the tools that it needs, loads them in advance and remembers their schemas. */
export async function record(
  story: Story,
  strategy: StrategyName,
  countTokens: TokenCounter,
): Promise<Recording> {
  const script = new Script(strategy);
  await using server = await startModelServer({ script: () => script.next() });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
  const fold = createFold({ groups: story.groups, strategy, countTokens });
  const fields = fold.with(model('claude-opus-5-5'));
  let messages: ModelMessage[] = [];
  for (const [index, steps] of story.turns.entries()) {
    script.begin(steps);
    messages.push({ role: 'user', content: words(index) });
    const stopWhen = isStepCount(60);
    const result = await generateText({ ...fields, messages, stopWhen, maxRetries: 0 });
    messages = [...messages, ...result.responseMessages];
  }
  return { requests: [...server.requests], loads: script.loads, fold };
}

class Script {
  readonly loads: Load[][] = [[]];
  readonly #strategy: StrategyName;
  readonly #shown = new Set<string>();
  #steps: readonly (readonly Goal[])[] = [];

  constructor(strategy: StrategyName) {
    this.#strategy = strategy;
  }

  begin(steps: readonly (readonly Goal[])[]): void {
    this.#steps = steps;
  }

  next(): Reply {
    const [step, ...later] = this.#steps;
    const first = step?.find((wanted) => !this.#shown.has(canonical(wanted)));
    if (first && this.#strategy !== 'eager') return this.#load(first);
    this.loads.push([]);
    if (!step) return { text: 'Two are open; both are with the team that raised them.' };
    this.#steps = later;
    return { text: 'Let me see.', calls: step.map((wanted) => this.#call(wanted)) };
  }

  #load(first: Goal): Reply {
    const ahead = this.#steps.flat().filter(({ group }) => group === first.group);
    const tools = [...new Set(ahead.map(canonical))].filter((name) => !this.#shown.has(name));
    const bare = tools.map((name) => name.slice(name.indexOf('__') + 2));
    const calls: Partial<Record<StrategyName, ReplyCall[]>> = {
      lazy: tools.map((name) => ({ name: 'request_tool', arguments: { name } })),
      // The lines of a search are not counted: an estimate knows loads only.
      bridge: [{ name: 'tool_describe', arguments: { names: tools } }],
    };
    const load = { group_id: first.group, tool_names: bare };
    const chosen = calls[this.#strategy] ?? [{ name: 'load_tools', arguments: load }];
    for (const name of tools) this.#shown.add(name);
    this.loads.at(-1)?.push({ tools });
    return { calls: chosen };
  }

  #call(wanted: Goal): ReplyCall {
    const name = canonical(wanted);
    const args = { note: `For the ${wanted.group} review of this week.`, limit: 20 };
    switch (this.#strategy) {
      case 'dispatch':
        return { name: 'deferred_tool_call', arguments: { tool_name: name, arguments: args } };
      case 'bridge':
        return { name: 'tool_call', arguments: { name, arguments: args } };
      default:
        return { name, arguments: args };
    }
  }
}

/** The story with the requests of the eager recording and the loads of another recording. */
export function taskOf(
  story: Story,
  eager: Recording,
  loads: Recording['loads'],
  countTokens: TokenCounter,
): Task {
  const sizes = eager.requests.map((request) => countBody(request, countTokens).messages);
  const calls = story.turns.flatMap((steps) => [[], ...steps]);
  return {
    requests: sizes.map((size, index) => ({
      adds: size - (sizes[index - 1] ?? 0),
      calls: (calls[index] ?? []).map(canonical),
      loads: loads[index] ?? [],
    })),
  };
}

/** Tokens of all requests of a recording, and what is said of them beforehand. */
export interface Comparison {
  readonly requests: number;
  readonly sent: number;
  /** The account of the same turns and loads, and how far it is off. */
  readonly account: CostEstimate;
  readonly accountError: number;
  /** The estimate from their number and average size alone, and how far that is off. */
  readonly estimate: CostEstimate;
  readonly estimateError: number;
}

export async function compare(
  story: Story,
  strategy: StrategyName,
  eager: Recording,
  countTokens: TokenCounter,
): Promise<Comparison> {
  const { requests, loads } = await record(story, strategy, countTokens);
  const { layer } = eager.fold;
  const sent = requests.reduce((sum, request) => sum + countBody(request, countTokens).total, 0);
  const task = taskOf(story, eager, loads, countTokens);
  const account = (await replay(layer, task))[strategy];
  const estimated = (await estimate(layer, sizeOf(task))).strategies[strategy];
  return {
    requests: requests.length,
    sent,
    account,
    accountError: account.sent / sent - 1,
    estimate: estimated,
    estimateError: estimated.sent / sent - 1,
  };
}

/** What somebody could know of a task beforehand: how many turns and loads, and their averages. */
function sizeOf({ requests }: Task): Workload {
  const loads = requests.flatMap((request) => request.loads ?? []);
  const average = (sizes: readonly number[]) =>
    Math.round(sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length));
  return {
    turns: requests.length,
    loads: loads.length,
    perTurn: average(requests.map(({ adds }) => adds)),
    toolsPerLoad: Math.max(1, average(loads.map(({ tools }) => tools.length))),
  };
}
