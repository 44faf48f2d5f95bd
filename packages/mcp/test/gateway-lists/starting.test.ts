import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ServerEntry } from '../../src/index.ts';
import type { Json } from '../gateway/raw-server.test-support.ts';
import { fixtureEntry, openGateway, StreamClient } from '../gateway/scene.test-support.ts';

const limited = { timeout: 60_000 };

/** Longer than a list or a search waits. */
const LATE = 2500;

/** The fixture, which starts late. */
async function lateEntry(context: TestContext, time: number): Promise<ServerEntry> {
  const entry = await fixtureEntry(context, 'legacy');
  assert.ok(entry.kind === 'stdio');
  const started = `require('child_process').spawn(process.execPath, ${JSON.stringify(entry.args)}, { stdio: 'inherit' })`;
  return { ...entry, args: ['-e', `setTimeout(() => ${started}, ${time})`] };
}

async function open(context: TestContext, time: number): Promise<StreamClient> {
  const late = await lateEntry(context, time);
  const ok = await fixtureEntry(context, 'legacy');
  const client = new StreamClient(openGateway(context, { late, ok }), { era: 'legacy' });
  context.after(() => client.close());
  await client.begin();
  return client;
}

async function answerOf(client: StreamClient, name: string, args: Json): Promise<Json> {
  const { result } = await client.call(name, args);
  const [content] = (result?.content ?? []) as { text: string }[];
  return JSON.parse(content?.text ?? '{}');
}

for (const args of [{ name: 'late__given' }, { names: ['late__given', 'ok__given'] }])
  test(
    `tool_describe waits for a server that is starting: ${Object.keys(args)}`,
    limited,
    async (context) => {
      const client = await open(context, LATE);
      const { tools, not_found } = await answerOf(client, 'tool_describe', args);
      assert.deepEqual(not_found, []);
      assert.deepEqual(
        (tools as { name: string }[]).map(({ name }) => name),
        Object.values(args).flat(),
      );
    },
  );

test('a search names the servers that are still starting', limited, async (context) => {
  const client = await open(context, 3_600_000);
  const searches = [{ query: 'frobnicate' }, { queries: ['tally', 'frobnicate'] }];
  for (const args of searches) {
    const { not_searched, next } = await answerOf(client, 'tool_search', args);
    assert.deepEqual(not_searched, ['mcp:late']);
    assert.match(String(next), /still starting\. Search again/);
  }
  assert.equal((await answerOf(client, 'tool_search', {})).error, 'missing_query');
});

test('a search names no server that is known or has failed', limited, async (context) => {
  const fixture = await fixtureEntry(context, 'legacy');
  const broken = { kind: 'unusable', reason: 'it is broken', remedy: 'Mend it.' } as const;
  const client = new StreamClient(openGateway(context, { fixture, broken }), { era: 'legacy' });
  context.after(() => client.close());
  await client.begin();
  await client.call('fixture__count');
  const answer = await answerOf(client, 'tool_search', { query: 'count' });
  assert.equal(answer.not_searched, undefined);
  assert.equal(answer.next, undefined);
});
