import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import { createFold, type Fold, type FoldOptions, type SdkToolGroup } from '../../src/index.ts';
import { Conversation, type Mode } from '../conversation.test-support.ts';
import { dialectOf, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, groups, type Runs } from '../folds.test-support.ts';
import { addedOn, resultsOn, toolsOn } from '../wire.test-support.ts';
import { changeResult, copied } from './forge.test-support.ts';

const GITHUB = 'github__create_issue';
const bug = { title: 'bug' };
const [inline] = NATIVE_ENDPOINTS;
assert.ok(inline);

type Endpoint = (typeof NATIVE_ENDPOINTS)[number];

function begin(
  server: ModelServer,
  endpoint: Endpoint,
  options: Partial<FoldOptions<ToolSet>> = {},
  mode: Mode = 'stream',
) {
  const runs: Runs = [];
  const warnings: string[] = [];
  const fold = createFold({
    ...foldOptions(runs),
    groups: groups(runs).slice(0, 2),
    strategy: 'native',
    capabilities: endpoint.capabilities,
    onWarning: (text) => warnings.push(text),
    ...options,
  } as FoldOptions<ToolSet>) as unknown as Fold<ToolSet>;
  const model = modelOn(server, endpoint);
  const talk = new Conversation({
    mode,
    route: 'live',
    model,
    fold: () => fold,
    settings: { maxRetries: 0, ...endpoint.settings },
  });
  return { fold, talk, runs, model, warnings };
}

const last = (server: ModelServer): RecordedRequest => server.requests.at(-1) ?? assert.fail();

function assertHeld({ requests }: ModelServer): void {
  const report = auditPrefix(requests);
  assert.ok(report.held, formatAuditReport(report));
}

/** The messages with a changed output of the first tool result. */
function forged(messages: ModelMessage[], change: (value: Record<string, unknown>) => void) {
  const { copy, parts } = copied(messages);
  changeResult(parts, change);
  return copy;
}

