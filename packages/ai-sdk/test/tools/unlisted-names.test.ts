import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { LanguageModelV4, LanguageModelV4Content } from '@ai-sdk/provider';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  isToolUIPart,
  simulateStreamingMiddleware,
  streamText,
  type ToolSet,
  tool,
  validateUIMessages,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { callsOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const stopWhen = isStepCount(5);
const WIPE = 'ops__wipe';
const target = { target: 'disk' };
const MODES = ['generate', 'stream'] as const;
const ROUTES = ['live', 'json', 'ui'] as const;

type Groups = NonNullable<FoldOptions<ToolSet>['groups']>;
interface Ops {
  readonly runs: unknown[];
  readonly needsApproval?: boolean;
}

/** A group that does not list its tools. */
function ops({ runs, needsApproval = false }: Ops): Groups {
  const execute = (input: unknown) => {
    runs.push(input);
    return { wiped: input };
  };
  const inputSchema = z.object({ target: z.string() });
  const loader = async () => ({ wipe: tool({ inputSchema, needsApproval, execute }) });
  return [{ groupId: 'ops', loader }];
}

const ask = tool({ inputSchema: z.object({ question: z.string() }), execute: () => 'because' });

function foldOf(groups: Groups): Fold<ToolSet> {
  return createFold({ strategy: 'dispatch', tools: { ask } as ToolSet, groups });
}

const ASKED: Reply[] = [
  { calls: [DISPATCH.load('ops')] },
  { calls: [DISPATCH.call(WIPE, target)] },
  { text: 'Done.' },
  { text: 'Bye.' },
];

const SETTINGS: readonly { name: string; needsApproval?: boolean; with?: WithOptions }[] = [
  { name: 'the tool itself', needsApproval: true },
  {
    name: 'a hook',
    with: { hooks: { beforeToolCall: ({ name }) => ({ ask: name === WIPE }) } },
  },
  { name: 'the setting', with: { toolApproval: { [WIPE]: 'user-approval' } } },
];

const ROWS = combinations({
  setting: SETTINGS,
  approved: [true, false],
  mode: MODES,
  route: ROUTES,
});

describe(`a pending approval of a tool that is not known yet, ${selection}`, () => {
  for (const setting of SETTINGS) {
    for (const approved of [true, false]) {
      const rows = ROWS.filter((row) => row.setting === setting && row.approved === approved);
      test(`required by ${setting.name}, ${approved ? 'approved' : 'denied'}: the call gets its result`, async () => {
        for (const { mode, route } of rows) {
          const runs: unknown[] = [];
          const { needsApproval = false } = setting;
          await using server = await startModelServer({ script: ASKED });
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () => foldOf(ops({ runs, needsApproval })),
            ...(setting.with ? { with: setting.with } : {}),
          });
          const where = `${mode}, ${route}`;
          await talk.say('Go.');
          assert.deepEqual(runs, [], where);
          await talk.answer({ approved });
          await talk.say('And?');
          assert.deepEqual(runs, approved ? [target] : [], where);
          const last = server.requests.at(-1) ?? assert.fail();
          const results = resultsOn(last).map(({ text }) => text);
          assert.equal(results.length, callsOn(last).length, where);
          assert.match(results.at(-1) ?? '', approved ? /"wiped"/ : /denied/i, where);
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
      });
    }
  }

  for (const [name, groups, pattern] of [
    ['has been removed since', [], /unknown_tool|tool_removed/],
    [
      'does not load any more',
      [{ groupId: 'ops', loader: () => Promise.reject(new Error('db down')) }],
      /load_failed.*db down/s,
    ],
    ['is not in its group any more', [{ groupId: 'ops', loader: async () => [] }], /unknown_tool/],
  ] as [string, Groups, RegExp][]) {
    test(`of a tool that ${name}: the call gets an answer`, async () => {
      for (const mode of MODES) {
        for (const route of ['json', 'ui'] as const) {
          const runs: unknown[] = [];
          await using server = await startModelServer({ script: ASKED });
          let turn = 0;
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () => foldOf(turn++ === 0 ? ops({ runs, needsApproval: true }) : groups),
          });
          await talk.say('Go.');
          await talk.answer({ approved: true });
          await talk.say('And?');
          const last = server.requests.at(-1) ?? assert.fail();
          const results = resultsOn(last).map(({ text }) => text);
          assert.equal(results.length, callsOn(last).length, `${mode}, ${route}`);
          assert.match(results.at(-1) ?? '', pattern, `${mode}, ${route}`);
          assert.deepEqual(runs, []);
        }
      }
    });
  }
});

