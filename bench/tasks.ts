/**
 * Counts the tokens sent in scripted tasks: Toolfold's strategies compared with eager and with the
 * AI SDK's own `toolSearch()` with `deferLoading`, in one run, on the Anthropic wire format. Counts
 * use o200k_base over the recorded bodies, block by block as in the prefix auditor.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  type ToolSet,
  tool,
  toolSearch,
} from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { DeferredToolGroup } from 'toolfold';
import { createRouter, preloadBy } from 'toolfold/agent';
import { createFold } from 'toolfold/ai-sdk';
import {
  auditPrefix,
  type FakeGroup,
  fakeGroup,
  type RecordedRequest,
  type Reply,
  startModelServer,
} from 'toolfold/testing';

interface Goal {
  readonly group: string;
  readonly tool: string;
  readonly arguments: object;
}

/** A conversation: the calls that each user message needs. */
interface Task {
  readonly name: string;
  readonly turns: readonly (readonly Goal[])[];
}

const GROUPS = ['calendar', 'crm', 'docs', 'github', 'mail', 'shop', 'tracker', 'wiki'];
const groups: FakeGroup[] = GROUPS.map((name, index) =>
  fakeGroup({ groupId: `mcp:${name}`, count: 15, seed: index + 1 }),
);

function goal(group: number, index: number): Goal {
  const name = GROUPS[group % GROUPS.length] ?? '';
  return {
    group: name,
    tool: groups[group % GROUPS.length]?.toolNames?.[index] ?? '',
    arguments: {},
  };
}

const tasks: readonly Task[] = [
  {
    name: 'one server, four calls in a row',
    turns: [[goal(3, 0), goal(3, 1), goal(3, 2), goal(3, 3)]],
  },
  {
    name: 'four servers, one call each',
    turns: [[goal(0, 0), goal(1, 0), goal(2, 0), goal(3, 0)]],
  },
  {
    name: 'ten user turns, four of them with calls',
    turns: Array.from({ length: 10 }, (_, n) => (n % 3 === 0 ? [goal(n, 0), goal(n, 1)] : [])),
  },
];

const strategies = ['eager', 'native', 'dispatch', 'bridge', 'inject', 'lazy'] as const;
/**
 * The strategies; two of them also with schemas preloaded for clear matches in the user message.
 */
const ways = [
  'eager',
  'native',
  'native, preload',
  'dispatch',
  'dispatch, preload',
  'bridge',
  'inject',
  'lazy',
  'toolSearch()',
] as const;
type Way = (typeof ways)[number];

const canonical = ({ group, tool: name }: Goal) => `${group}__${name}`;

/** The next reply of a model that knows which tools it needs, given the tools shown so far. */
function nextReply(
  way: Way,
  goals: readonly Goal[],
  shown: Set<string>,
  done: { count: number },
  raw: string,
): Reply {
  const wanted = goals[done.count];
  if (!wanted) return { text: 'That is all done.' };
  const name = canonical(wanted);
  const args = wanted.arguments;
  const call = (toolName: string, input: object): Reply => ({
    calls: [{ name: toolName, arguments: input }],
  });
  const run = (toolName: string, input: object): Reply => {
    done.count++;
    return call(toolName, input);
  };
  const inGroup = goals.filter((other) => other.group === wanted.group);
  // Preloaded with the user message, as text or as an added tool.
  if (way.endsWith('preload') && raw.includes(name)) shown.add(name);
  const isShown = shown.has(name);
  if (way === 'eager') return run(name, args);
  if (way.startsWith('dispatch') || way === 'inject' || way.startsWith('native')) {
    if (!isShown) {
      for (const other of inGroup) shown.add(canonical(other));
      return call('load_tools', {
        group_id: `mcp:${wanted.group}`,
        tool_names: inGroup.map((g) => g.tool),
      });
    }
    return way.startsWith('dispatch')
      ? run('deferred_tool_call', { tool_name: name, arguments: args })
      : run(name, args);
  }
  shown.add(name);
  const words = `${wanted.group} ${wanted.tool.replaceAll('_', ' ')}`;
  if (way === 'bridge') {
    return isShown
      ? run('tool_call', { name, arguments: args })
      : call('tool_search', { query: words, limit: 3 });
  }
  if (way === 'lazy') return isShown ? run(name, args) : call('request_tool', { name });
  return isShown ? run(name, args) : call('find_tools', { query: words });
}

