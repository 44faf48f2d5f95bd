import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { home } from '../../cli/process.test-support.ts';
import { createServerPool } from '../../mcp/index.ts';
import { createSession, memoryStore, type Session } from '../../sessions/index.ts';
import { startModelServer } from '../../testing/index.ts';
import type { AgentFlags } from '../agents/flags/index.ts';
import { type AgentSetUp, Keys, readSetUp } from '../agents/index.ts';
import { AgentMaker, Talk, TurnSettings } from './index.ts';

const ROLES = { slow: { model: 'local/slow' }, fast: { model: 'local/fast' } };

async function setUpOf(context: TestContext, flags: AgentFlags): Promise<AgentSetUp> {
  const config = join(await home(context), 'toolfold.json');
  await writeFile(config, JSON.stringify({ mcpServers: {}, toolfold: { roles: ROLES } }));
  return readSetUp({ ...flags, config }, () => {});
}

test('the model follows the role until the user chooses one', async (context) => {
  await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
  const flags = { role: 'slow', baseUrl: server.baseUrl('openai-chat') };
  const set = await setUpOf(context, flags);
  const pool = await createServerPool({ servers: new Map(), settings: {} });
  context.after(() => pool.close());
  const settings = new TurnSettings(set, flags, flags);
  const agents = new AgentMaker({
    ...{ set, flags, pool, settings, keys: new Keys({}) },
    ask: undefined,
    onAlways: () => {},
  });
  const store = memoryStore();
  const talk = new Talk({ store, folder: '/work', agents });
  const say = () =>
    talk.alone(async (signal) => {
      const agent = await talk.ready('Hello');
      for await (const _ of talk.events(agent.send('Hello', { signal })));
    });
  await say();
  await agents.choose({ role: 'fast' }, talk.agent);
  await say();
  await agents.choose({ model: 'local/own' }, talk.agent);
  await agents.choose({ role: 'slow' }, talk.agent);
  await say();
  const asked = server.requests.map(({ body }) => body.model);
  assert.deepEqual(asked, ['slow', 'fast', 'own']);
  await assert.rejects(agents.choose({ role: 'nobody' }, talk.agent), { code: 'unknown-role' });
  assert.equal(settings.role, 'slow');
});

test('no session is left where no agent can be created', async () => {
  const store = memoryStore();
  const agents = {
    prepare: async () => () => assert.fail('no agent'),
    apply: async () => {},
    events: <T>(turn: T) => turn,
  };
  const created = new Talk({ store, folder: '/work', agents });
  await assert.rejects(created.ready('Hello'), /no agent/);
  assert.deepEqual([created.session, await store.list()], [undefined, []]);
  // A session that was there before stays.
  const { id } = await createSession(store, { folder: '/work' });
  const known = new Talk({ store, folder: '/work', agents, id });
  await assert.rejects(known.ready('Hello'), /no agent/);
  assert.deepEqual(
    (await store.list()).map((record) => record.id),
    [id],
  );
});

test('a session keeps its choices: flags go before or behind them', async (context) => {
  const flags = { role: 'fast', strategy: 'eager' } as const;
  const set = await setUpOf(context, flags);
  const body = { role: 'slow', model: 'local/other', strategy: 'dispatch' };
  const entries = [
    { kind: 'settings', body },
    { kind: 'tools', body: { on: false } },
  ] as unknown as Session['entries'];
  const chosen = (overriding: AgentFlags) => {
    const settings = new TurnSettings(set, flags, overriding);
    settings.choose({ routing: 'off', areToolsOn: true });
    // A new session keeps what was chosen.
    settings.follow([]);
    assert.equal(settings.routing, 'off');
    settings.follow(entries);
    const { role, model, strategy, routing, areToolsOn } = settings;
    return { role, model, strategy, routing, areToolsOn };
  };
  const kept = { ...body, routing: undefined, areToolsOn: false };
  assert.deepEqual(chosen({}), kept);
  assert.deepEqual(chosen(flags), { ...kept, role: 'fast', strategy: 'eager' });
});
