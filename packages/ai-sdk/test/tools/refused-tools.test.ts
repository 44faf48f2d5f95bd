import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, type ToolSet, tool } from 'ai';
import { createFold, type FoldOptions, type SdkToolGroup } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.test-support.ts';
import { resultsOn, toolsOn } from '../wire.test-support.ts';

const plain = { type: 'object', properties: { id: { type: 'string' } } } as const;
/** Anthropic and OpenAI refuse it among declared tools. */
const either = { ...plain, anyOf: [{ required: ['id'] }, { required: ['name'] }] } as const;

const of = (name: string, inputSchema: object): Tool => ({
  name,
  description: `Runs ${name}.`,
  inputSchema: inputSchema as Tool['inputSchema'],
  execute: () => `ran ${name}`,
});

const group = (tools: readonly Tool[], more: Partial<SdkToolGroup> = {}): SdkToolGroup =>
  ({
    groupId: 'mcp:s',
    toolNames: tools.map(({ name }) => name),
    loader: async () => tools,
    ...more,
  }) as SdkToolGroup;

const mixed = () => group([of('fine', plain), of('attach', either)]);

const own = (inputSchema: object, more: object = {}) =>
  tool({
    inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
    execute: () => 'ran',
    ...more,
  } as never);

const STRATEGIES = ['auto', 'eager', 'lazy', 'inject', 'dispatch', 'bridge', 'native'] as const;
const CALLED = 'deferred_tool_call';

interface Talk extends FoldOptions<ToolSet> {
  readonly replies?: readonly Reply[];
}

/** One generation: the requests, the warnings, and the fold. */
async function talk(endpoint: Endpoint, { replies = [], ...options }: Talk) {
  const server = await startModelServer({ script: [...replies, { text: 'done' }] });
  const warnings: string[] = [];
  const model = endpoint.model(server.baseUrl(endpoint.provider));
  const fold = createFold({ onWarning: (text) => warnings.push(text), ...options });
  const settings = { prompt: 'go', stopWhen: isStepCount(6), maxRetries: 0 } as const;
  try {
    await generateText({ ...fold.with(model), ...settings });
  } finally {
    await server.close();
  }
  const { requests } = server;
  return { requests, warnings, fold, model, declared: requests.map(toolsOn) };
}

const call = (name: string, input: object = {}): Reply => ({
  calls: [{ name, arguments: input as never }],
});
const load = (name: string): Reply => call('load_tools', { group_id: 'mcp:s', tool_names: [name] });
const [anthropic, responses, chat] = ENDPOINTS as [Endpoint, Endpoint, Endpoint];

