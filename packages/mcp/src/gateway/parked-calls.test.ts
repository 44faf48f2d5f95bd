import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import type { Json } from '../../test/gateway/raw-server.test-support.ts';
import { fixtureEntry, openClient, openGateway } from '../../test/gateway/scene.test-support.ts';
import type { Client, ClientRequest } from '../gateway-clients/client.ts';
import { serveHttp } from '../gateway-clients/http-server.ts';
import { ParkedCalls } from './parked-calls.ts';

/** A request that asks only for what a test is about. */
function incoming(params: JsonObject): ClientRequest {
  const { signal } = new AbortController();
  const client = { isShared: false, gone: signal } as Client;
  const given = { id: 1, era: 'modern', method: 'tools/call', capabilities: {} } as const;
  return { ...given, client, params, signal, logLevel: undefined, notify: () => {} };
}

test('promise 72: a question that nobody answers ends its call, and its state', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const parked = new ParkedCalls();
  const { client, ...first } = incoming({ name: 'a' });
  let over: AbortSignal | undefined;
  const asked = parked.start({ client, ...first }, (asker, signal) => {
    over = signal;
    return asker.ask({ method: 'elicitation/create', params: {}, signal });
  });
  context.mock.timers.tick(20);
  const { requestState = '' } = await asked;
  assert.equal(over?.aborted, false);
  context.mock.timers.tick(299_000);
  assert.equal(parked.size, 1);
  context.mock.timers.tick(1000);
  assert.equal(over?.aborted, true);
  assert.equal(parked.size, 0);
  const late = { ...first, client, params: { name: 'a', requestState, inputResponses: {} } };
  assert.throws(() => parked.resume(late), { code: -32602 });
});

const limited = { timeout: 60_000 };

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const one = { method: 'elicitation/create', params: FORM };
const ASK = { name: 'fixture__ask', arguments: { questions: { first: one, second: one } } };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const accepted = (name: string): Json => ({ action: 'accept', content: { name } });

test(
  'promise 72: a question waits in a state that counts once, for its request',
  limited,
  async (context) => {
    const gateway = openGateway(
      context,
      { fixture: await fixtureEntry(context, 'legacy') },
      { mode: 'eager' },
    );
    for (const way of ['stdio', 'http'] as const) {
      const client = await openClient(context, gateway, way, { era: 'modern', capabilities });
      const asked = await client.request('tools/call', ASK);
      assert.equal(asked.result?.resultType, 'input_required');
      const { requestState, inputRequests } = asked.result ?? {};
      const keys = Object.keys(inputRequests as Json);
      assert.equal(keys.length, 2, 'questions that come together are one round');
      const again = (others: Json): Promise<{ result?: Json; error?: Json }> =>
        client.request('tools/call', { ...ASK, requestState, inputResponses: {}, ...others });
      const refused = async (others: Json): Promise<void> => {
        const { error } = await again(others);
        assert.equal(error?.code, -32602);
      };
      await refused({ requestState: 'toolfold-unknown' });
      await refused({ arguments: { questions: {} } });
      await refused({ name: 'fixture__odd' });
      // What has no answer is asked again, and the earlier state does not count any more.
      const half = await again({ inputResponses: { [keys[0] ?? '']: accepted('Ada') } });
      assert.equal(half.result?.resultType, 'input_required');
      assert.deepEqual(Object.keys(half.result?.inputRequests as Json), [keys[1]]);
      await refused({});
      const done = await client.request('tools/call', {
        ...ASK,
        requestState: half.result?.requestState,
        inputResponses: { [keys[1] ?? '']: accepted('Bob'), odd: 'ignored' },
      });
      assert.match(JSON.stringify(done.result), /Ada.*Bob/);
      await refused({ requestState: half.result?.requestState });
    }
  },
);

test(
  'promise 72: a client that goes away while it waits ends the call',
  limited,
  async (context) => {
    const gateway = openGateway(
      context,
      { fixture: await fixtureEntry(context, 'legacy') },
      { mode: 'eager' },
    );
    const client = await openClient(context, gateway, 'http', { era: 'modern' });
    const other = await openClient(context, gateway, 'http', { era: 'modern' });
    const { id } = client.start('tools/call', { name: 'fixture__hang', arguments: {} });
    await other.call('fixture__count');
    client.cancel(id);
    for (;;) {
      const { result } = await other.call('fixture__cancelled');
      if (JSON.stringify(result).includes('"1"')) break;
    }
  },
);

test(
  'a question of a server behind another gateway is answered through both',
  limited,
  async (context) => {
    const fixture = await fixtureEntry(context, 'legacy');
    const inner = openGateway(context, { fixture }, { mode: 'eager' });
    const { schemaOf } = inner;
    const server = await serveHttp(inner, {
      ...{ host: '127.0.0.1', port: 0, token: undefined },
      ...{ schemaOf, health: () => ({}) },
    });
    context.after(() => server.close());
    const { url } = server;
    const entry = { kind: 'http', url, headers: new Map(), secrets: [] } as const;
    const outer = openGateway(context, { inner: entry }, { mode: 'passthrough' });
    const client = await openClient(context, outer, 'http', {
      ...{ era: 'modern', capabilities },
      answer: () => accepted('Ada'),
    });
    const { result } = await client.complete('tools/call', ASK);
    assert.match(JSON.stringify(result), /Ada/);
  },
);