test('results of removed or unloaded tools stay in UI messages', async () => {
  const runs: unknown[] = [];
  await using server = await startModelServer({ script: ASKED });
  const model = modelOn(server, endpoint);
  const talk = new Talk({
    mode: 'stream',
    route: 'ui',
    handing: 'spread',
    model,
    fold: () => foldOf(ops({ runs })),
  });
  await talk.say('Go.');
  assert.deepEqual(runs, [target]);
  for (const groups of [[], ops({ runs: [] })]) {
    const { tools } = foldOf(groups).with(model);
    const messages = JSON.parse(JSON.stringify(talk.ui));
    const valid = await validateUIMessages({ messages, tools: tools as never });
    const outputs = valid.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        isToolUIPart(part) && part.state === 'output-available' ? [part.output] : [],
      ),
    );
    assert.deepEqual(outputs.at(-1), { wiped: target });
    const converted = await convertToModelMessages(valid, { tools });
    const results = converted.flatMap(({ role, content }) =>
      role === 'tool' ? content.filter((part) => part.type === 'tool-result') : [],
    );
    const shown = results.find(({ toolName }) => toolName === WIPE);
    assert.deepEqual(shown?.output, { type: 'json', value: { wiped: target } });
  }
});

test('a pending approval passes the validation of UI messages in a new fold', async () => {
  await using server = await startModelServer({ script: ASKED });
  const model = modelOn(server, endpoint);
  const make = () => foldOf(ops({ runs: [], needsApproval: true }));
  const talk = new Talk({ mode: 'stream', route: 'ui', handing: 'spread', model, fold: make });
  await talk.say('Go.');
  const messages = JSON.parse(JSON.stringify(talk.ui));
  const { tools } = make().with(model);
  const valid = await validateUIMessages({ messages, tools: tools as never });
  const states = valid.flatMap(({ parts }) =>
    parts.flatMap((part) => (isToolUIPart(part) ? [part.state] : [])),
  );
  assert.equal(states.at(-1), 'approval-requested');
});

describe('the set of tools as an object', () => {
  const model = endpoint.model('http://127.0.0.1:9');
  const fresh = () => foldOf(ops({ runs: [] })).with(model).tools;

  test('lists only the known tools', () => {
    const tools = fresh();
    const keys = Object.keys(tools);
    assert.ok(keys.includes('ask') && keys.includes('load_tools'));
    // A look-up finds the name; a listing does not.
    assert.equal(typeof tools[WIPE]?.execute, 'function');
    assert.equal((tools[WIPE] as { type?: string }).type, 'dynamic');
    assert.ok(Object.hasOwn(tools, WIPE));
    assert.deepEqual(Object.keys(tools), keys);
    assert.deepEqual(Object.keys({ ...tools }), keys);
    assert.equal({ ...tools }[WIPE], undefined);
    assert.equal(WIPE in tools, false);
    assert.ok('ask' in tools);
    const walked = [];
    for (const key in tools) walked.push(key);
    assert.deepEqual(walked, keys);
    assert.deepEqual(Object.keys(Object.getOwnPropertyDescriptors(tools)), keys);
    assert.deepEqual(
      Object.entries(tools).map(([name]) => name),
      keys,
    );
  });

  test('has no tool for an invalid tool name', async () => {
    const tools = fresh() as Record<PropertyKey, unknown>;
    const odd = ['', 'with space', 'ops/wipe', 'x'.repeat(129), 'then', 'toJSON', '__proto__'];
    for (const key of odd) assert.equal(Object.hasOwn(tools, key), false, key);
    for (const key of [Symbol.iterator, Symbol.toStringTag, Symbol.toPrimitive, inspect.custom])
      assert.equal(tools[key], undefined);
    assert.equal(tools.constructor, Object);
    assert.equal(Object.getPrototypeOf(tools), Object.prototype);
    assert.equal(String(tools), '[object Object]');
    assert.equal(await tools, tools);
    assert.equal(await Promise.resolve(tools), tools);
  });

  test('is written, printed and compared like a plain object', () => {
    const tools = fresh();
    const plain = { ...tools };
    assert.equal(JSON.stringify(tools), JSON.stringify(plain));
    assert.equal(inspect(tools), inspect(plain));
    assert.equal(inspect(tools, { showProxy: false, depth: 5 }), inspect(plain, { depth: 5 }));
    assert.deepEqual(tools, plain);
    assert.deepStrictEqual(plain, tools);
    assert.notDeepEqual(tools, { ...plain, more: ask });
    // Neither can be cloned, because both contain functions.
    assert.throws(() => structuredClone(tools), { name: 'DataCloneError' });
    assert.throws(() => structuredClone(plain), { name: 'DataCloneError' });
  });

  test('accepts tools that the app adds', async () => {
    const extra = tool({ inputSchema: z.object({}), execute: () => 'extra' });
    const ways: Record<string, (tools: ToolSet) => void> = {
      assigned: (tools) => {
        tools.extra = extra;
      },
      'by Object.assign': (tools) => void Object.assign(tools, { extra }),
      defined: (tools) =>
        void Object.defineProperty(tools, 'extra', {
          value: extra,
          enumerable: true,
          writable: true,
          configurable: true,
        }),
    };
    for (const [way, put] of Object.entries(ways)) {
      const tools = fresh() as ToolSet;
      put(tools);
      assert.ok(Object.keys(tools).includes('extra'), way);
      put(tools);
      assert.equal(tools.extra, extra, way);
      assert.ok(delete tools.extra, way);
      assert.ok(!Object.keys(tools).includes('extra'), way);
    }
  });

  test('still answers after the app froze it', async () => {
    await using server = await startModelServer({
      script: [{ calls: [{ name: 'ask', arguments: { question: 'why' } }] }, { text: 'Done.' }],
    });
    const fields = foldOf(ops({ runs: [] })).with(modelOn(server, endpoint));
    Object.freeze(fields.tools);
    assert.doesNotThrow(() => Object.hasOwn(fields.tools, WIPE));
    const { text } = await generateText({ ...fields, prompt: 'Go.', stopWhen });
    assert.equal(text, 'Done.');
  });
});

