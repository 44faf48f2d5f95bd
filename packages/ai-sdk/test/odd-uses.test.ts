import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { z } from 'zod';
import { createFold } from '../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from './endpoints.test-support.ts';
import { foldOptions, type Runs } from './folds.test-support.ts';
import { DISPATCH } from './scenarios.test-support.ts';
import { callsOn, resultsOn, toolsOn } from './wire.test-support.ts';

const { call } = DISPATCH;
const NAME = 'github__create_issue';
const stopWhen = isStepCount(4);
const title = { title: 'a' };
const first = ENDPOINTS[0] as Endpoint;
const user = (content: string): ModelMessage => ({ role: 'user', content });

for (const endpoint of ENDPOINTS) {
  describe(`odd uses, ${endpoint.name}`, () => {
    test('promise 14: an own tool without a validator is checked', async () => {
      const runs: unknown[] = [];
      const plain = tool({
        inputSchema: jsonSchema<{ a: string }>({
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
        }),
        execute: (input) => {
          runs.push(input);
          return 'ran';
        },
      });
      const calls = [
        { name: 'plain', arguments: { a: 1 } },
        call('plain', { a: 2 }),
        { name: 'plain', arguments: { a: 'x' } },
      ];
      for (const run of [generateText, streamText]) {
        runs.length = 0;
        await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
        const fold = createFold({ ...foldOptions([]), tools: { plain } });
        await (await run({ ...fold.with(modelOn(server, endpoint)), prompt: 'Go', stopWhen })).text;
        const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
        assert.match(texts[0] ?? '', /invalid_arguments.*not run/s);
        assert.match(texts[1] ?? '', /invalid_arguments.*not run/s);
        assert.equal(texts[2], 'ran');
        assert.deepEqual(runs, [{ a: 'x' }]);
      }
    });

    test('promise 14: the app may repair an input that a schema without a validator refuses', async () => {
      const inputSchema = jsonSchema<{ a: string }>({
        type: 'object',
        properties: { a: { type: 'string' } },
      });
      const plain = tool({ inputSchema, execute: ({ a }) => `ran ${a}` });
      const calls = [{ name: 'plain', arguments: { a: 1 } }];
      await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
      const fold = createFold({ ...foldOptions([]), tools: { plain } });
      const errors: unknown[] = [];
      await generateText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go',
        stopWhen,
        experimental_repairToolCall: async ({ toolCall, error }) => {
          errors.push(error);
          return { ...toolCall, input: '{"a":"x"}' };
        },
      });
      assert.match(String(errors[0]), /invalid_arguments/);
      assert.equal(errors.length, 1);
      const [result] = resultsOn(server.requests.at(-1) ?? assert.fail());
      assert.equal(result?.text, 'ran x');
    });

    test('a tool that the app adds beside the fold is declared and not changed', async () => {
      await using server = await startModelServer({
        script: [
          { calls: [{ name: 'extra', arguments: { x: 1 } }, call(NAME, title)] },
          { text: 'Done.' },
        ],
      });
      const fold = createFold(foldOptions([]));
      const settings = fold.with(modelOn(server, endpoint));
      const extra = tool({
        inputSchema: z.object({ x: z.number() }),
        execute: ({ x }) => `x is ${x}`,
      });
      const tools = { ...settings.tools, extra } as ToolSet;
      await generateText({ model: settings.model, tools, prompt: 'Go', stopWhen });
      assert.ok(auditPrefix(server.requests).held);
      assert.ok(toolsOn(server.requests[0] ?? assert.fail()).includes('extra'));
      assert.deepEqual(
        resultsOn(server.requests[1] ?? assert.fail()).map(({ text }) => text)[0],
        'x is 1',
      );
    });

    test('activeTools: [] and toolChoice: none within a conversation keep the prefix', async () => {
      await using server = await startModelServer({
        script: [{ calls: [call(NAME, title)] }, { text: 'Done.' }, { text: 'A' }, { text: 'B' }],
      });
      const fold = createFold(foldOptions([]));
      const settings = fold.with(modelOn(server, endpoint));
      const messages = [user('Go')];
      messages.push(
        ...(await generateText({ ...settings, messages, stopWhen })).responseMessages,
        user('And?'),
      );
      messages.push(
        ...(await generateText({ ...settings, messages, activeTools: [] })).responseMessages,
        user('Last?'),
      );
      await generateText({ ...settings, messages, toolChoice: 'none' });
      const report = auditPrefix(server.requests);
      assert.ok(report.held, formatAuditReport(report));
    });

    test('one with() shared by simultaneous conversations', async () => {
      const script = (request: RecordedRequest): Reply => {
        const who = /conversation (\d)/.exec(request.raw)?.[1];
        return resultsOn(request).length > 0
          ? { text: 'Done.' }
          : { calls: [call(NAME, { title: `from ${who}` })] };
      };
      await using server = await startModelServer({ script });
      const runs: Runs = [];
      const settings = createFold(foldOptions(runs)).with(modelOn(server, endpoint));
      const talks = [1, 2, 3].map((n) =>
        generateText({ ...settings, prompt: `conversation ${n}`, stopWhen }),
      );
      await Promise.all(talks);
      assert.deepEqual(runs.map(({ input }) => JSON.stringify(input)).sort(), [
        '{"title":"from 1"}',
        '{"title":"from 2"}',
        '{"title":"from 3"}',
      ]);
      for (const n of [1, 2, 3]) {
        assert.ok(
          auditPrefix(server.requests.filter(({ raw }) => raw.includes(`conversation ${n}`))).held,
        );
      }
    });

    test('structured output together with tools', async () => {
      await using server = await startModelServer({
        script: [{ calls: [call(NAME, title)] }, { text: '{"ok":true}' }],
        strict: false,
      });
      const fold = createFold(foldOptions([]));
      const output = Output.object({ schema: z.object({ ok: z.boolean() }) });
      const result = await generateText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go',
        stopWhen,
        output,
      });
      assert.deepEqual(result.output, { ok: true });
      assert.ok(auditPrefix(server.requests).held);
    });
  });
}