async function allTools(deferLoading: boolean): Promise<ToolSet> {
  const entries = await Promise.all(
    groups.map(async (group) => {
      const tools = await group.loader({ signal: new AbortController().signal });
      return tools.map((item) => [
        `${group.groupId.slice(4)}__${item.name}`,
        tool({
          ...(item.description === undefined ? {} : { description: item.description }),
          inputSchema: jsonSchema(withoutRequired(item.inputSchema)),
          execute: async () => ({ ok: true }),
          ...(deferLoading ? { deferLoading } : {}),
        }),
      ]);
    }),
  );
  return Object.fromEntries(entries.flat()) as ToolSet;
}

async function runTask(task: Task, way: Way): Promise<RecordedRequest[]> {
  const shown = new Set<string>();
  let goals: readonly Goal[] = [];
  let done = { count: 0 };
  await using server = await startModelServer({
    script: ({ raw }) => nextReply(way, goals, shown, done, raw),
  });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
    // A model that accepts new tools during a conversation.
    'claude-opus-5-5',
  );
  const lenient = groups.map(
    (group): DeferredToolGroup => ({
      ...group,
      // The script knows names, not arguments. No argument is required, so that every call is
      // valid.
      loader: async (options: { signal: AbortSignal }) =>
        (await group.loader(options)).map((item) => ({
          ...item,
          inputSchema: withoutRequired(item.inputSchema),
          execute: async () => ({ ok: true }),
        })),
    }),
  );
  const fields =
    way === 'toolSearch()'
      ? {
          model,
          tools: {
            find_tools: toolSearch({ maxResults: 3 }),
            ...(await allTools(true)),
          } as ToolSet,
        }
      : way === 'eager'
        ? { model, tools: await allTools(false) }
        : createFold({ groups: lenient, strategy: strategyOf(way) }).with(
            model,
            way.endsWith('preload') ? { preload: preloadBy(createRouter()) } : {},
          );
  let messages: ModelMessage[] = [];
  for (const [index, turn] of task.turns.entries()) {
    goals = turn;
    done = { count: 0 };
    // `toolSearch()` forgets its results when a generation ends. The model has to search again.
    if (way === 'toolSearch()') shown.clear();
    messages.push({ role: 'user', content: wordsOf(goals) || `Thanks for number ${index}.` });
    const result = await generateText({
      ...fields,
      messages,
      stopWhen: isStepCount(30),
      maxRetries: 0,
    } as Parameters<typeof generateText>[0]);
    messages = [...messages, ...result.responseMessages];
  }
  return [...server.requests];
}

function strategyOf(way: Way): (typeof strategies)[number] {
  return strategies.find((name) => way.startsWith(name)) ?? 'dispatch';
}

/** A user message in words similar to the tool names. */
function wordsOf(goals: readonly Goal[]): string {
  return goals.map(({ group, tool: name }) => `${group}: ${name.replaceAll('_', ' ')}`).join('; ');
}

/** The schema without required properties. */
function withoutRequired(schema: unknown): { required: never[] } {
  return { ...(schema as object), required: [] };
}

const pad = (text: string | number, width: number) => String(text).padStart(width);
const figure = (value: number) => Math.round(value).toLocaleString('en-US');

console.log(
  'Tokens are o200k_base over the recorded request bodies; "kept" is the share a cache could serve, "new" the rest.\n',
);
for (const task of tasks) {
  console.log(`${task.name} (${groups.length * 15} tools on ${groups.length} servers)`);
  console.log(
    `  ${'way'.padEnd(18)}${pad('requests', 9)}${pad('sent', 11)}${pad('of eager', 10)}${pad('cached', 11)}${pad('kept', 8)}${pad('new', 9)}${pad('breaks', 8)}`,
  );
  let eager = 0;
  for (const way of ways) {
    const requests = await runTask(task, way);
    const report = auditPrefix(requests, { countTokens });
    const { keptTokens, newTokens, breaks } = report.totals;
    const sent = keptTokens + newTokens;
    if (way === 'eager') eager = sent;
    console.log(
      `  ${way.padEnd(18)}${pad(requests.length, 9)}${pad(figure(sent), 11)}${pad(`${((100 * sent) / eager).toFixed(1)} %`, 10)}${pad(figure(keptTokens), 11)}${pad(`${((100 * keptTokens) / sent).toFixed(1)} %`, 8)}${pad(figure(newTokens), 9)}${pad(breaks, 8)}`,
    );
  }
  console.log();
}