test('tool choice and active tools behave as with a plain set', async () => {
  const settings = [
    {},
    { toolChoice: 'none' },
    { toolChoice: 'required' },
    { toolChoice: { type: 'tool', toolName: 'ask' } },
    { toolChoice: { type: 'tool', toolName: 'ops__other' } },
    { activeTools: [] },
    { activeTools: ['ask'] },
    { activeTools: ['ask', 'nobody'] },
  ];
  for (const run of [generateText, streamText]) {
    for (const setting of settings) {
      await using server = await startModelServer({ script: [{ text: 'A' }, { text: 'B' }] });
      for (const isCopied of [false, true]) {
        const fields = foldOf([{ groupId: 'kit', toolNames: ['x'], loader: async () => [] }]).with(
          modelOn(server, endpoint),
        );
        const tools = isCopied ? { ...fields.tools } : fields.tools;
        const settings = { ...fields, tools, prompt: 'Go.', ...setting, onError: () => {} };
        // The SDK throws if the model does not make a forced call.
        const played = async () => (await run(settings as never)).text;
        await played().catch(() => {});
      }
      const [live, copied] = server.requests;
      assert.equal(live?.raw, copied?.raw, JSON.stringify(setting));
      assert.ok(!toolsOn(live ?? assert.fail()).includes('nobody'));
    }
  }
});

describe('dynamic calls that the provider executes', () => {
  const RESULTS: Record<string, unknown> = {
    'a plain object': { found: 1 },
    'an empty list of content': { type: 'code_execution_result', stdout: 'x', content: [] },
    'content like that of MCP': { content: [{ type: 'text', text: 'a' }] },
    text: 'found',
  };
  for (const [name, result] of Object.entries(RESULTS)) {
    test(`are passed on unchanged: ${name}`, async () => {
      const call = {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'remote_search',
        input: '{"q":"x"}',
        providerExecuted: true,
        dynamic: true,
        providerMetadata: { some: { id: 1 } },
      } as const;
      const content: LanguageModelV4Content[] = [
        call,
        {
          type: 'tool-result',
          toolCallId: 'p1',
          toolName: 'remote_search',
          result: result as never,
          dynamic: true,
        },
        { type: 'text', text: 'Done.' },
      ];
      const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      };
      const inner: LanguageModelV4 = {
        specificationVersion: 'v4',
        provider: 'some',
        modelId: 'model',
        supportedUrls: {},
        doGenerate: async () => ({
          content,
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        }),
        doStream: () => assert.fail(),
      };
      const model = wrapLanguageModel({ model: inner, middleware: simulateStreamingMiddleware() });
      const fields = foldOf(ops({ runs: [] })).with(model);
      for (const run of [generateText, streamText]) {
        const without = await run({ model, tools: { ask }, prompt: 'Go.' });
        const within = await run({ ...fields, prompt: 'Go.' });
        const partsOf = async ({ steps }: typeof without | typeof within) =>
          JSON.parse(
            JSON.stringify(
              (await steps).flatMap((step) => step.content.filter(({ type }) => type !== 'custom')),
            ),
          );
        assert.deepEqual(await partsOf(within), await partsOf(without));
        const messagesOf = async ({ responseMessages }: typeof without | typeof within) =>
          (await responseMessages).map(({ content: all }) =>
            (Array.isArray(all) ? all : []).filter(({ type }) => type !== 'custom'),
          );
        assert.deepEqual(
          JSON.parse(JSON.stringify(await messagesOf(within))),
          JSON.parse(JSON.stringify(await messagesOf(without))),
        );
      }
    });
  }
});
