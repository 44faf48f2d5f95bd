// test: slow
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import { classOf } from '../../src/gateway/sharing.ts';
import { Upstreams } from '../../src/gateway/upstreams.ts';
import { Client, type ClientHost } from '../../src/gateway-clients/client.ts';
import type { Answer, RawClient } from './raw-client.test-support.ts';
import type { Json } from './raw-server.test-support.ts';
import { fixtureEntry, openClient, openGateway, StreamClient } from './scene.test-support.ts';

const limited = { timeout: 60_000 };

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const ASK = { questions: { first: { method: 'elicitation/create', params: FORM } } };
const EAGER = { mode: 'eager' as const };

/** A client that answers with its own name, and works in a folder of that name. */
const named = (name: string, withRoots = false) => ({
  era: 'legacy' as const,
  capabilities: { elicitation: {}, ...(withRoots && { roots: {} }) },
  answer: (method: string): Json =>
    method === 'roots/list'
      ? { roots: [{ uri: `file:///${name}` }] }
      : { action: 'accept', content: { name } },
});

const shown = ({ result, error }: Answer): string => JSON.stringify(result ?? error);
const count = async (client: RawClient): Promise<string> =>
  shown(await client.call('fixture__count'));

test(
  'promise 71: clients in two folders have each their own connection',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const ada = await openClient(context, gateway, 'http', named('ada', true));
    const bob = await openClient(context, gateway, 'http', named('bob', true));
    const eve = await openClient(context, gateway, 'http', named('ada', true));
    assert.match(await count(ada), /"1"/);
    assert.match(await count(bob), /"1"/);
    assert.match(await count(eve), /"2"/, 'clients in one folder share it');
    assert.match(shown(await ada.call('fixture__roots')), /ada/);
    assert.match(shown(await bob.call('fixture__roots')), /bob/);
  },
);

test(
  'promise 71: a question of unknown origin reaches nobody, and then each client is alone',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const ada = new StreamClient(gateway, named('ada'));
    const bob = new StreamClient(gateway, named('bob'));
    for (const client of [ada, bob]) {
      context.after(() => client.close());
      await client.begin();
    }
    const { id } = bob.start('tools/call', { name: 'fixture__hang', arguments: {} });
    await count(bob);
    assert.match(shown(await ada.call('fixture__ask', ASK)), /does not say whose/);
    bob.cancel(id);
    const both = await Promise.all([ada, bob].map((client) => client.call('fixture__ask', ASK)));
    assert.match(shown(both[0] ?? {}), /ada/);
    assert.match(shown(both[1] ?? {}), /bob/);
  },
);

test(
  'promise 71: questions over HTTP without sessions reach the one who called',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const clients = await Promise.all(
      ['ada', 'bob', 'eve'].map((name) =>
        openClient(context, gateway, 'http', { ...named(name), era: 'modern' }),
      ),
    );
    const answers = await Promise.all(
      clients.map((client) =>
        client.complete('tools/call', { name: 'fixture__ask', arguments: ASK }),
      ),
    );
    assert.match(shown(answers[0] ?? {}), /ada/);
    assert.match(shown(answers[1] ?? {}), /bob/);
    assert.match(shown(answers[2] ?? {}), /eve/);
  },
);

/** A gateway whose one server starts for each client, and a client. */
async function perSession(context: TestContext) {
  const entry = await fixtureEntry(context, 'legacy');
  assert.ok(entry.kind === 'stdio');
  const own = { ...entry, lifecycle: { perSession: true } };
  const gateway = openGateway(context, { fixture: own }, EAGER);
  const ada = await openClient(context, gateway, 'http', named('ada'));
  return { own, gateway, ada };
}

test(
  'promise 71: perSession gives each client a process, which ends with it',
  limited,
  async (context) => {
    const { gateway, ada } = await perSession(context);
    const bob = await openClient(context, gateway, 'http', named('bob'));
    for (const client of [ada, bob]) assert.match(await count(client), /"1"/);
    assert.match(await count(ada), /"2"/);
    await ada.close();
    const next = await openClient(context, gateway, 'http', named('ada'));
    assert.match(await count(next), /"1"/);
  },
);

test('a server with as many connections as it may have takes none from others', async (context) => {
  const lifecycle = { perSession: true };
  const entry = { kind: 'stdio', command: 'none', args: [], env: new Map(), secrets: [] } as const;
  const names = ['busy', 'quiet'];
  const servers = new Map(names.map((name) => [name, { ...entry, lifecycle }]));
  const ignore = (): void => {};
  const upstreams = new Upstreams(
    { servers, settings: undefined },
    {
      ...{ onEvent: ignore, onReady: ignore, onNotice: ignore },
      ...{ onShared: ignore, onJoined: ignore, onEnded: ignore, log: ignore, starts: 'none' },
    },
  );
  context.after(() => upstreams.close());
  const callers = Array.from({ length: 257 }, () => {
    const client = new Client({} as ClientHost, { send: ignore });
    return { client, capabilities: {}, signal: client.gone };
  });
  const use = async (server: string, at: number): Promise<void> => {
    const caller = callers[at] ?? assert.fail();
    await upstreams.using(await upstreams.sharedFor(caller), server, caller, async () => {});
  };
  for (let at = 0; at < 256; at++) await use('busy', at);
  await assert.rejects(use('busy', 256), /too many connections to the MCP server busy/);
  await use('quiet', 256);
});