suite('a tool that the endpoint refuses', () => {
  for (const endpoint of ENDPOINTS)
    for (const strategy of STRATEGIES)
      for (const exposure of ['deferred', 'inline'] as const)
        test(`promise 77: is never declared: ${endpoint.name}, ${strategy}, ${exposure}`, async () => {
          const replies = strategy === 'inject' ? [load('fine'), load('attach')] : [];
          const { declared } = await talk(endpoint, {
            groups: [mixed()],
            strategy,
            exposure: { 'mcp:s': exposure },
            replies,
          });
          for (const names of declared) assert.ok(!names.includes('s__attach'), names.join());
          if (strategy === 'eager' || exposure === 'inline')
            assert.ok(declared[0]?.includes('s__fine'), declared[0]?.join());
        });

  for (const strategy of ['auto', 'dispatch'] as const)
    test(`is called through the dispatcher: ${strategy}`, async () => {
      const through = call(CALLED, { tool_name: 's__attach', arguments: { id: 'x' } });
      const { requests, declared } = await talk(anthropic, {
        groups: [mixed()],
        strategy,
        exposure: strategy === 'auto' ? {} : { 'mcp:s': 'inline' },
        replies: [load('attach'), through],
      });
      assert.ok(declared[0]?.includes(CALLED));
      const last = requests.at(-1);
      assert.ok(last && resultsOn(last).some(({ text }) => text.includes('ran attach')));
    });

  test('promise 4: is declared where `strategy` is false', async () => {
    const warnings: string[] = [];
    const server = await startModelServer({ script: [{ text: 'done' }] });
    const fields = createFold({ groups: [mixed()], strategy: false }).with(
      anthropic.model(server.baseUrl('anthropic')),
    );
    await assert.rejects(generateText({ ...fields, prompt: 'go', maxRetries: 0 }), /anyOf/);
    assert.deepEqual(server.requests.map(toolsOn), [['s__attach', 's__fine']]);
    await server.close();
    const tools = { attach: own(either, { deferLoading: false }) };
    const off = createFold({
      tools,
      groups: [mixed()],
      strategy: false,
      onWarning: (text) => warnings.push(text),
    });
    const model = anthropic.model('http://127.0.0.1:9');
    const sent = off.layer.session({
      modelId: 'x',
      accepts: { by: 'X', brokenRule: () => 'no' },
    });
    await sent.prepare();
    assert.equal(sent.present().tools.length, 3);
    assert.equal(off.explain(model).tools.filter(({ status }) => status === 'left out').length, 0);
    assert.deepEqual(warnings, []);
  });

  test('promise 77: is named once with the rule, in a warning and in explain', async () => {
    const endpoint = anthropic;
    const { warnings, fold, model } = await talk(endpoint, {
      groups: [mixed()],
      strategy: 'eager',
      replies: [call('s__fine'), call('s__fine', { id: 'b' })],
    });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /"s__attach" is not declared: Anthropic .*"anyOf" at its root/);
    const explained = fold.explain(model).tools.find(({ name }) => name === 's__attach');
    assert.equal(explained?.status, 'left out');
    assert.match(explained?.why ?? '', /"anyOf" at its root/);
  });

  test('answers a call with the rule where it is left out', async () => {
    for (const [strategy, name] of [
      ['eager', 's__attach'],
      ['inject', 's__attach'],
      ['lazy', 's__attach'],
    ] as const) {
      const { requests } = await talk(anthropic, {
        groups: [mixed()],
        strategy,
        replies: [call(name, { id: 'x' })],
      });
      const last = requests.at(-1);
      const text = last
        ? resultsOn(last)
            .map((result) => result.text)
            .join()
        : '';
      assert.match(text, /anyOf. at its root/, strategy);
    }
  });

  test('answers a load with the rule where loaded tools are declared', async () => {
    const { requests, warnings } = await talk(anthropic, {
      groups: [mixed()],
      strategy: 'inject',
      replies: [load('attach'), call('load_tools', { group_id: 'mcp:s' })],
    });
    const last = requests.at(-1);
    const [first, second] = last ? resultsOn(last).map(({ text }) => JSON.parse(text)) : [];
    assert.equal(first.expanded, false);
    assert.match(first.refused.attach, /anyOf/);
    assert.deepEqual(second.tool_names, ['fine']);
    assert.match(second.refused.attach, /anyOf/);
    assert.deepEqual(warnings, []);
  });

  test('cannot be forced where it is left out', async () => {
    for (const strategy of ['eager', 'inject', 'lazy'] as const) {
      const fold = createFold({ groups: [mixed()], strategy, onWarning: false });
      const model = anthropic.model('http://127.0.0.1:9');
      const toolChoice = { type: 'tool', toolName: 's__attach' } as never;
      const sent = generateText({ ...fold.with(model), prompt: 'go', toolChoice, maxRetries: 0 });
      await assert.rejects(sent, { code: 'invalid-option', message: /s__attach.*anyOf/s });
    }
  });
});

suite("an app's own tool that the endpoint refuses", () => {
  test('promise 77: is an error before anything is sent, if it has to be declared', async () => {
    const asynchronous = async () => either;
    for (const strategy of ['auto', 'eager', 'dispatch', 'inject'] as const)
      for (const [what, attach] of [
        ['marked', own(either, { deferLoading: false })],
        ['strict', own(either, { strict: true })],
        [
          'asynchronous',
          tool({ inputSchema: jsonSchema(asynchronous as never), execute: () => 1 } as never),
        ],
      ] as const) {
        const fold = createFold({
          tools: { attach },
          groups: [mixed()],
          strategy,
          onWarning: false,
        });
        const model = anthropic.model('http://127.0.0.1:9');
        const sent = generateText({ ...fold.with(model), prompt: 'go', maxRetries: 0 });
        const error = await sent.then(
          () => undefined,
          (reason) => reason,
        );
        assert.equal(error?.code, 'invalid-option', `${strategy}, ${what}: ${error}`);
        assert.match(error.message, /"attach" has to be declared.*anyOf/s);
      }
  });

  test('is deferred, or left out, if nobody marked it', async () => {
    const tools = { attach: own(either), fine: own(plain) };
    for (const strategy of STRATEGIES) {
      const { declared } = await talk(anthropic, { tools, strategy });
      assert.ok(!declared[0]?.includes('attach'), strategy);
      assert.equal(
        declared[0]?.includes(CALLED),
        ['auto', 'dispatch'].includes(strategy),
        strategy,
      );
    }
  });
});

