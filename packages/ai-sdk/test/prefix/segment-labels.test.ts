import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createToolLayer } from '@toolfold/core/internal/session/layer.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, type ToolSet } from 'ai';
import { createFold, type Fold, type RequestEvent, type SegmentLabel } from '../../src/index.ts';
import { Conversation, type ConversationOptions } from '../conversation.test-support.ts';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  modelOn,
  NATIVE_ENDPOINTS,
} from '../endpoints.test-support.ts';
import { foldOptions } from '../folds.test-support.ts';
import { BRIDGE, DISPATCH } from '../scenarios.test-support.ts';

const CREATE = 'github__create_issue';
/** Stands in the schema of `create_issue` alone. */
const SCHEMA = 'Headline.';
const WORDS = 'Be brief, as the app says.';
const ASK: ReplyCall = { name: 'ask', arguments: { question: 'Really?' } };
const native = (name: string, input: object): ReplyCall => ({ name, arguments: input });

interface Way {
  readonly name: string;
  readonly strategy: StrategyChoice;
  readonly endpoints: readonly Endpoint[];
  readonly capabilities?: (typeof NATIVE_ENDPOINTS)[number]['capabilities'];
  /** The calls that load `create_issue`. */
  readonly load: readonly ReplyCall[];
  readonly call: (name: string, input: object) => ReplyCall;
}

const requested = { name: 'request_tool', arguments: { name: CREATE } };
const loads = [DISPATCH.load('mcp:github')];
const WAYS: readonly Way[] = [
  { name: 'eager', strategy: 'eager', endpoints: ENDPOINTS, load: [], call: native },
  {
    name: 'dispatch',
    strategy: 'dispatch',
    endpoints: ENDPOINTS,
    load: loads,
    call: DISPATCH.call,
  },
  {
    ...{ name: 'bridge', strategy: 'bridge', endpoints: ENDPOINTS, call: BRIDGE.call },
    load: [BRIDGE.load('mcp:github')],
  },
  { name: 'inject', strategy: 'inject', endpoints: ENDPOINTS, load: loads, call: native },
  { name: 'lazy', strategy: 'lazy', endpoints: ENDPOINTS, load: [requested], call: native },
  ...NATIVE_ENDPOINTS.map((endpoint): Way => {
    const { form, capabilities } = endpoint;
    const load = [dialectOf(form).load('mcp:github')];
    return {
      ...{ name: `native, ${form}`, strategy: 'native', endpoints: [endpoint], capabilities },
      ...{ load, call: native },
    };
  }),
];

const isGroup = ({ groupId }: { groupId: string }) => groupId !== 'mcp:flaky';

function foldOf({ strategy, capabilities }: Way, events: RequestEvent[]): Fold<ToolSet> {
  const groups = foldOptions([]).groups.filter(isGroup);
  const onRequest = (event: RequestEvent) => events.push(event);
  const native = capabilities ? { capabilities } : {};
  const options = { ...foldOptions([]), groups, strategy, onRequest, ...native };
  return createFold(options) as unknown as Fold<ToolSet>;
}

/** The texts of the segments with a label. */
function textsOf({ segments, texts }: RequestEvent, wanted: SegmentLabel): string[] {
  const all = texts?.() ?? assert.fail();
  return segments.flatMap(({ label, hash }) => (label === wanted ? (all.get(hash) ?? '') : []));
}

const tokensOf = ({ segments }: RequestEvent, ...wanted: SegmentLabel[]) =>
  segments
    .filter(({ label }) => label !== undefined && wanted.includes(label))
    .reduce((sum, { tokens }) => sum + tokens, 0);

/** The labels of the segments that show the schema. */
const placesOf = (event: RequestEvent) => {
  const all = event.texts?.() ?? assert.fail();
  return new Set(
    event.segments.flatMap(({ label, hash }) => (all.get(hash)?.includes(SCHEMA) ? label : [])),
  );
};

