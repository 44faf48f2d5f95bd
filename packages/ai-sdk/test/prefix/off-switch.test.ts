import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type SdkToolGroup } from '../../src/index.ts';
import { marksIn, withoutMarks } from '../caching/without-marks.test-support.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { groups, ownTools } from '../folds.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';

const bare = {
  plain: tool({
    description: 'No validator.',
    inputSchema: jsonSchema<{ a: string }>({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    }),
    execute: ({ a }) => ({ a }),
    inputExamples: [{ input: { a: 'x' } }],
    strict: true,
  }),
  fail: tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new Error('no');
    },
  }),
};

const replies: Reply[] = [
  {
    text: 'Hm.',
    calls: [
      { name: 'ask', arguments: { question: 'a' } },
      { name: 'plain', arguments: { a: 'b' } },
    ],
  },
  {
    calls: [
      { name: 'ask', arguments: {} },
      { name: 'nobody', arguments: {} },
      { name: 'fail', arguments: {} },
    ],
  },
  { calls: [{ name: 'deploy', arguments: { target: 'x' } }] },
  { text: 'Done.' },
  { calls: [{ name: 'plain', arguments: '{"a": ' }] },
  { text: 'Bye.' },
];

const known = replies.map(
  ({ calls, ...reply }): Reply =>
    calls ? { ...reply, calls: calls.filter(({ name }) => name !== 'nobody') } : reply,
);

/** The requests of an app without Toolfold, behind the interface of a fold. */
function without(tools: ToolSet): Fold<ToolSet> {
  return { with: (model) => ({ model, tools }) } as Fold<ToolSet>;
}

async function record(
  endpoint: Endpoint,
  mode: Mode,
  route: Route,
  fold: () => Fold<ToolSet>,
  script: Reply[] = replies,
): Promise<readonly RecordedRequest[]> {
  await using server = await startModelServer({ script, strict: false });
  const settings = {
    toolApproval: { deploy: { type: 'denied', reason: 'no' } },
    headers: { 'x-app': '1' },
  };
  const conversation = new Conversation({
    mode,
    route,
    model: modelOn(server, endpoint),
    fold,
    settings,
  });
  await conversation.say('Go.');
  await conversation.say('And?');
  return server.requests;
}

const MODES = ['generate', 'stream'] as const;
const ROUTES = ['live', 'json', 'ui'] as const;
const STRATEGIES = ['eager', false, 'auto'] as const;
const ROWS = combinations({
  endpoint: ENDPOINTS,
  way: [...STRATEGIES, 'groups'],
  mode: MODES,
  route: ROUTES,
});
const rowsOf = (endpoint: Endpoint, way: (typeof ROWS)[number]['way']) =>
  ROWS.filter((row) => row.endpoint === endpoint && row.way === way);

describe(`promise 4: the off switch sends the same bytes as without Toolfold, and eager differs only by marks, ${selection}`, () => {
  const own = (): ToolSet => ({ ...ownTools([]), ...bare });
  const asGroups = (): SdkToolGroup[] =>
    groups([]).filter(({ groupId }) => groupId !== 'mcp:flaky');
  /** The same tools with the names and the order of the fold. */
  const withGroups = async (): Promise<ToolSet> => {
    const fold = createFold({ tools: own(), groups: asGroups(), strategy: 'eager' });
    const session = fold.layer.session();
    await session.prepare();
    const declared = session.present([]).tools;
    const added = declared
      .filter(({ name }) => name.includes('__'))
      .map(({ name, description, parameters }) => [
        name,
        tool({
          ...(description === undefined ? {} : { description }),
          inputSchema: jsonSchema(parameters),
          execute: () => 1,
        }),
      ]);
    return { ...own(), ...Object.fromEntries(added) };
  };
  for (const endpoint of ENDPOINTS) {
    for (const strategy of STRATEGIES) {
      test(`promise 4: ${endpoint.name}, strategy ${strategy}`, async () => {
        for (const { mode, route } of rowsOf(endpoint, strategy)) {
          const fold = () => createFold<ToolSet>({ tools: own(), strategy });
          // If Toolfold handles the calls, it answers unknown names itself.
          const script = strategy === false ? replies : known;
          const plain = await record(endpoint, mode, route, () => without(own()), script);
          const folded = await record(endpoint, mode, route, fold, script);
          const asSent = strategy === false ? comparable : unmarked;
          assertSame(folded.map(asSent), plain.map(asSent), route);
          const marks = folded.map(({ body }) => marksIn(body));
          const isAsked = endpoint.provider === 'anthropic' && strategy !== false;
          assert.ok(marks.every((count) => (isAsked ? count > 0 && count <= 3 : count === 0)));
        }
      });
    }
    test(`promise 4: ${endpoint.name}, groups loaded in eager`, async () => {
      const tools = await withGroups();
      for (const { mode, route } of rowsOf(endpoint, 'groups')) {
        const plain = await record(endpoint, mode, route, () => without(tools), known);
        const fold = () =>
          createFold<ToolSet>({ tools: own(), groups: asGroups(), strategy: 'eager' });
        const folded = await record(endpoint, mode, route, fold, known);
        assertSame(folded.map(unmarked), plain.map(unmarked), route);
      }
    });
  }
});