suite('a list that is too long for the endpoint', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => of(`t${n}`, { type: 'object' }));

  for (const endpoint of [responses, chat])
    test(`is deferred by auto: ${endpoint.name}`, async () => {
      const { declared, fold, model } = await talk(endpoint, {
        groups: [group(many(140), { schemaTokens: 1_400 })],
      });
      assert.ok((declared[0]?.length ?? 0) < 10, declared[0]?.join());
      assert.match(fold.explain(model).reason, /140 tools are too many to declare/);
    });

  test("is deferred by auto if the tools are the app's own", async () => {
    const tools = Object.fromEntries(many(140).map(({ name }) => [name, own(plain)]));
    const { declared } = await talk(chat, { tools });
    assert.ok((declared[0]?.length ?? 0) < 10);
  });

  test('is an error by name in eager, and where too many are marked', async () => {
    const tools = Object.fromEntries(
      many(140).map(({ name }) => [name, own(plain, { deferLoading: false })]),
    );
    const model = chat.model('http://127.0.0.1:9');
    for (const options of [{ groups: [group(many(140))], strategy: 'eager' }, { tools }] as const) {
      const fold = createFold({ ...options, onWarning: false });
      const sent = generateText({ ...fold.with(model), prompt: 'go', maxRetries: 0 });
      await assert.rejects(sent, {
        code: 'invalid-option',
        message: /OpenAI Chat Completions.*128/s,
      });
    }
  });

  test('declares what fits of a group that is inline, and reaches the rest', async () => {
    const groups = [group(many(140))];
    const { declared } = await talk(chat, {
      groups,
      strategy: 'dispatch',
      exposure: { '*': 'inline' },
    });
    assert.ok((declared[0]?.length ?? 0) > 120 && (declared[0]?.length ?? 0) <= 128);
    assert.ok(declared[0]?.includes(CALLED));
  });

  test('takes no more loads than fit', async () => {
    const { declared, requests } = await talk(chat, {
      groups: [group(many(140))],
      strategy: 'inject',
      replies: [
        call('load_tools', { group_id: 'mcp:s' }),
        call('load_tools', { group_id: 'mcp:s', tool_names: ['t98', 't99'] }),
      ],
    });
    for (const names of declared) assert.ok(names.length <= 128, String(names.length));
    const last = requests.at(-1);
    assert.ok(last && resultsOn(last).some(({ text }) => /accepts at most 128/.test(text)));
  });

  test('of descriptions that may be too long is one warning', async () => {
    const long = many(7).map((one) => ({ ...one, description: 'x'.repeat(1_025) }));
    const { warnings, declared } = await talk(responses, {
      groups: [group(long)],
      strategy: 'eager',
    });
    assert.equal(declared[0]?.length, 7);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /more than 1024 characters: .*"s__t4" and 2 more/);
  });
});

suite('explain', () => {
  const tools = { one: own(either), two: own(either), fine: own(plain), good: own(plain) };

  test('counts as declared only what is declared, and says how many tools cannot be', () => {
    for (const { provider, ...endpoint } of ENDPOINTS) {
      const model = endpoint.model('http://127.0.0.1:9');
      const { reason, tools: list } = createFold({ tools, onWarning: false }).explain(model);
      assert.match(reason, /^"one" \(and 1 more tool\) cannot be declared: /, provider);
      const declared = list.filter(({ status }) => status === 'declared').length;
      const [, count, verb] = /; (\d) tools? of the app \(.*\) \w+ (\w+)$/.exec(reason) ?? [];
      assert.equal(verb === 'declared' ? Number(count) : 0, declared, `${provider}: ${reason}`);
    }
  });

  test('says the rule with each tool that breaks it, also where it is deferred anyway', () => {
    for (const { provider, ...endpoint } of ENDPOINTS) {
      const model = endpoint.model('http://127.0.0.1:9');
      const fold = createFold({ tools, strategy: 'dispatch', onWarning: false });
      const rules = fold.explain(model).tools.filter(({ why }) => /anyOf/.test(why));
      assert.deepEqual(
        rules.map(({ name }) => name),
        ['one', 'two'],
        provider,
      );
    }
  });
});