/** What holds for every request. */
function check(event: RequestEvent): void {
  const { segments, tokens, strategy } = event;
  const sum = segments.reduce((all, segment) => all + segment.tokens, 0);
  assert.equal(sum, tokens.total);
  for (const { label, tokens: count } of segments) assert.ok(label !== undefined && count >= 0);
  assert.equal(tokensOf(event, 'inline-tools'), tokens.inline);
  assert.equal(tokensOf(event, 'bridge-tools'), tokens.bridges);
  assert.equal(tokensOf(event, 'system-text', 'catalog'), tokens.system);
  assert.equal(tokensOf(event, 'catalog'), tokens.catalog);
  assert.equal(tokensOf(event, 'deferred-tools'), 0);
  assert.match(textsOf(event, 'system-text').join(), /as the app says/);
  assert.doesNotMatch(textsOf(event, 'system-text').join(), /create_issue/);
  const [catalog, ...more] = textsOf(event, 'catalog');
  assert.deepEqual(more, []);
  assert.equal(catalog !== undefined, strategy !== 'eager');
  assert.doesNotMatch(catalog ?? '', /as the app says/);
}

async function talk(
  way: Way,
  endpoint: Endpoint,
  script: readonly Reply[],
  more: Partial<ConversationOptions> = {},
) {
  await using server = await startModelServer({ script: [...script] });
  const events: RequestEvent[] = [];
  const fold = foldOf(way, events);
  const settings = { instructions: WORDS };
  const model = modelOn(server, endpoint);
  const options = { mode: 'stream', route: 'live', model, fold: () => fold, settings } as const;
  const conversation = new Conversation({ ...options, ...more });
  await conversation.say('Go.');
  await conversation.say('And?');
  assert.equal(events.length, server.requests.length);
  const raw = server.requests.map((request) => request.raw);
  const { frozen } = await fold.state(model, conversation.messages);
  return { events, raw, frozen };
}

describe('the labels of the segments of a request', () => {
  for (const way of WAYS)
    for (const endpoint of way.endpoints)
      test(`name what the strategy has sent: ${way.name}, ${endpoint.name}`, async () => {
        const { load, call, strategy } = way;
        const { events, frozen } = await talk(way, endpoint, [
          { calls: [...load, ASK] },
          { calls: [call(CREATE, { title: 'One' })] },
          { text: 'Done.' },
          { text: 'Bye.' },
        ]);
        for (const event of events) {
          check(event);
          const bridges = textsOf(event, 'bridge-tools').join();
          for (const { name } of frozen?.bridges ?? []) assert.match(bridges, new RegExp(name));
          const [catalog = '[{}]'] = textsOf(event, 'catalog');
          if (frozen) assert.equal(JSON.parse(catalog)[0].content ?? '', frozen.system);
        }
        const [first, ...later] = events;
        const last = later.at(-1) ?? assert.fail();
        const isUnseen = first && textsOf(first, 'deferred-tools').join().includes(SCHEMA);
        const hidden = isUnseen ? ['deferred-tools'] : [];
        const before = strategy === 'eager' ? ['inline-tools'] : hidden;
        assert.deepEqual(first && [...placesOf(first)], before);
        // A reference to a declared schema has no text of it.
        const after = isUnseen ? hidden : ['loaded-schemas'];
        assert.deepEqual([...placesOf(last)], strategy === 'eager' ? before : after);
        assert.equal(tokensOf(last, 'loaded-schemas') > 20, strategy !== 'eager');
        assert.match(textsOf(last, 'tool-results').join(), /answer to Really/);
        assert.match(textsOf(last, 'tool-results').join(), /"done"/);
        assert.doesNotMatch(textsOf(last, 'loaded-schemas').join(), /answer to Really/);
        assert.match(textsOf(last, 'history').join(), /Go\..*And\?/s);
      });

  for (const way of WAYS.filter(({ strategy }) => strategy !== 'eager'))
    test(`name preloaded schemas: ${way.name}`, async () => {
      const [endpoint] = way.endpoints;
      const script = [{ text: 'One.' }, { text: 'Two.' }];
      const preload = () => [CREATE];
      const { events } = await talk(way, endpoint ?? assert.fail(), script, { with: { preload } });
      for (const event of events) {
        check(event);
        assert.ok(!placesOf(event).has('history'));
        assert.ok(tokensOf(event, 'loaded-schemas') > 20, way.name);
      }
    });

  for (const way of WAYS.filter(({ strategy }) => strategy !== 'eager'))
    test(`name the schema of a forced call: ${way.name}`, async () => {
      const [endpoint = assert.fail()] = way.endpoints;
      await using server = await startModelServer({ script: [{ text: 'No.' }] });
      const events: RequestEvent[] = [];
      const folded = foldOf(way, events).with(modelOn(server, endpoint));
      const toolChoice = { type: 'tool', toolName: CREATE } as never;
      const request = { ...folded, instructions: WORDS, prompt: 'Go.', toolChoice, maxRetries: 0 };
      await generateText(request).catch(() => {});
      const [event = assert.fail()] = events;
      check(event);
      assert.ok(!placesOf(event).has('history'));
      assert.ok(tokensOf(event, 'loaded-schemas') > 20);
    });
});