describe('promise 6: cache markers', () => {
  const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const tools = (options: object | undefined): ToolSet => ({
    ...ownTools([]),
    last: tool({
      inputSchema: z.object({}),
      ...(options ? { providerOptions: options as never } : {}),
    }),
  });
  const anthropic = ENDPOINTS[0] as Endpoint;
  const markersOf = async (set: ToolSet, exposure: Record<string, 'inline'> = {}) => {
    await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
    const fold = createFold<ToolSet>({
      tools: set,
      groups: groups([]),
      strategy: 'dispatch',
      exposure,
    });
    await streamText({
      ...fold.with(modelOn(server, anthropic)),
      prompt: 'Hi',
      stopWhen: isStepCount(2),
    }).text;
    const [request] = server.requests;
    assert.ok(request);
    const declared = request.body.tools as Record<string, unknown>[];
    return {
      names: toolsOn(request),
      marked: declared.filter((entry) => entry.cache_control).map((entry) => entry.name),
      all: request.raw.split('"cache_control"').length - 1,
    };
  };

  test('promise 6: a marker on a tool that is not sent moves to the last tool that is sent', async () => {
    const { names, marked: on, all } = await markersOf(tools(marked));
    assert.ok(!names.includes('last'));
    assert.deepEqual(on, [names.at(-1)]);
    assert.equal(all, 1);
  });

  test('promise 6: a marker on a tool that is sent does not move, and none is added', async () => {
    const { marked: on, all } = await markersOf(tools(marked), { last: 'inline' });
    assert.deepEqual(on, ['last']);
    assert.equal(all, 1);
  });
});

interface Sent {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
}

function comparable({ raw, headers }: RecordedRequest): Sent {
  const { host: _, ...rest } = headers;
  return { raw, headers: rest };
}

/** As it would be without marks of a cache, its length aside. */
function unmarked({ body, headers }: RecordedRequest): Sent {
  const { host: _, 'content-length': __, ...rest } = headers;
  return { raw: withoutMarks(body), headers: rest };
}

/** Shows the first difference of two bodies, because a diff of long lines does not. */
function assertSame(folded: readonly Sent[], plain: readonly Sent[], route: Route): void {
  assert.equal(folded.length, plain.length);
  folded.forEach((request, index) => {
    const expected = plain[index];
    let at = 0;
    while (at < request.raw.length && request.raw[at] === expected?.raw[at]) at++;
    const around = (text: string | undefined) => text?.slice(Math.max(0, at - 60), at + 60);
    assert.equal(around(request.raw), around(expected?.raw), `${route}, request ${index}`);
    assert.equal(request.raw, expected?.raw);
    assert.deepEqual(request.headers, expected?.headers);
  });
}

test('promise 4: with groups, too, `strategy: false` asks for no prompt cache', async () => {
  await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
  const endpoint = ENDPOINTS.find(({ provider }) => provider === 'anthropic') ?? assert.fail();
  const fold = createFold({
    strategy: false,
    groups: [fakeGroup({ groupId: 'mcp:a', count: 2 })],
    onWarning: false,
  });
  await generateText({ ...fold.with(modelOn(server, endpoint)), prompt: 'Go.' });
  assert.doesNotMatch(server.requests[0]?.raw ?? assert.fail(), /cache_control/);
});

test('promise 4: a conversation that was stored with its state goes on with the off switch, as messages without it do', async () => {
  await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
  const tools = ownTools([]);
  const messages = [{ role: 'user', content: 'Go.' } as const];
  for (const endpoint of ENDPOINTS) {
    const model = modelOn(server, endpoint);
    const stored = await createFold({ tools, strategy: 'dispatch' }).state(model, messages);
    const state = JSON.parse(JSON.stringify(stored));
    const warnings: string[] = [];
    const fold = createFold({ tools, strategy: false, onWarning: (text) => warnings.push(text) });
    for (let turn = 0; turn < 2; turn++)
      await generateText({ ...fold.with(model, { state }), messages });
    await generateText({ model, tools, messages });
    const [first, second, plain] = server.requests.slice(-3).map(comparable);
    assert.deepEqual([first, second], [plain, plain], endpoint.name);
    assert.match(warnings.join(), /^a conversation that was stored under the strategy "dispatch"/);
    assert.equal(warnings.length, 1);
    assert.throws(() => fold.with(model, { state, onMismatch: 'error' }), {
      code: 'strategy-mismatch',
    });
  }
});
