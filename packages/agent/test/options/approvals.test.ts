import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { ended } from '../agent.test-support.ts';
import { agentIn, type Done, effectGroup } from '../log/session-talk.test-support.ts';

/** Ends a turn that hangs. Far longer than any of these turns takes. */
const LIMIT = 20_000;

const ASKING = {
  mode: 'always',
  ask: () => new Promise<never>(() => {}),
} as const;

async function post(store: SessionStore, approvalId: string, approved: boolean): Promise<void> {
  const body = { [approvalId]: { approved } };
  await store.post('s', { id: `to ${approvalId}`, kind: 'answer', body });
}

describe('answers of another process', () => {
  const [A, B] = [0, 1];
  const ORDERS = {
    'in order, at once': [[A], [B]],
    'in reverse order, at once': [[B], [A]],
    'the second, and the first when that has arrived': [[B], 'taken', [A]],
    'the second when the first has been decided': [[A], 'decided', [B]],
  } as const;
  for (const [name, order] of Object.entries(ORDERS)) {
    test(`reach two open approvals: ${name}`, async () => {
      const done: Done = [];
      const calls = [1, 2].map((n) => DISPATCH.call('work__send', { n }));
      await using server = await startModelServer({ script: [{ calls }, { text: 'Ok.' }] });
      const store = memoryStore();
      const fold = { strategy: 'dispatch', groups: [effectGroup(done)], tools: {} } as const;
      const agent = await agentIn(store, server, {
        fold: fold as never,
        agent: { approvals: ASKING },
      });
      const taken = Promise.withResolvers<void>();
      const look = store.look;
      store.look = async (lease) => {
        const looked = await look(lease);
        // Resolved after the session has handed the messages on.
        if (looked.messages.length > 0) setImmediate(taken.resolve);
        return looked;
      };
      const decided = Promise.withResolvers<void>();
      const asked: string[] = [];
      const events: AgentEvent[] = [];
      const tell = async () => {
        for (const one of order) {
          if (one === 'taken') await taken.promise;
          else if (one === 'decided') await decided.promise;
          else for (const which of one) await post(store, asked[which] ?? '', which === A);
        }
      };
      let told: Promise<void> | undefined;
      for await (const event of agent.send('Go.', { signal: AbortSignal.timeout(LIMIT) })) {
        events.push(event);
        if (event.type === 'decision') decided.resolve();
        if (event.type === 'approval') asked.push(event.approvalId);
        if (asked.length === 2) told ??= tell();
      }
      await told;
      assert.equal(ended(events).reason, 'done');
      const decisions = events.flatMap((event) =>
        event.type === 'decision' ? [[event.approvalId, event.approved]] : [],
      );
      assert.deepEqual(decisions, [
        [asked[0], true],
        [asked[1], false],
      ]);
      assert.deepEqual(done, ['send:1']);
    });
  }

  test('reach the approval of a subagent', async () => {
    const done: Done = [];
    const { tools, ...subagents } = createSubagents();
    const order = { tasks: [{ id: 'a', task: 'Send it.' }] };
    await using server = await startModelServer({
      script: ({ raw }) => {
        if (raw.includes('send:') || raw.includes('"n":1')) return { text: 'Sent.' };
        return raw.includes('Go.')
          ? raw.includes('Sent.')
            ? { text: 'Ok.' }
            : { calls: [DISPATCH.call('subagents', order)] }
          : { calls: [DISPATCH.call('work__send', { n: 1 })] };
      },
    });
    const store = memoryStore();
    const agent = await agentIn(store, server, {
      fold: { strategy: 'dispatch', groups: [effectGroup(done)], tools: tools as never },
      agent: { approvals: { ...ASKING, mode: 'annotations' }, subagents: { tools, ...subagents } },
    });
    const events: AgentEvent[] = [];
    for await (const event of agent.send('Go.', { signal: AbortSignal.timeout(LIMIT) })) {
      events.push(event);
      if (event.type === 'subagent' && event.event.type === 'approval')
        await post(store, event.event.approvalId, true);
    }
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(done, ['send:1']);
  });
});