describe('the size of an eager request', () => {
  const [endpoint = assert.fail()] = ENDPOINTS;
  const script = (load: readonly ReplyCall[]) => [
    { calls: load },
    { text: 'Done.' },
    { text: 'Bye.' },
  ];
  const [eager = assert.fail()] = WAYS;

  test('is that of the request in `eager`', async () => {
    const { events } = await talk(eager, endpoint, [{ text: 'One.' }, { text: 'Two.' }]);
    for (const { tokens } of events) assert.equal(tokens.eager, tokens.total);
  });

  for (const way of WAYS.filter(({ strategy }) => strategy !== 'eager'))
    test(`has all schemas and no catalog once they have loaded: ${way.name}`, async () => {
      const [first] = (await talk(eager, endpoint, [{ text: 'One.' }, { text: 'Two.' }])).events;
      const linear = way.load.map(({ name, arguments: input }) => ({
        name,
        arguments: JSON.parse(JSON.stringify(input).replaceAll('github', 'linear')),
      }));
      const [own = assert.fail()] = way.endpoints;
      const { events } = await talk(way, own, script([...way.load, ...linear]));
      const last = events.at(-1) ?? assert.fail();
      const kept = tokensOf(last, 'history', 'tool-results', 'system-text');
      assert.equal((last.tokens.eager ?? 0) - kept, first?.tokens.inline);
    });

  test('counts what a group reports, or a typical size, before a schema has loaded', () => {
    const tool = { name: 'one', inputSchema: { type: 'object' } } as const;
    const group = { groupId: 'mcp:a', toolNames: ['one', 'two'], loader: async () => [tool] };
    const unnamed = { groupId: 'mcp:b', loader: async () => [tool] };
    const sizeOf = (groups: DeferredToolGroup[]) => {
      const session = createToolLayer({ groups, strategy: 'dispatch', onWarning: false }).session();
      return session.deferredTokens(session.turn([]));
    };
    assert.equal(sizeOf([group]), 2 * 330);
    assert.equal(sizeOf([{ ...group, schemaTokens: 500 }]), 500);
    assert.equal(sizeOf([unnamed]), 13 * 330);
    assert.equal(sizeOf([{ ...group, unavailable: { reason: 'It is down.' } }]), 0);
  });

  test('leaves out what the role and the app leave out', async () => {
    const [, way = assert.fail()] = WAYS;
    const size = async (more: Partial<ConversationOptions>) => {
      const { events } = await talk(way, endpoint, [{ text: 'One.' }, { text: 'Two.' }], more);
      return events[0]?.tokens.eager ?? assert.fail();
    };
    const all = await size({});
    const without = await size({ with: { without: ['mcp:linear/*'] } });
    const inactive = await size({
      settings: { instructions: WORDS, activeTools: ['ask', 'deploy', CREATE] },
    });
    assert.ok(without < all && inactive < all);
  });
});
