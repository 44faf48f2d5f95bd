import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawClient } from '../../test/gateway/raw-client.test-support.ts';
import { fixtureEntry, openClient, openGateway } from '../../test/gateway/scene.test-support.ts';
import type { ServerConnection } from '../index.ts';
import { Subscriptions } from './subscriptions.ts';

const limited = { timeout: 60_000 };

const PAGE = 'fixture://page/1';
const UPDATED = 'notifications/resources/updated';
const EAGER = { mode: 'eager' } as const;

/** What the server believes somebody wants to hear of. */
async function followed(client: RawClient): Promise<string> {
  const { result } = await client.call('fixture__followed');
  return JSON.stringify(result?.content);
}

/** Waits until the server has been told that nobody wants to hear of anything. */
async function nothingFollowed(client: RawClient): Promise<void> {
  while (/page/.test(await followed(client)));
}

test(
  'a resource is followed until the last client has left or ended it',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const open = (way: 'stdio' | 'http') => openClient(context, gateway, way, { era: 'legacy' });
    const [ada, bob, eve] = await Promise.all([open('http'), open('stdio'), open('http')]);
    for (const client of [ada, bob]) await client.request('resources/subscribe', { uri: PAGE });
    assert.deepEqual(await ada.request('resources/unsubscribe', { uri: PAGE }), { result: {} });
    assert.match(await followed(eve), /page/, 'another client follows it');
    await eve.call('fixture__touch');
    await bob.notice(UPDATED);
    assert.deepEqual(ada.notices, []);
    await bob.close();
    await nothingFollowed(eve);
  },
);

test('a subscription of 2026-07-28 that ends is ended on its server', limited, async (context) => {
  const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
  const client = await openClient(context, gateway, 'http', { era: 'modern' });
  const notifications = { resourceSubscriptions: [PAGE] };
  const { id } = client.start('subscriptions/listen', { notifications });
  await client.notice('notifications/subscriptions/acknowledged');
  assert.match(await followed(client), /page/);
  client.cancel(id);
  await nothingFollowed(client);
});

for (const era of ['legacy', 'modern'] as const)
  test(`${era}: what clients follow is followed on a changed server`, limited, async (context) => {
    const entry = await fixtureEntry(context, era);
    assert.ok(entry.kind === 'stdio');
    const gateway = openGateway(context, { fixture: entry }, EAGER);
    const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
    await client.request('resources/subscribe', { uri: PAGE });
    const fixture = { ...entry, env: new Map([['CHANGED', '1']]) };
    await gateway.update({ servers: new Map([['fixture', fixture]]), settings: undefined });
    let isTold = false;
    const told = client.notice(UPDATED).then(() => {
      isTold = true;
    });
    while (!isTold) await client.call('fixture__touch');
    await told;
    await client.close();
  });

test('a server that starts again is told what clients follow', limited, async (context) => {
  const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
  const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
  await client.request('resources/subscribe', { uri: PAGE });
  await client.call('fixture__crash');
  while (!/page/.test(await followed(client)));
  await client.call('fixture__touch');
  await client.notice(UPDATED);
});

test('a client that left while the server started follows nothing', async () => {
  const asked: string[] = [];
  const gone = new AbortController();
  const connection = {
    state: { kind: 'connecting' },
    start: async () => gone.abort(),
    request: async (method: string) => asked.push(method),
  } as unknown as ServerConnection;
  const subscriptions = new Subscriptions();
  const client = {};
  await assert.rejects(subscriptions.follow(connection, 'fixture://page', client, gone.signal));
  assert.deepEqual(asked, []);
  subscriptions.renew(connection);
  assert.deepEqual(asked, []);
});

test('a subscription takes no slot of the calls', limited, async (context) => {
  const entry = await fixtureEntry(context, 'modern');
  assert.ok(entry.kind === 'stdio');
  const fixture = { ...entry, lifecycle: { maxCalls: 1 } };
  const gateway = openGateway(context, { fixture }, EAGER);
  const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
  await client.request('resources/subscribe', { uri: PAGE });
  const { result } = await client.call('fixture__count');
  assert.ok(result);
});