test(
  'a server for each client that is removed and comes back is there for the same clients',
  limited,
  async (context) => {
    const { own, gateway, ada } = await perSession(context);
    assert.match(await count(ada), /"1"/);
    await gateway.update({ servers: new Map(), settings: undefined });
    assert.match(await count(ada), /Unknown tool/);
    await gateway.update({ servers: new Map([['fixture', own]]), settings: undefined });
    assert.match(await count(ada), /"1"/);
  },
);

test(
  'promise 71: a log that may be of several clients goes to the log of the gateway',
  limited,
  async (context) => {
    const logged: string[] = [];
    const entry = await fixtureEntry(context, 'legacy');
    const log = (text: string): number => logged.push(text);
    const gateway = openGateway(context, { fixture: entry }, { ...EAGER, log });
    const ada = new StreamClient(gateway, named('ada'));
    const bob = new StreamClient(gateway, named('bob'));
    for (const client of [ada, bob]) {
      context.after(() => client.close());
      await client.begin();
    }
    const { id } = bob.start('tools/call', { name: 'fixture__hang', arguments: {} });
    await count(bob);
    await ada.call('fixture__log');
    bob.cancel(id);
    assert.deepEqual([...ada.notices, ...bob.notices], []);
    assert.ok(logged.some((text) => text.includes('warning')));
  },
);

test(
  'promise 71: over HTTP a question belongs to the call on whose stream it came',
  limited,
  async (context) => {
    const fixture = await fixtureEntry(context, 'legacy', 'http');
    const gateway = openGateway(context, { fixture }, EAGER);
    const clients = await Promise.all(
      ['ada', 'bob'].map((name) => openClient(context, gateway, 'http', named(name))),
    );
    await Promise.all(clients.map(count));
    const [one, other] = await Promise.all(
      clients.map((client) => client.call('fixture__ask', ASK)),
    );
    assert.match(shown(one ?? {}), /ada/);
    assert.match(shown(other ?? {}), /bob/);
    assert.match(await count(clients[0] ?? assert.fail()), /"3"/, 'they share the session');
  },
);

test(
  'a server sends the log messages that one of its clients wants, and each gets its own',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const ada = await openClient(context, gateway, 'http', named('ada'));
    const bob = await openClient(context, gateway, 'http', named('bob'));
    // The server has not started when the first one says it.
    await ada.request('logging/setLevel', { level: 'debug' });
    await bob.request('logging/setLevel', { level: 'error' });
    await count(ada);
    assert.match(shown(await ada.call('fixture__level')), /debug/);
    await ada.call('fixture__log');
    await bob.call('fixture__log');
    assert.equal(ada.notices.length, 2);
    assert.deepEqual(bob.notices, []);
  },
);

test(
  'promise 71: what the server of one class tells reaches no subscription of another class',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const updated = 'notifications/resources/updated';
    const notifications = { resourceSubscriptions: ['fixture://page/1'] };
    const [ada, bob] = await Promise.all(
      [{}, { sampling: {} }].map(async (capabilities) => {
        const client = await openClient(context, gateway, 'http', { era: 'modern', capabilities });
        await count(client);
        client.start('subscriptions/listen', { notifications });
        await client.notice('notifications/subscriptions/acknowledged');
        return client;
      }),
    );
    assert.ok(ada && bob);
    await ada.call('fixture__touch');
    await ada.notice(updated);
    await bob.call('fixture__touch');
    await bob.notice(updated);
    await Promise.all([count(ada), count(bob)]);
    for (const { notices } of [ada, bob])
      assert.equal(notices.filter(({ method }) => method === updated).length, 1);
  },
);

test('promise 71: what clients add to their capabilities makes no further classes', () => {
  const given: JsonObject[] = [{}, { odd: 1 }, { form: 'text' }, { odd: { form: {} } }];
  const keys = given.map(
    (elicitation) => classOf({ capabilities: { elicitation, odd: {} } }, undefined).key,
  );
  assert.equal(new Set(keys).size, 1);
  const { capabilities } = classOf(
    { capabilities: { elicitation: { form: { odd: 1 }, url: {} }, sampling: { tools: {} } } },
    undefined,
  );
  assert.deepEqual(capabilities, { elicitation: { form: {}, url: {} }, sampling: { tools: {} } });
});

test('a client that wants few log messages takes none from another', limited, async (context) => {
  const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
  const ada = await openClient(context, gateway, 'http', named('ada'));
  await count(ada);
  const level = async (): Promise<string> => shown(await ada.call('fixture__level'));
  await ada.request('logging/setLevel', { level: 'error' });
  assert.match(await level(), /error/);
  const bob = await openClient(context, gateway, 'http', named('bob'));
  await count(bob);
  while (!/debug/.test(await level()));
  await bob.request('logging/setLevel', { level: 'info' });
  assert.match(await level(), /info/);
  const { error } = await bob.request('logging/setLevel', { level: 'loud' });
  assert.equal(error?.code, -32602);
});
