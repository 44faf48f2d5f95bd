// test: slow
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerEntry } from '../../src/index.ts';
import { fixtureEntry, openClient, openGateway, StreamClient } from './scene.test-support.ts';

const limited = { timeout: 60_000 };

/** A server that never answers. */
const hung: ServerEntry = {
  ...{ kind: 'stdio', command: process.execPath, env: new Map(), secrets: [] },
  args: ['-e', 'process.stdin.resume()'],
};

/** Requests that one server answers, each as the first of its gateway. */
const requests: Readonly<Record<string, object>> = {
  'tools/call': { name: 'fixture__count' },
  'prompts/get': { name: 'fixture__part' },
  'resources/read': { uri: 'fixture://page/2' },
  'resources/subscribe': { uri: 'fixture://page/1' },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'fixture__greet' },
    argument: { name: 'who', value: 'o' },
  },
};

for (const [method, params] of Object.entries(requests))
  test(`the first ${method} waits for no server that hangs`, limited, async (context) => {
    const fixture = await fixtureEntry(context, 'legacy');
    const gateway = openGateway(context, { hung, fixture });
    const client = new StreamClient(gateway, { era: 'legacy' });
    await client.begin();
    // No time passes, so whatever waits for the other server waits for good.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { error, result } = await client.request(method, { ...params });
    assert.equal(error, undefined);
    assert.ok(result);
    context.mock.timers.reset();
    await client.close();
  });

test(
  'forty servers of which one hangs: calls of all others are answered',
  limited,
  async (context) => {
    const fixture = await fixtureEntry(context, 'legacy', 'http');
    const names = Array.from({ length: 39 }, (_, at) => `server${at}`);
    const servers = Object.fromEntries(names.map((name) => [name, fixture]));
    const gateway = openGateway(context, { hung, ...servers });
    const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
    const answers = await Promise.all(names.map((name) => client.call(`${name}__count`)));
    for (const answer of answers) assert.match(JSON.stringify(answer), /"1"/);
    const { result } = await client.request('tools/list');
    const text = JSON.stringify(result);
    for (const name of names) assert.match(text, new RegExp(`${name}__ \\(\\d+\\)`));
    const { result: others } = await client.request('prompts/list');
    assert.equal((others?.prompts as unknown[] | undefined)?.length, 3 * names.length);
  },
);

test('clients of a later class get a list with the servers, too', limited, async (context) => {
  const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') });
  const first = await openClient(context, gateway, 'http', { era: 'legacy' });
  await first.call('fixture__count');
  const { now } = performance;
  context.mock.method(performance, 'now', () => now.call(performance) + 60_000);
  const capabilities = { sampling: {} };
  const next = await openClient(context, gateway, 'http', { era: 'legacy', capabilities });
  const { result } = await next.request('tools/list');
  assert.match(JSON.stringify(result), /fixture__ \(\d+\)/);
});
