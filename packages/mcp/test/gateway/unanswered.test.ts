import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParkedCalls } from '../../src/gateway/parked-calls.ts';
import { Leases } from '../../src/gateway/sharing.ts';
import { Upstreams } from '../../src/gateway/upstreams.ts';
import { Client, type ClientHost, type ClientRequest } from '../../src/gateway-clients/client.ts';
import type { Answer, RawClient } from './raw-client.test-support.ts';
import type { Json } from './raw-server.test-support.ts';
import { fixtureEntry, openClient, openGateway, StreamClient } from './scene.test-support.ts';

const limited = { timeout: 120_000 };

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const ASK = {
  name: 'fixture__ask',
  arguments: { questions: { first: { method: 'elicitation/create', params: FORM } } },
};
const COUNT = { name: 'fixture__count', arguments: {} };

const named = (name: string, era: 'legacy' | 'modern') => ({
  ...{ era, capabilities: { elicitation: {} } },
  answer: (): Json => ({ action: 'accept', content: { name } }),
});

const shown = ({ result, error }: Answer): string => JSON.stringify(result ?? error);

/** More than the requests that a server works on at once. */
const MANY = 9;

/** Without the promise these wait for ever, and the check that they fail gives each run a minute. */
const soon = { timeout: 20_000 };

async function leaveMany(client: RawClient): Promise<Json[]> {
  const answers = Array.from({ length: MANY }, () => client.request('tools/call', ASK));
  return (await Promise.all(answers)).map(({ result }) => result ?? {});
}

test(
  'promise 71: questions that one client leaves hold up nobody, without sessions',
  soon,
  async (context) => {
    const gateway = openGateway(
      context,
      { fixture: await fixtureEntry(context, 'legacy') },
      { mode: 'eager' },
    );
    const ada = await openClient(context, gateway, 'http', named('ada', 'modern'));
    const bob = await openClient(context, gateway, 'http', named('bob', 'modern'));
    const left = await leaveMany(ada);
    for (const { resultType } of left) assert.equal(resultType, 'input_required');
    assert.match(shown(await bob.request('tools/call', COUNT)), /"1"/);
    assert.match(shown(await bob.complete('tools/call', ASK)), /bob/);
    const answer = ({ requestState }: Json): Promise<Answer> =>
      ada.request('tools/call', {
        ...{ ...ASK, requestState, inputResponses: { 'question-1': { action: 'decline' } } },
      });
    const [first = {}] = left;
    assert.match(shown(await answer(left.at(-1) ?? {})), /decline/);
    assert.match(shown(await answer(first)), /requestState is unknown/, 'too many were left');
  },
);

/** A client that answers no question. */
class SilentClient extends StreamClient {
  readonly asked: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  protected override receive(message: Json): void {
    if (message.method === undefined || message.id === undefined) super.receive(message);
    else this.asked.resolve();
  }
}

for (const era of ['legacy', 'modern'] as const)
  test(
    `promise 71: a ${era} client that does not answer holds no place of a server`,
    soon,
    async (context) => {
      const entry = await fixtureEntry(context, 'legacy', 'http');
      assert.ok(entry.kind === 'http');
      const fixture = { ...entry, lifecycle: { maxCalls: 1 } };
      const gateway = openGateway(context, { fixture }, { mode: 'eager' });
      const ada = new SilentClient(gateway, named('ada', era));
      context.after(() => ada.close());
      await ada.begin();
      const bob = await openClient(context, gateway, 'http', named('bob', era));
      const { answer } = ada.start('tools/call', ASK);
      await (era === 'modern' ? answer : ada.asked.promise);
      assert.match(shown(await bob.request('tools/call', COUNT)), /"1"/);
      assert.match(shown(await bob.complete('tools/call', ASK)), /bob/);
    },
  );

const host = { closed: async () => {} } as unknown as ClientHost;

/** A request that asks a question, of a client that says this name. */
function asking(name: string, isShared: boolean): ClientRequest {
  const client = new Client(host, { send: () => {} }, isShared);
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name } };
  return {
    ...{ id: 1, era: 'modern', method: 'tools/call', capabilities: {}, client },
    ...{ params: { name: 'a', _meta }, logLevel: undefined, notify: () => {} },
    signal: new AbortController().signal,
  };
}

test('the oldest question of the client that left too many ends, and none of another', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const parked = new ParkedCalls();
  const ended: string[] = [];
  const park = async (name: string, label: string, isShared = true): Promise<void> => {
    const started = parked.start(asking(name, isShared), (asker, signal) => {
      signal.addEventListener('abort', () => ended.push(label));
      return asker.ask({ method: 'elicitation/create', params: {}, signal });
    });
    context.mock.timers.tick(20);
    await started;
  };
  await park('bob', 'bob');
  for (let at = 0; at < 10; at++) await park('ada', `ada ${at}`);
  assert.deepEqual(ended, ['ada 0', 'ada 1']);
  assert.equal(parked.size, 9);
  for (let at = 0; at < 20; at++) await park('eve', `eve ${at}`, false);
  assert.equal(ended.length, 2, 'a client that is there may have more');
});

test('a client that goes away leaves no question', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const parked = new ParkedCalls();
  const incoming = asking('ada', false);
  let reason: unknown;
  const started = parked.start(incoming, (asker, signal) => {
    signal.addEventListener('abort', () => {
      ({ reason } = signal);
    });
    return asker.ask({ method: 'elicitation/create', params: {}, signal });
  });
  context.mock.timers.tick(20);
  await started;
  await incoming.client.close();
  assert.match(String(reason), /has gone/);
});

test('a turn that was waited for and is not wanted any more goes to the next one', async () => {
  const leases = new Leases(1);
  const { signal } = new AbortController();
  assert.equal(await leases.take(signal), 0);
  const stop = new AbortController();
  const first = leases.take(stop.signal);
  const second = leases.take(signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(first, /stopped/);
  const answered = leases.asks(0);
  assert.equal(await second, 1, 'who waits for its client keeps its connection');
  answered();
  const third = leases.take(signal);
  leases.giveBack(1);
  leases.giveBack(0);
  assert.equal(await third, 0);
});

test('the connection that is shared counts among those of a server', limited, async (context) => {
  const entry = await fixtureEntry(context, 'legacy', 'http');
  assert.ok(entry.kind === 'http');
  const fixture = { ...entry, lifecycle: { perSession: true } };
  const ignore = (): void => {};
  const upstreams = new Upstreams(
    { servers: new Map([['fixture', fixture]]), settings: undefined },
    {
      ...{ onEvent: ignore, onReady: ignore, onNotice: ignore, manifests: false, logins: false },
      ...{ onShared: ignore, onJoined: ignore, onEnded: ignore, log: ignore, starts: 'none' },
    },
  );
  context.after(() => upstreams.close());
  const use = async (): Promise<void> => {
    const client = new Client({} as ClientHost, { send: ignore });
    const caller = { client, capabilities: {}, signal: client.gone };
    const shared = await upstreams.sharedFor(caller);
    await shared.pool.connection('fixture')?.start();
    await upstreams.using(shared, 'fixture', caller, async () => {});
  };
  for (let at = 0; at < 255; at++) await use();
  await assert.rejects(use(), /too many connections/);
});
