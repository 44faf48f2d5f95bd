import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Mode } from '../../src/gateway-lists/view.ts';
import type { Answer, AnswerQuestion, RawClient } from './raw-client.test-support.ts';
import type { Era, Json } from './raw-server.test-support.ts';
import {
  callIn,
  fixtureEntry,
  neutral,
  openClient,
  openDirect,
  openGateway,
  type Way,
} from './scene.test-support.ts';

/** One client at the fixture through a gateway, and one at the fixture itself. */
export interface Pair {
  readonly client: RawClient;
  readonly direct: RawClient;
  readonly clientEra: Era;
  readonly serverEra: Era;
  /** The parameters of a call of a tool of the fixture, through the gateway. */
  readonly call: (name: string, args: Json, others?: Json) => Json;
  /** What the gateway calls a tool or prompt of the fixture. */
  readonly named: (name: string) => string;
  /** Whether clients get the definitions of all tools. */
  readonly isEager: boolean;
  /** Whether the order of fields does not count, nor fields that the protocol does not name. */
  readonly isLoose?: boolean;
}

/** Which client, server, mode and transport. */
export interface Pairing {
  readonly clientEra: Era;
  readonly serverEra: Era;
  readonly mode: Mode;
  readonly front: Way;
  readonly back: Way;
}

const ROOTS = { roots: [{ uri: 'file:///fixture', name: 'f', odd: 1 }], _meta: { z: 1 } };
const SAMPLED = { model: 'm', role: 'assistant', content: { text: 'hi', type: 'text' }, odd: 1 };
const ACCEPTED = { content: { name: 'Ada', age: 1 }, action: 'accept', odd: { z: 1 } };

export const answerQuestion: AnswerQuestion = (method) => {
  if (method === 'roots/list') return ROOTS;
  return method === 'sampling/createMessage' ? SAMPLED : ACCEPTED;
};

export const CAPABILITIES: Json = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export async function openPair(context: TestContext, pairing: Pairing): Promise<Pair> {
  const { clientEra, serverEra, mode, front, back } = pairing;
  const fixture = await fixtureEntry(context, serverEra, back);
  const gateway = openGateway(context, { fixture }, { mode });
  const options = { capabilities: CAPABILITIES, answer: answerQuestion };
  const client = await openClient(context, gateway, front, { ...options, era: clientEra });
  const direct = await openDirect(context, { ...options, era: serverEra });
  return {
    ...{ client, direct, clientEra, serverEra },
    call: (name, args, others) => callIn(mode, name, args, others),
    named: (name) => (mode === 'passthrough' ? name : `fixture__${name}`),
    isEager: mode === 'eager' || mode === 'passthrough',
  };
}

/** Calls a tool in both ways. */
async function both(
  pair: Pair,
  name: string,
  args: Json = {},
  others: Json = {},
): Promise<Answer[]> {
  const { client, direct, call } = pair;
  return [
    await client.complete('tools/call', call(name, args, others)),
    await direct.complete('tools/call', { name, arguments: args, ...others }),
  ];
}

/** Byte for byte, apart from what the revision of the client demands. */
function assertSame({ clientEra, serverEra, isLoose }: Pair, [through, direct]: Answer[]): void {
  assert.ok(through && direct);
  if (isLoose) assert.deepEqual(namedFields(neutral(through)), namedFields(neutral(direct)));
  else if (clientEra === serverEra) assert.equal(JSON.stringify(through), JSON.stringify(direct));
  else assert.equal(JSON.stringify(neutral(through)), JSON.stringify(neutral(direct)));
  if (clientEra === 'modern' && through.result) assert.equal(through.result.resultType, 'complete');
  if (clientEra === 'legacy') assert.equal(through.result?.resultType, undefined);
}

/** What is left without the fields of the fixture that the protocol does not name. */
function namedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedFields);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !/^(x-)?odd$|^zebra$/.test(key));
  return Object.fromEntries(kept.map(([key, field]) => [key, namedFields(field)]));
}