test('call ids that repeat across turns', async () => {
  const endpoint = ENDPOINTS[3] as Endpoint;
  const again = (name: string, input: object) => ({
    calls: [{ ...call(name, input), id: 'call_0' }],
  });
  const script = [
    again('github__explode', {}),
    { text: 'A' },
    again(NAME, { title: 5 }),
    { text: 'B' },
    again('github__explode', {}),
    { text: 'C' },
  ];
  await using server = await startModelServer({ script });
  const settings = createFold(foldOptions([])).with(modelOn(server, endpoint));
  const messages = [user('Go')];
  for (const _ of [1, 2, 3]) {
    messages.push(
      ...(await generateText({ ...settings, messages, stopWhen })).responseMessages,
      user('And?'),
    );
  }
  const report = auditPrefix(server.requests);
  assert.ok(report.held, formatAuditReport(report));
  const last = server.requests.at(-1) ?? assert.fail();
  assert.deepEqual(callsOn(last).length, 3);
  const texts = resultsOn(last).map(({ text }) => text);
  assert.match(texts[0] ?? '', /it blew up$/);
  assert.match(texts[1] ?? '', /invalid_arguments/);
  assert.match(texts[2] ?? '', /it blew up.*failed 2 times/s);
});

test('promise 9: a provider-defined tool keeps its position, with activeTools too', async () => {
  const tools: ToolSet = {
    ...foldOptions([]).tools,
    web_search: anthropic.tools.webSearch_20250305() as never,
    last: tool({ inputSchema: z.object({}) }),
  };
  await using server = await startModelServer({
    script: [{ calls: [call(NAME, title)] }, { text: 'Done.' }, { text: 'Bye.' }],
  });
  const exposure = { '*': 'inline', 'mcp:*': 'deferred' } as const;
  const fold = createFold({ ...foldOptions([]), tools, exposure });
  const settings = fold.with(modelOn(server, first));
  const { responseMessages } = await generateText({ ...settings, prompt: 'Go', stopWhen });
  await generateText({
    ...settings,
    messages: [user('Go'), ...responseMessages, user('And?')],
    activeTools: ['ask'] as never,
  });
  const report = auditPrefix(server.requests);
  assert.ok(report.held, formatAuditReport(report));
  assert.deepEqual(toolsOn(server.requests[0] ?? assert.fail()).slice(0, 4), [
    'ask',
    'deploy',
    'web_search',
    'last',
  ]);
});

