/**
 * Counts what one dispatched call costs between the model's answer and the tool: the distinct functions
 * of `src/` that are entered, their files, and the calls of `JSON.stringify`. The fold has 60 tools in six
 * groups, with hooks, an approval setting and an observer; the first call of a conversation loads its
 * group, the second is counted too. Run: `npm run bench:call [-- --list]`. `--list` names the functions.
 */
import { Session } from 'node:inspector/promises';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { createFold } from '../src/ai-sdk/index.ts';

const GROUPS = 6;
const TOOLS = 10;
const isListed = process.argv.includes('--list');

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

const counts: Counted[] = [];
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
    const answer = answers[request++];
    const content = answer
      ? [
          {
            type: 'tool-call',
            toolCallId: answer[0],
            toolName: 'deferred_tool_call',
            input: `{"tool_name":"${answer[1]}","arguments":{"text":"hello","count":2}}`,
          },
        ]
      : [{ type: 'text', text: 'Done.' }];
    const unified = answer ? 'tool-calls' : 'stop';
    if (answer) await begin();
    return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
  },
};
const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, count: { type: 'integer' } },
  required: ['text'],
};
const groups = Array.from({ length: GROUPS }, (_, group) => ({
  groupId: `g${group}`,
  toolNames: Array.from({ length: TOOLS }, (_, tool) => `t${tool}`),
  loader: async () =>
    Array.from({ length: TOOLS }, (_, tool) => ({
      name: `t${tool}`,
      description: 'Writes a text several times.',
      inputSchema,
      execute: async () => {
        counts.push(await end());
        return 'done';
      },
    })),
}));
const isPlain = process.argv.includes('--plain');
const fields = createFold({ groups: groups as never, strategy: 'dispatch' }).with(
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
for (const [at, counted] of counts.entries()) {
  const { functions } = counted;
  const label = at === 0 ? 'the first call, which loads its group' : 'a later call of the group';
  process.stdout.write(
    `${label}: ${functions.size} functions in ${filesOf(counted).size} files, ${counted.writes} JSON writes\n`,
  );
  if (!isListed) continue;
  for (const file of [...filesOf(counted)].sort()) {
    const names = [...functions].filter((name) => name.startsWith(`${file} `));
    process.stdout.write(
      `  ${file} (${names.length}): ${names.map((name) => name.split(' ')[1]).join(', ')}\n`,
    );
  }
}