/** Lists and notices have the same fields. */
function assertSameFields({ isLoose }: Pair, through: unknown, direct: unknown): void {
  if (isLoose) assert.deepEqual(namedFields(through), namedFields(direct));
  else assert.deepEqual(through, direct);
}

/** Both clients got the same notices. */
function assertTold(pair: Pair, method: string, count: number): void {
  const told = ({ notices }: RawClient): unknown[] =>
    notices.filter((notice) => notice.method === method).map(({ params }) => params);
  assert.equal(told(pair.direct).length, count);
  assertSameFields(pair, told(pair.client), told(pair.direct));
}

const sameCall =
  (name: string, args: Json = {}, others: Json = {}) =>
  async (pair: Pair): Promise<void> =>
    assertSame(pair, await both(pair, name, args, others));

const question = (method: string, params: Json): Json => ({
  questions: { first: { method, params } },
});

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: { odd: {} } } };

/** The items of all pages of a list. */
async function allOf(client: RawClient, method: string, key: string): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: unknown;
  do {
    const { result } = await client.request(method, cursor === undefined ? {} : { cursor });
    items.push(...((result?.[key] ?? []) as Json[]));
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** What must be the same through the gateway, by name. */
export const behaviours: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  'a result with unknown content, fields and order': sameCall('odd'),
  'images and audio': sameCall('media'),
  'a result that is an error': sameCall('fail'),
  'an error of the protocol, with its data': sameCall('refuse'),
  'an error whose data is a text': sameCall('refuse', { data: 'why' }),
  'an error whose data is null': sameCall('refuse', { data: null }),
  'arguments and _meta of the client': sameCall(
    'given',
    { z: 1, a: [{ q: 9_007_199_254_740_991 }], text: '\u00e9\u2028"' },
    { _meta: { traceparent: '00-1-2-01', 'example.com/z': { z: 1, a: 2 } } },
  ),
  progress: async (pair) => {
    assertSame(pair, await both(pair, 'progress', {}, { _meta: { progressToken: 'mine' } }));
    assertTold(pair, 'notifications/progress', 2);
  },
  'log messages': async (pair) => {
    const { client, direct, call } = pair;
    const metaOf = (era: Era): Json =>
      era === 'modern' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } : {};
    assertSame(pair, [
      await client.complete('tools/call', call('log', {}, metaOf(pair.clientEra))),
      await direct.complete('tools/call', {
        name: 'log',
        arguments: {},
        ...metaOf(pair.serverEra),
      }),
    ]);
    assertTold(pair, 'notifications/message', 2);
  },
  'the end of an elicitation elsewhere': async (pair) => {
    if (pair.serverEra === 'modern') return;
    assertSame(pair, await both(pair, 'completed'));
    const method = 'notifications/elicitation/complete';
    if (pair.clientEra === 'legacy') assertTold(pair, method, 1);
    else assert.ok(!pair.client.notices.some((notice) => notice.method === method));
  },
  cancellation: async ({ client, call }) => {
    const { id } = client.start('tools/call', call('hang', {}));
    // The server answers in order, so it has read the call.
    await client.request('tools/call', call('count', {}));
    client.cancel(id);
    for (;;) {
      const { result } = await client.request('tools/call', call('cancelled', {}));
      if (JSON.stringify(result).includes('"1"')) break;
    }
  },
  elicitation: sameCall('ask', question('elicitation/create', FORM)),
  sampling: sameCall(
    'ask',
    question('sampling/createMessage', { messages: [], maxTokens: 5, odd: 1 }),
  ),
  roots: sameCall('ask', { questions: { first: { method: 'roots/list' } } }),
  'several questions at once': sameCall('ask', {
    questions: {
      one: { method: 'elicitation/create', params: FORM },
      two: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
    },
    state: 'kept',
  }),
  completion: async (pair) => {
    const { client, direct } = pair;
    const argument = { name: 'who', value: 'o' };
    const through = { ref: { type: 'ref/prompt', name: pair.named('greet') }, argument };
    const own = { ref: { type: 'ref/prompt', name: 'greet' }, argument };
    assertSame(pair, [
      await client.request('completion/complete', through),
      await direct.request('completion/complete', own),
    ]);
  },
  'resources, in pages': async (pair) => {
    const { client, direct } = pair;
    assertSameFields(
      pair,
      await allOf(client, 'resources/list', 'resources'),
      await allOf(direct, 'resources/list', 'resources'),
    );
  },
  'resource templates': async (pair) => {
    const { client, direct } = pair;
    const key = 'resourceTemplates';
    assertSameFields(
      pair,
      await allOf(client, 'resources/templates/list', key),
      await allOf(direct, 'resources/templates/list', key),
    );
  },
  'a resource': async (pair) => {
    for (const uri of ['fixture://page/2', 'fixture://by/7', 'fixture://none'])
      assertSame(pair, [
        await pair.client.request('resources/read', { uri }),
        await pair.direct.request('resources/read', { uri }),
      ]);
  },
  'prompts, in pages': async (pair) => {
    const direct = await allOf(pair.direct, 'prompts/list', 'prompts');
    const expected = direct.map((prompt) => ({
      ...prompt,
      name: pair.named(String(prompt.name)),
    }));
    const through = await allOf(pair.client, 'prompts/list', 'prompts');
    if (pair.isLoose) assertSameFields(pair, through, expected);
    else assert.equal(JSON.stringify(through), JSON.stringify(expected));
  },
  'a prompt': async (pair) => {
    assertSame(pair, [
      await pair.client.request('prompts/get', { name: pair.named('part') }),
      await pair.direct.request('prompts/get', { name: 'part' }),
    ]);
  },
  'a subscription to a resource': async (pair) => {
    const { client, clientEra, call } = pair;
    const uri = 'fixture://page/1';
    if (clientEra === 'legacy') await client.request('resources/subscribe', { uri });
    else {
      client.start('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
      await client.notice('notifications/subscriptions/acknowledged');
    }
    await client.request('tools/call', call('count', {}));
    await client.request('tools/call', call('touch', {}));
    const { params = {} } = await client.notice('notifications/resources/updated');
    assertSameFields(pair, { ...params, _meta: undefined }, { uri, odd: 1, _meta: undefined });
  },
  'definitions of tools': async (pair) => {
    if (!pair.isEager) return;
    const { result } = await pair.client.request('tools/list');
    const { result: own } = await pair.direct.request('tools/list');
    const expected = ((own?.tools ?? []) as Json[]).map((tool) => ({
      ...tool,
      name: pair.named(String(tool.name)),
    }));
    if (pair.isLoose) assertSameFields(pair, result?.tools, expected);
    else assert.equal(JSON.stringify(result?.tools), JSON.stringify(expected));
  },
  'a tool that appears': async (pair) => {
    const { client, clientEra, call } = pair;
    await client.request('tools/list');
    if (clientEra === 'modern') {
      client.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
      await client.notice('notifications/subscriptions/acknowledged');
    }
    await client.request('tools/call', call('grow', {}));
    await client.notice('notifications/tools/list_changed');
    const { result } = await client.request('tools/call', call('grown-0', {}));
    assert.match(JSON.stringify(result), /called grown-0/);
  },
  'the process that is kept': async ({ client, call }) => {
    const counts: number[] = [];
    for (let at = 0; at < 3; at++) {
      const answer = await client.request('tools/call', call('count', {}));
      counts.push(Number(/"text":"(\d+)"/.exec(JSON.stringify(answer))?.[1]));
    }
    const [first = 0] = counts;
    assert.deepEqual(counts, [first, first + 1, first + 2]);
  },
};

/** Tests all behaviours with one client and one server. */
export function testPairing(promise: string, pairing: Pairing): void {
  const { clientEra, serverEra, mode, front, back } = pairing;
  const title = `${promise}: ${mode}, ${clientEra} over ${front} to ${serverEra} over ${back}`;
  test(title, { timeout: 60_000 }, async (context) => {
    const pair = await openPair(context, pairing);
    for (const [name, holds] of Object.entries(behaviours))
      await context.test(name, { timeout: 20_000 }, () => holds(pair));
  });
}