test('a model by its id', async () => {
  const scope = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
  await using server = await startModelServer({
    script: [{ calls: [call(NAME, title)] }, { text: 'Done.' }],
  });
  scope.AI_SDK_DEFAULT_PROVIDER = { languageModel: (id: string) => modelOn(server, first, id) };
  try {
    const result = await generateText({
      ...createFold(foldOptions([])).with('my-model'),
      prompt: 'Go',
      stopWhen,
    });
    assert.equal(result.text, 'Done.');
    assert.equal(server.requests[0]?.body.model, 'my-model');
  } finally {
    delete scope.AI_SDK_DEFAULT_PROVIDER;
  }
});

for (const version of ['v3', 'v2'] as const) {
  test(`a provider of specification ${version}`, async () => {
    await using server = await startModelServer({
      script: [{ calls: [call(NAME, title), call(NAME, {})] }, { text: 'Done.' }],
    });
    const model = asOlder(modelOn(server, first), version);
    const result = await generateText({
      ...createFold(foldOptions([])).with(model as never),
      prompt: 'Go',
      stopWhen,
    });
    assert.equal(result.text, 'Done.');
    assert.ok(auditPrefix(server.requests).held);
    assert.deepEqual(
      callsOn(server.requests[1] ?? assert.fail()).map(({ name }) => name),
      ['deferred_tool_call', 'deferred_tool_call'],
    );
  });
}

test('promise 39: a thousand placeholders, one request, no loader runs', async () => {
  const group = fakeGroup({ groupId: 'big', count: 1_000 });
  await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
  const fold = createFold({ groups: [group], strategy: 'dispatch' });
  await generateText({ ...fold.with(modelOn(server, first)), prompt: 'Go' });
  assert.equal(group.loads, 0);
  assert.equal(toolsOn(server.requests[0] ?? assert.fail()).length, 3);
});

test('promise 37: tools and groups with names of object members', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const tools = names.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    execute: () => `ran ${name}`,
  }));
  const groups = [{ groupId: 'constructor', toolNames: names, loader: async () => tools }];
  for (const run of [generateText, streamText]) {
    const calls = names.map((name) => call(`constructor__${name}`, {}));
    await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
    const fold = createFold({ groups, strategy: 'dispatch' });
    await (await run({ ...fold.with(modelOn(server, first)), prompt: 'Go', stopWhen })).text;
    assert.deepEqual(
      resultsOn(server.requests[1] ?? assert.fail()).map(({ text }) => text),
      names.map((name) => `ran ${name}`),
    );
  }
});

/** A model of a provider for an older SDK: the same calls, another form of usage and finish reason. */
function asOlder(model: LanguageModelV4, version: 'v2' | 'v3'): object {
  return {
    specificationVersion: version,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: async (options: never) => {
      const { finishReason, usage, content, ...rest } = await model.doGenerate(options);
      const kept = content.filter(({ type }) => type === 'text' || type === 'tool-call');
      if (version === 'v3') return { ...rest, content: kept, finishReason, usage };
      const tokens = {
        inputTokens: usage.inputTokens.total,
        outputTokens: usage.outputTokens.total,
        totalTokens: undefined,
      };
      return { ...rest, content: kept, finishReason: finishReason.unified, usage: tokens };
    },
  };
}
