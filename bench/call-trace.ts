/**
 * Counts what one dispatched call costs between the model's answer and the tool: the distinct functions
 * of `src/` that are entered, their files, and the calls of `JSON.stringify`. The fold has 60 tools in six
 * groups, with a hook, an approval setting and an observer; the first call of a conversation loads its
 * group. Run: `npm run bench:call [-- --list] [--plain] [--json]`. `--list` names the functions; `--plain`:
 * without hook, setting and observer; `--json`: tools with a JSON Schema instead of a zod schema;
 * `--load`: calls of `load_tools`, from the model's answer to the result, and to the next request.
 */
import { Session } from 'node:inspector/promises';
import { generateText, isStepCount, jsonSchema, type LanguageModel, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../src/ai-sdk/index.ts';

const GROUPS = 6;
const TOOLS = 10;
const isListed = process.argv.includes('--list');
const isLoad = process.argv.includes('--load');

interface Counted {
  readonly functions: ReadonlySet<string>;
  readonly writes: number;
}

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');

const stringify = JSON.stringify;
let writes = 0;
JSON.stringify = ((...args: Parameters<typeof stringify>) => {
  writes++;
  return stringify(...args);
}) as typeof stringify;

/** Begins to count. */
async function begin(): Promise<void> {
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  writes = 0;
}

/** What was entered since `begin`. */
async function end(): Promise<Counted> {
  const counted = writes;
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const functions = new Set<string>();
  for (const { url, functions: all } of result) {
    const file = /\/(src\/.*)$/.exec(url)?.[1];
    if (!file) continue;
    for (const { functionName, ranges } of all) {
      const [range] = ranges;
      // The whole module is a range of its own, which starts at 0.
      if (!range || range.count === 0 || range.startOffset === 0) continue;
      functions.add(`${file} ${functionName || `(at ${range.startOffset})`} ${range.startOffset}`);
    }
  }
  return { functions, writes: counted };
}

function sumOf(one: Counted, other: Counted): Counted {
  return {
    functions: new Set([...one.functions, ...other.functions]),
    writes: one.writes + other.writes,
  };
}

const counts: Counted[] = [];
/** What loads entered until they had their results. */
const loads: Counted[] = [];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const answers = [
  ['a', 'g0__t1'],
  ['b', 'g0__t2'],
] as const;
let request = 0;
const model = {
  specificationVersion: 'v4',
  provider: 'openai.chat',
  modelId: 'test',
  supportedUrls: {},
  doGenerate: async () => {
    const loaded = loads.at(-1);
    if (loaded && counts.length < loads.length) counts.push(sumOf(loaded, await end()));
    const answer = answers[request++];
    const content = answer
      ? [
          {
            type: 'tool-call',
            toolCallId: answer[0],
            ...(isLoad
              ? { toolName: 'load_tools', input: `{"group_id":"${answer[1].slice(0, 2)}"}` }
              : {
                  toolName: 'deferred_tool_call',
                  input: `{"tool_name":"${answer[1]}","arguments":{"text":"hello","count":2}}`,
                }),
          },
        ]
      : [{ type: 'text', text: 'Done.' }];
    const unified = answer ? 'tool-calls' : 'stop';
    if (answer) await begin();
    return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
  },
};
const schemas = {
  zod: z.object({ text: z.string(), count: z.number().int().optional() }),
  // The SDK has no validator of its own for it, as for tools of MCP servers.
  json: jsonSchema({
    type: 'object',
    properties: { text: { type: 'string' }, count: { type: 'integer' } },
    required: ['text'],
  }),
};
const inputSchema = process.argv.includes('--json') ? schemas.json : schemas.zod;
const groups = Array.from({ length: GROUPS }, (_, group) => ({
  groupId: `g${group}`,
  toolNames: Array.from({ length: TOOLS }, (_, at) => `t${at}`),
  loader: async (): Promise<ToolSet> => {
    const made = tool({
      description: 'Writes a text several times.',
      inputSchema: inputSchema as typeof schemas.zod,
      execute: async () => {
        counts.push(await end());
        return 'done';
      },
    });
    return Object.fromEntries(
      Array.from({ length: TOOLS }, (_, at) => [`t${at}`, made as ToolSet[string]]),
    );
  },
}));
const isPlain = process.argv.includes('--plain');
const onCall = async () => {
  if (!isLoad) return;
  const counted = await end();
  loads.push(counted);
  await begin();
};
const fields = createFold({ groups, strategy: 'dispatch', onCall }).with(
  model as unknown as LanguageModel,
  isPlain
    ? {}
    : {
        hooks: { beforeToolCall: () => undefined },
        toolApproval: () => undefined,
        observers: { started: () => {} },
      },
);
await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(4) } as never);
inspector.disconnect();

const filesOf = ({ functions }: Counted) =>
  new Set([...functions].map((name) => name.split(' ')[0]));
const sizeOf = (counted: Counted) =>
  `${counted.functions.size} functions in ${filesOf(counted).size} files, ${counted.writes} JSON writes`;
for (const [at, counted] of counts.entries()) {
  const { functions } = counted;
  const label = at === 0 ? 'the first call, which loads its group' : 'a later call of the group';
  const loaded = loads[at];
  if (loaded) process.stdout.write(`${label}, to the result: ${sizeOf(loaded)}\n`);
  const until = loaded ? ', to the next request' : '';
  process.stdout.write(`${label}${until}: ${sizeOf(counted)}\n`);
  if (!isListed) continue;
  for (const file of [...filesOf(counted)].sort()) {
    const names = [...functions].filter((name) => name.startsWith(`${file} `));
    process.stdout.write(
      `  ${file} (${names.length}): ${names.map((name) => name.split(' ')[1]).join(', ')}\n`,
    );
  }
}
