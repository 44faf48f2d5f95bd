import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createServerPool } from '@toolfold/mcp/internal/pool/pool.ts';
import { WebServer } from '@toolfold/mcp/test/chaos/web-server.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { collect } from '../agent.test-support.ts';

test('a definition that changed while the user was asked does not run, and the user is asked again', {
  timeout: 30_000,
}, async (context) => {
  const web = await WebServer.begin(context);
  web.tools = [{ name: 'pay', description: 'Pays one.', inputSchema: { type: 'object' } }];
  await using pool = await createServerPool(
    { servers: new Map([['shop', web.entry()]]), settings: undefined },
    { manifests: false },
  );
  await pool.ready();
  const calls = [{ name: 'shop__pay', arguments: {} }];
  const script = [{ calls }, { calls }, { text: 'Paid.' }];
  await using server = await startModelServer({ script });
  const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
  const agent = createAgent({
    model: provider('claude-opus-5-5'),
    groups: pool,
    strategy: 'eager',
    approvals: { mode: 'always' },
  });
  let passed = 0;
  const now = performance.now.bind(performance);
  context.mock.method(performance, 'now', () => now() + passed);

  await collect(agent.send('Pay.'));
  const [first] = agent.pending;
  // The server changes the tool without a notice, and the user takes more than a minute.
  web.tools = [{ name: 'pay', description: 'Pays all.', inputSchema: { type: 'object' } }];
  passed = 61_000;
  // `session`: the answer holds for later calls of this definition.
  const answer = { approved: true, scope: 'session' } as const;
  const events = await collect(agent.answer({ [first?.approvalId ?? '']: answer }));
  assert.equal(web.count('tools/call'), 0);
  const [refused] = events.filter((event) => event.type === 'result' || event.type === 'failure');
  assert.match(JSON.stringify(refused), /is no longer the one that was listed\. It was not called/);

  const [second, ...others] = agent.pending;
  assert.ok(second !== undefined && others.length === 0, 'the user is asked again');
  await collect(agent.answer({ [second.approvalId]: answer }));
  assert.equal(web.count('tools/call'), 1);
});
