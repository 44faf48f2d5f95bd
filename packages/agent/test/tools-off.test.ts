import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { auditPrefix } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { createSession, memoryStore, openSession } from '../src/sessions.ts';
import { assertHeld, begin, collect } from './agent.test-support.ts';

const { call } = DISPATCH;
const groups = ['crm', 'mail', 'tracker'].map((name) =>
  fakeGroup({ groupId: `mcp:${name}`, count: 25 }),
);
const fold = { groups, strategy: 'auto' as const };

/** What the bodies hold of tools, and the catalog. */
function heldIn({ requests }: ModelServer, at = -1) {
  const request = requests.at(at) ?? assert.fail();
  const { tools } = countBody(request, estimateTokens);
  return { tools, catalog: /list_crm|mcp:mail/.test(systemOf(request.raw)) };
}
const systemOf = (raw: string) => {
  const body = JSON.parse(raw);
  const messages = (body.messages ?? body.input ?? []) as { role: string }[];
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  return JSON.stringify([body.system ?? '', body.instructions ?? '', system]);
};
const lastRequest = (events: readonly AgentEvent[]) =>
  events.findLast((event) => event.type === 'request') ?? assert.fail();

const broken = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'prefix-broken' ? [event.cause] : []));
const answers = () => ({ text: 'Ok.' });

describe('off means off', () => {
  for (const endpoint of ENDPOINTS) {
    test(`a short conversation goes on without any of it, and again with tools: ${endpoint.name}`, async () => {
      const name = groups[0]?.toolNames?.[0] ?? assert.fail();
      const first = [{ calls: [call(`crm__${name}`, {})] }, { text: 'One.' }];
      await using server = await startModelServer({
        script: [...first, ...[1, 2, 3, 4].map(answers)],
      });
      const { talk } = begin(server, { endpoint, fold });
      await collect(talk.send('Hello'));
      const on = heldIn(server);
      assert.ok(on.tools > 0 && on.catalog);
      talk.setTools(false);
      const events = await collect(talk.send('Without tools.'));
      assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
      const { inline, bridges, loaded, catalog } = lastRequest(events).tokens;
      assert.equal(inline + bridges + loaded + catalog, 0);
      assert.deepEqual(broken(events), ['tools are off and are left out']);
      assert.deepEqual(broken(await collect(talk.send('More.'))), []);
      assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
      talk.setTools(true);
      const again = await collect(talk.send('With tools.'));
      assert.deepEqual(heldIn(server), on);
      assert.deepEqual(broken(again), ['tools are on again']);
      assert.deepEqual(broken(await collect(talk.send('More.'))), []);
    });

    test(`a long one keeps what is frozen, and counts it: ${endpoint.name}`, async () => {
      const long = 'word '.repeat(3_000);
      await using server = await startModelServer({ script: answers });
      const { talk } = begin(server, { endpoint, fold });
      await collect(talk.send(long));
      const on = heldIn(server);
      talk.setTools(false);
      const events = await collect(talk.send('Without tools.'));
      assert.deepEqual([heldIn(server), broken(events)], [on, []]);
      const { inline, bridges } = lastRequest(events).tokens;
      assert.equal(inline + bridges, on.tools);
      talk.setTools(true);
      assert.deepEqual(broken(await collect(talk.send('With tools.'))), []);
      assertHeld(server);
    });
  }

  test('a role or strategy changed while they are off sends nothing of them', async () => {
    const long = 'word '.repeat(3_000);
    await using server = await startModelServer({ script: answers });
    const { talk } = begin(server, {
      fold: { ...fold, roles: { clerk: { tools: ['mcp:mail'] } } },
    });
    await collect(talk.send(long));
    talk.setTools(false);
    await collect(talk.send('Off.'));
    assert.ok(heldIn(server).tools > 0);
    talk.configure({ role: 'clerk' });
    await collect(talk.send('As a clerk.'));
    assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
    talk.configure({ role: null });
    await collect(talk.send('As anybody.'));
    assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
    talk.setTools(true);
    await collect(talk.send('On.'));
    assert.ok(heldIn(server).tools > 0);
  });

  test('a compaction while they are off leaves them out', async () => {
    const long = 'word '.repeat(3_000);
    await using server = await startModelServer({ script: answers });
    const { talk } = begin(server, { fold });
    await collect(talk.send(long));
    talk.setTools(false);
    await collect(talk.send('Off.'));
    await collect(talk.compact());
    await collect(talk.send('Go on.'));
    assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
  });

  test('another process goes on in the same way', async () => {
    const store = memoryStore();
    const session = await createSession(store, {});
    await using server = await startModelServer({ script: answers });
    const { talk } = begin(server, { fold, agent: { session } });
    await collect(talk.send('Hello'));
    talk.setTools(false);
    await collect(talk.send('Off.'));
    const { talk: later } = begin(server, {
      fold,
      agent: { session: await openSession(store, session.id) },
    });
    assert.deepEqual(broken(await collect(later.send('Still off.'))), []);
    assert.deepEqual(heldIn(server), { tools: 0, catalog: false });
    assert.deepEqual(auditPrefix(server.requests.slice(1)).held, true);
  });
});