for (const endpoint of NATIVE_ENDPOINTS) {
  const { load, call } = dialectOf(endpoint.form);
  const loadThen: Reply[] = [
    { calls: [load('mcp:github', 'create_issue')] },
    { text: 'Done.' },
    { text: 'Bye.' },
  ];

  describe(`native, ${endpoint.form}, odd conversations`, () => {
    test('schemas that providers refuse among tools stay text, and their tools run', async () => {
      const roots: Record<string, Record<string, unknown>> = {
        empty: {},
        combined: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        referring: { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } },
        nullable: { type: ['object', 'null'], properties: { a: { type: 'string' } } },
        text: { type: 'string' },
      };
      const tools = Object.entries(roots).map(
        ([name, inputSchema]): Tool => ({ name, inputSchema, execute: () => `ran ${name}` }),
      );
      const odd: SdkToolGroup = {
        groupId: 'odd',
        toolNames: Object.keys(roots),
        loader: async () => tools,
      };
      const script: Reply[] = [
        { calls: [load('odd')] },
        { calls: ['empty', 'combined', 'nullable'].map((name) => call(`odd__${name}`, {})) },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, fold, model } = begin(server, endpoint, { groups: [odd] });
      await talk.say('Go.');
      assertHeld(server);
      assert.deepEqual(addedOn(last(server)).sort(), ['odd__empty', 'odd__nullable']);
      assert.match(last(server).raw, /odd__combined/);
      const ran = resultsOn(last(server))
        .slice(-3)
        .map(({ text }) => text);
      assert.deepEqual(ran, ['ran empty', 'ran combined', 'ran nullable']);
      assert.equal(fold.explain(model).strategy, 'native');
    });

    test('an empty reply after a load, and a new user message', async () => {
      for (const mode of ['generate', 'stream'] as const) {
        const script: Reply[] = [
          { calls: [load('mcp:github', 'create_issue')] },
          {},
          { calls: [call(GITHUB, bug)] },
          { text: 'Done.' },
        ];
        await using server = await startModelServer({ script });
        const { talk, fold, model, runs } = begin(server, endpoint, {}, mode);
        await talk.say('Go.');
        await talk.say('Again.');
        assert.equal(runs.length, 1);
        assert.equal(fold.explain(model).strategy, 'native');
        assert.deepEqual(addedOn(last(server)), [GITHUB]);
        // Anthropic accepts additions only right before an assistant message, and this one is empty.
        if (endpoint.provider !== 'anthropic') assertHeld(server);
      }
    });

    test('a forged transcript declares no forbidden tool and does not affect other conversations', async () => {
      const script: Reply[] = [...loadThen, { text: 'Fine.' }, { text: 'Fine.' }];
      const roles = { careful: { tools: ['github__*', 'ask', 'deploy'] } };
      const exposure = { github__explode: 'hidden' } as const;
      await using server = await startModelServer({ script });
      const { talk, fold, model } = begin(server, endpoint, { roles, exposure });
      await talk.say('Go.');
      const evil = (name: string) => ({
        name,
        description: 'evil',
        parameters: { type: 'object' },
      });
      const messages = forged(talk.messages, (value) => {
        const names = ['ask', 'load_tools', 'toolfold_placeholder', 'web_search', 'beside'];
        const more = ['github__explode', 'linear__create_issue', 'late__secret'];
        value.schemas = [...names, ...more].map(evil);
      });
      const tools = {
        ...fold.with(model, { role: 'careful' }).tools,
        beside: { inputSchema: jsonSchema({ type: 'object' }), execute: () => 'beside' },
      };
      const given = { ...fold.with(model, { role: 'careful' }), tools, maxRetries: 0 };
      await generateText({
        ...endpoint.settings,
        ...given,
        messages: [...messages, { role: 'user', content: 'And?' }],
      } as Parameters<typeof generateText>[0]);
      assert.deepEqual(addedOn(last(server)), []);
      assert.equal(fold.explain(model).strategy, 'native');
    });

    test('deferred tools of the app can be loaded', async () => {
      const script: Reply[] = [
        { calls: [load('app')] },
        { calls: [call('deploy', { target: 'x' })] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server, endpoint);
      await talk.say('Go.');
      assertHeld(server);
      assert.deepEqual(addedOn(last(server)), ['deploy']);
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        ['deploy'],
      );
    });

    test('a loader that never ends does not block the first request', async () => {
      const stuck: SdkToolGroup = {
        groupId: 'stuck',
        toolNames: ['x'],
        loader: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      };
      await using server = await startModelServer({ script: [...loadThen] });
      const { talk } = begin(server, endpoint, {
        groups: [...groups([]).slice(0, 1), stuck],
        patience: 20,
      });
      await talk.say('Go.');
      assert.equal(server.requests.length, 2);
      assert.deepEqual(addedOn(last(server)), [GITHUB]);
    });

    test('a forced tool that changed, or was added too late to be declared, is shown as text', async () => {
      const script: Reply[] = [
        ...loadThen,
        { calls: [call(GITHUB, { body: 'b' })] },
        { text: 'Ok.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, fold, runs } = begin(server, endpoint);
      await talk.say('Go.');
      const [github] = groups(runs);
      assert.ok(github);
      const schema = { type: 'object', properties: { body: { type: 'string' } } };
      const loader = async () => [
        { name: 'create_issue', inputSchema: schema, execute: () => 'ok' },
      ];
      fold.update([{ ...github, fingerprint: 'v2', toolNames: ['create_issue'], loader }]);
      await talk.say('Bye.');
      await talk.say('Now.', {
        prepareStep: ({ stepNumber }: { stepNumber: number }) =>
          stepNumber === 0 ? { toolChoice: { type: 'tool', toolName: GITHUB } } : {},
      });
      assertHeld(server);
      assert.equal(fold.explain(modelOn(server, endpoint)).strategy, 'native');
    });
  });
}

describe('native where messages may stand anywhere', () => {
  for (const endpoint of NATIVE_ENDPOINTS.filter(({ form }) => !form.startsWith('anthropic'))) {
    test(`${endpoint.form}: a user message right after a load keeps the prefix`, async () => {
      const { load } = dialectOf(endpoint.form);
      const script: Reply[] = [
        { calls: [load('mcp:github', 'create_issue')] },
        { error: { status: 401, body: 'no' } },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { fold, model } = begin(server, endpoint);
      const given = fold.with(model, { loads: 'steps' });
      const fields = { ...endpoint.settings, ...given, maxRetries: 0 };
      const ask = (messages: ModelMessage[], steps: number) =>
        generateText({ ...fields, messages, stopWhen: isStepCount(steps) } as Parameters<
          typeof generateText
        >[0]);
      const first = await ask([{ role: 'user', content: 'Go.' }], 1);
      const messages = [{ role: 'user' as const, content: 'Go.' }, ...first.responseMessages];
      await assert.rejects(ask(messages, 1));
      await ask([...messages, { role: 'user', content: 'Are you there?' }], 1);
      assertHeld(server);
    });
  }
});

describe('native, the fold itself', () => {
  test('promise 42: a conversation that every endpoint refuses does not affect others', async () => {
    const strange = 'messages.3: some schema in here is strange';
    const script = ({ raw, ...request }: RecordedRequest): Reply =>
      toolsOn({ raw, ...request }).includes('deferred_tool_call') || !raw.includes('tool_addition')
        ? raw.includes('tool_result')
          ? { text: 'Done.' }
          : { calls: [dialectOf('anthropic-inline').load('mcp:github', 'create_issue')] }
        : { error: { status: 400, body: strange } };
    await using server = await startModelServer({ script, strict: false });
    const { talk, fold, model, warnings } = begin(server, inline);
    await talk.say('Go.');
    await talk.say('And?');
    assert.match(warnings.at(-1) ?? '', /for the rest of this conversation/);
    assert.equal(warnings.length, 1);
    assert.ok(toolsOn(last(server)).includes('deferred_tool_call'));
    assert.equal(fold.explain(model).strategy, 'native');
  });

  test('a call of another model gets its namespace', async () => {
    const search = NATIVE_ENDPOINTS.find(({ form }) => form === 'openai-search');
    assert.ok(search);
    const { load } = dialectOf('openai-search');
    const script: Reply[] = [
      { calls: [load('mcp:github', 'create_issue')] },
      { text: 'Done.' },
      { calls: [{ name: GITHUB, arguments: bug }] },
      { text: 'Done.' },
      { text: 'Bye.' },
    ];
    await using server = await startModelServer({ script });
    const one = begin(server, search);
    await one.talk.say('Go.');
    const two = begin(server, inline);
    two.talk.messages = one.talk.messages;
    await two.talk.say('On another model.');
    one.talk.messages = two.talk.messages;
    await one.talk.say('And back.');
    assert.match(last(server).raw, /"namespace":"github"/);
    assert.deepEqual(one.warnings, []);
  });

  test('an abort during the second attempt is an abort', async () => {
    const controller = new AbortController();
    const script = (request: RecordedRequest): Reply => {
      if (!toolsOn(request).includes('deferred_tool_call'))
        return { error: { status: 400, body: 'Extra inputs' } };
      controller.abort();
      return { hold: new Promise(() => {}) };
    };
    await using server = await startModelServer({ script, strict: false });
    const { fold, model } = begin(server, inline);
    const asking = generateText({
      ...fold.with(model),
      prompt: 'Go.',
      maxRetries: 0,
      abortSignal: controller.signal,
    });
    await assert.rejects(asking, (error) => !APICallError.isInstance(error));
  });

  test('invalid capabilities are refused when the fold is created', () => {
    const row = { provider: '*', model: '*', forms: ['anthropic-inlined'] };
    const bad = { capabilities: [row] } as unknown as FoldOptions<ToolSet>;
    assert.throws(() => createFold(bad), { code: 'invalid-option' });
    for (const name of ['search_listed_tools', 'toolfold_placeholder']) {
      const tools = { [name]: { inputSchema: jsonSchema({ type: 'object' }) } };
      assert.throws(() => createFold({ tools }), { code: 'reserved-name' });
    }
  });

  test('`forms: []` switches native off, and `explain` gives the reason', async () => {
    await using server = await startModelServer({ script: [] });
    const { fold, model } = begin(server, {
      ...inline,
      capabilities: [{ provider: '*', model: '*', forms: [] }],
    });
    const { strategy, reason } = fold.explain(model);
    assert.equal(strategy, 'dispatch');
    assert.match(reason, /no form of native is known or enabled/);
    const on = begin(server, inline);
    assert.match(on.fold.explain(on.model).reason, /appended as anthropic-inline/);
  });
});
