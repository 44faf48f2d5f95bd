import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropic } from '@ai-sdk/anthropic';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, type ToolSet, tool, toolSearch } from 'ai';
import { z } from 'zod';
import { createFold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const inputSchema = z.object({ name: z.string() });
const execute = async () => 'done';
const stopWhen = isStepCount(5);

const explained = (tools: ToolSet, more: Partial<FoldOptions<ToolSet>> = {}) => {
  const fold = createFold<ToolSet>({ tools, strategy: 'dispatch', onWarning: () => {}, ...more });
  const { tools: all } = fold.explain(endpoint.model('http://127.0.0.1:9'));
  return (name: string) => all.find((one) => one.name === name);
};

describe("the app's own tools", () => {
  const marked: ToolSet = {
    plain: tool({ inputSchema, execute }),
    stays: tool({ inputSchema, execute, deferLoading: false }),
    always: tool({ inputSchema, execute, deferLoading: true }),
  };

  test('promise 61: deferLoading decides, and exposure goes over it', () => {
    const of = explained(marked);
    assert.deepEqual(
      ['plain', 'stays', 'always'].map((name) => of(name)?.status),
      ['deferred', 'declared', 'deferred'],
    );
    const ruled = explained(marked, { exposure: { stays: 'deferred', always: 'inline' } });
    assert.deepEqual([ruled('stays')?.status, ruled('always')?.status], ['deferred', 'declared']);
    const chosen = explained(marked, { strategy: 'auto' });
    assert.deepEqual(
      ['plain', 'stays', 'always'].map((name) => chosen(name)?.status),
      ['declared', 'declared', 'deferred'],
    );
  });

  test('promise 61: what reaches the provider only with a declared tool keeps the tool declared, and explain says why', () => {
    const reasons: Record<string, [ToolSet[string], RegExp]> = {
      web: [anthropic.tools.webSearch_20250305() as ToolSet[string], /provider/],
      strict: [tool({ inputSchema, execute, strict: true }), /strict/],
      examples: [
        tool({ inputSchema, execute, inputExamples: [{ input: { name: 'Ada' } }] }),
        /inputExamples/,
      ],
      options: [
        tool({ inputSchema, execute, providerOptions: { anthropic: { deferLoading: true } } }),
        /providerOptions/,
      ],
      computed: [
        tool({ inputSchema, execute, description: (() => 'Now.') as never }),
        /description is computed/,
      ],
      later: [
        tool({ inputSchema: jsonSchema(Promise.resolve({ type: 'object' }) as never), execute }),
        /asynchronous/,
      ],
    };
    const tools = Object.fromEntries(Object.entries(reasons).map(([name, [one]]) => [name, one]));
    for (const exposure of [{}, { '*': 'deferred' }] as Record<string, 'deferred'>[]) {
      const of = explained(tools, { exposure });
      for (const [name, [, why]] of Object.entries(reasons)) {
        assert.equal(of(name)?.status, 'declared', name);
        assert.match(of(name)?.why ?? '', why, name);
      }
    }
  });

  test('promise 61: a tool that comes from toolSearch() is found, loaded and called', async () => {
    for (const strategy of ['dispatch', 'auto'] as const) {
      await using server = await startModelServer({
        script: [
          {
            calls: [{ name: 'load_tools', arguments: { group_id: 'app', tool_names: ['always'] } }],
          },
          {
            calls: [
              {
                name: 'deferred_tool_call',
                arguments: { tool_name: 'always', arguments: { name: 'Ada' } },
              },
            ],
          },
          { text: 'Done.' },
        ],
      });
      const fold = createFold({ tools: marked, strategy });
      const { steps, text } = await generateText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go.',
        stopWhen,
      });
      const called = steps
        .flatMap((step) => step.toolResults)
        .filter(({ toolName }) => toolName === 'always');
      assert.deepEqual(
        called.map(({ output }) => output),
        ['done'],
      );
      assert.equal(text, 'Done.');
    }
  });

  test('promise 61: eager declares a tool that is marked, although the SDK would hide it', async () => {
    await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
    const fold = createFold({
      tools: { ...marked, search: toolSearch() },
      strategy: 'eager',
      onWarning: () => {},
    });
    await generateText({ ...fold.with(modelOn(server, endpoint)), prompt: 'Hi' });
    assert.deepEqual(toolsOn(server.requests[0] ?? assert.fail()).slice(0, 3), [
      'plain',
      'stays',
      'always',
    ]);
  });

  test('where nothing is deferred, messages hold no part of Toolfold', async () => {
    for (const tools of [marked, {}] as ToolSet[]) {
      await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
      const groups = [{ groupId: 'mcp:few', toolNames: ['one'], loader: async () => [] }];
      const exposure = { always: 'inline' } as const;
      const fold = createFold<ToolSet>({ tools, groups, exposure, onWarning: false });
      const fields = fold.with(modelOn(server, endpoint));
      const { responseMessages } = await generateText({ ...fields, prompt: 'Hi' });
      assert.ok(!JSON.stringify(responseMessages).includes('toolfold'));
    }
  });
});
