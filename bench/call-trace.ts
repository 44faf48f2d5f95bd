/**
 * Counts what one dispatched call costs between the model's answer and the tool: the distinct functions
 * of the packages that are entered, their files, and the calls of `JSON.stringify`. The fold has 60 tools in six
 * groups, with a hook, an approval setting and an observer; the first call of a conversation loads its
 * group. Run: `npm run bench:call [-- --list] [--plain] [--json] [--request] [--load]`. `--list` names the functions;
 * `--plain`: without hook, setting and observer; `--json`: tools with a JSON Schema instead of a zod schema;
 * `--request`: counts what one later request costs instead, from the results of a step to the model;
 * `--load`: counts calls of `load_tools`, from the model's answer to the result, and to the next request.
 */
import { generateText, isStepCount, jsonSchema, type LanguageModel, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../packages/ai-sdk/src/index.ts';
import { begin, type Counted, connect, disconnect, end, say, sumOf } from './function-trace.ts';

const GROUPS = 6;
const TOOLS = 10;
const isListed = process.argv.includes('--list');
const isRequest = process.argv.includes('--request');
const isLoad = process.argv.includes('--load');

await connect();
const counts: Counted[] = [];
/** What the last load entered until it had its result. */
let loaded: Counted | undefined;
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
    if (isRequest && request > 0) counts.push(await end());
    if (loaded) counts.push(loaded, sumOf(loaded, await end()));
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
    if (answer && !isRequest) await begin();
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
        if (!isRequest) counts.push(await end());
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
  loaded = await end();
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
/** Called when the SDK has the results of a step: what follows builds the next request. */
const onStepFinish = () => (isRequest ? begin() : undefined);
const settings = { prompt: 'Go.', stopWhen: isStepCount(4), onStepFinish };
await generateText({ ...fields, ...settings } as never);
disconnect();

const labels = isRequest
  ? ['the second request of a turn', 'the third one']
  : isLoad
    ? ['the first load', 'the first load and the next request', 'the second', 'and its request']
    : ['the first call, which loads its group', 'a later call of the group'];
for (const [at, counted] of counts.entries()) say(labels[at] ?? '', counted, isListed);
