/** What the pages say about other parts of the AI SDK beside a fold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createVertex } from '@ai-sdk/google-vertex';
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAI } from '@ai-sdk/openai';
import { auditPrefix } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startMcpServer } from '@toolfold/testing/internal/doubles/mcp-server.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  generateText,
  hasToolCall,
  isStepCount,
  type LanguageModelMiddleware,
  type ModelMessage,
  pruneMessages,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { createFold, stepMessages } from '../src/index.ts';
import { callsOn, resultsOn } from './wire.test-support.ts';

const stopWhen = isStepCount(5);
const find = tool({ inputSchema: z.object({ name: z.string() }), execute: ({ name }) => name });
const tools = { find, mail: find, map: find } as ToolSet;
const fold = createFold({ tools, strategy: 'dispatch' });
const load = { name: 'load_tools', arguments: { group_id: 'app', tool_names: ['find'] } };
const call = (tool_name: string, input: object = { name: 'Ada' }) => ({
  name: 'deferred_tool_call',
  arguments: { tool_name, arguments: input },
});
const turn: Reply[] = [{ calls: [load] }, { calls: [call('find')] }, { text: 'Done.' }];
const user = (content: string): ModelMessage => ({ role: 'user', content });
const stored = (messages: ModelMessage[]): ModelMessage[] => JSON.parse(JSON.stringify(messages));

function claude(server: ModelServer) {
  return createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
    'claude-opus-5-5',
  );
}

test('stopWhen: hasToolCall sees real calls, and a load that the step began with', async () => {
  for (const [name, requests] of [
    ['find', 2],
    ['load_tools', 2],
    ['mail', 3],
  ] as const) {
    await using server = await startModelServer({ script: turn });
    const fields = fold.with(claude(server));
    await generateText({ ...fields, prompt: 'Go.', stopWhen: [hasToolCall(name), stopWhen] });
    assert.equal(server.requests.length, requests, name);
  }
});

test('a middleware inside a fold sees each request as it is sent, one around it sees steps and all tools', async () => {
  const seen: (boolean | undefined)[] = [];
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      seen.push(params.tools?.some(({ name }) => name === 'mail'));
      return params;
    },
  };
  for (const [place, expected] of [
    ['inside', [false, false, false]],
    ['around', [true, true]],
  ] as const) {
    await using server = await startModelServer({ script: turn });
    const model = claude(server);
    const inner = place === 'inside' ? wrapLanguageModel({ model, middleware }) : model;
    const fields = fold.with(inner);
    const outer = {
      ...fields,
      model: wrapLanguageModel({ model: fields.model as never, middleware }),
    };
    seen.length = 0;
    const { text } = await generateText({
      ...(place === 'inside' ? fields : outer),
      prompt: 'Go.',
      stopWhen,
    });
    assert.deepEqual([text, seen, server.requests.length], ['Done.', expected, 3]);
  }
});

test('messages from before Toolfold go on with a fold, and with the off switch or stepMessages without it', async () => {
  const script: Reply[] = [
    { calls: [{ name: 'find', arguments: { name: 'Ada' } }] },
    { text: 'Done.' },
    ...turn,
    { text: 'Back.' },
    { text: 'Back.' },
    { text: 'Back.' },
  ];
  await using server = await startModelServer({ script });
  const model = claude(server);
  let messages = [user('Go.')];
  for (const fields of [{ model, tools }, fold.with(model)]) {
    const { responseMessages } = await generateText({ ...fields, messages, stopWhen });
    messages = stored([...messages, ...responseMessages, user('And?')]);
  }
  const off = createFold({ tools, strategy: false }).with(model);
  const switched = await generateText({ ...off, messages });
  const bare = await generateText({ model, tools, messages: stepMessages(messages) });
  assert.deepEqual([...(switched.warnings ?? []), ...(bare.warnings ?? [])], []);
  const [offRequest, bareRequest] = server.requests.slice(-2);
  assert.equal(offRequest?.raw, bareRequest?.raw);
  const unaware = await generateText({ model, tools, messages });
  assert.match(
    JSON.stringify(unaware.warnings),
    /provider executed tool call for tool load_tools is not supported/,
  );
  const names = callsOn(server.requests.at(-1) ?? assert.fail()).map(({ name }) => name);
  assert.deepEqual(names, ['find', 'find']);
});

test('pruned messages break the prefix at the first that was pruned, and every tool stays callable', async () => {
  const script = [...turn, { calls: [call('find')] }, { text: 'Again.' }];
  await using server = await startModelServer({ script });
  const first = await generateText({
    ...fold.with(claude(server)),
    messages: [user('Go.')],
    stopWhen,
  });
  const messages = pruneMessages({
    messages: stored([user('Go.'), ...first.responseMessages, user('Again.')]),
    toolCalls: 'before-last-message',
  });
  const { text } = await generateText({ ...fold.with(claude(server)), messages, stopWhen });
  assert.equal(text, 'Again.');
  assert.equal(auditPrefix(server.requests).totals.breaks, 1);
});

test('previousResponseId of OpenAI: calls work, and the list of names is sent again', async () => {
  const script = [...turn, { calls: [call('find')] }, { text: 'Again.' }];
  await using server = await startModelServer({ script });
  const openai = createOpenAI({ apiKey: 'none', baseURL: server.baseUrl('openai-responses') });
  const model = openai('gpt-5.4');
  const first = await generateText({ ...fold.with(model), prompt: 'Go.', stopWhen });
  const previousResponseId = first.providerMetadata?.openai?.responseId as string;
  const again = await generateText({
    ...fold.with(model),
    prompt: 'Again.',
    stopWhen,
    providerOptions: { openai: { previousResponseId } },
  });
  assert.equal(again.text, 'Again.');
  assert.match(
    server.requests[3]?.raw ?? '',
    /"previous_response_id".*- app \(3 tools\)|- app \(3 tools\).*"previous_response_id"/s,
  );
});

test('the tools of an MCP client of the AI SDK are own tools, or a group whose results are third-party text', async () => {
  const echo = { name: 'echo', inputSchema: { type: 'object' as const, properties: {} } };
  for (const asGroup of [false, true]) {
    await using mcp = await startMcpServer({ tools: [echo] });
    const client = await createMCPClient({ transport: mcp.transport as never });
    const given = await client.tools();
    const group = {
      groupId: 'mcp:demo',
      description: 'A demo',
      toolNames: Object.keys(given),
      loader: () => client.tools() as Promise<ToolSet>,
    };
    await using server = await startModelServer({
      script: [{ calls: [call('echo', {})] }, { text: 'Done.' }],
    });
    const { steps } = await generateText({
      ...createFold<ToolSet>({
        ...(asGroup ? { groups: [group] } : { tools: given as ToolSet }),
        strategy: 'dispatch',
        frameResults: true,
      }).with(claude(server)),
      prompt: 'Go.',
      stopWhen,
    });
    await client.close();
    assert.equal(steps[0]?.toolCalls[0]?.toolName, asGroup ? 'demo__echo' : 'echo');
    const [result] = resultsOn(server.requests[1] ?? assert.fail());
    assert.equal(/not instructions/.test(result?.text ?? ''), asGroup);
  }
});

test('an inference profile of Bedrock gets the cache points of the model that its wrapper names', async () => {
  const bodies: string[] = [];
  const answer = {
    output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  };
  const bedrock = createAmazonBedrock({
    region: 'us-east-1',
    apiKey: 'none',
    fetch: async (url, init) => {
      bodies.push(`${url} ${init?.body}`);
      const headers = { 'content-type': 'application/json' };
      return new Response(JSON.stringify(answer), { headers });
    },
  });
  const profile = bedrock('arn:aws:bedrock:us-east-1:1:application-inference-profile/abc');
  const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  const named = wrapLanguageModel({
    model: profile,
    modelId,
    middleware: { specificationVersion: 'v4' },
  });
  for (const model of [profile, named])
    await generateText({ ...fold.with(model), prompt: 'Go. '.repeat(2_000) });
  assert.deepEqual(
    bodies.map((body) => [
      body.includes('application-inference-profile'),
      body.includes('cachePoint'),
    ]),
    [
      [true, false],
      [true, true],
    ],
  );
});

test('explain says of Gemini that it caches by itself', () => {
  const vertex = createVertex({ project: 'a', location: 'b' });
  assert.equal(
    fold.explain(vertex('gemini-3-pro')).cache,
    'asks for nothing: this provider caches by itself',
  );
});
