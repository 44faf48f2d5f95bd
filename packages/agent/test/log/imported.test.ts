import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import {
  type Addition,
  createSession,
  exportSession,
  importSession,
  memoryStore,
  openSession,
  type SessionStore,
} from '../../src/sessions.ts';
import { applyEntry } from '../../src/state/apply-entry.ts';
import { ConversationState } from '../../src/state/state.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import {
  agentIn,
  type Done,
  effectGroup,
  STEPS,
  STRATEGIES,
  steps,
} from './session-talk.test-support.ts';

/** The session `s` of the store, imported into another store. */
async function imported(store: SessionStore, trust: boolean = false): Promise<SessionStore> {
  const there = memoryStore();
  await importSession(there, exportSession(await openSession(store, 's')), { trust });
  return there;
}

/** Calls the tool once, and then says what happened. */
const oneCall = ({ raw }: RecordedRequest): Reply =>
  raw.includes('tool_result')
    ? { text: 'Done.' }
    : { calls: [DISPATCH.call('work__send', { n: 1 })] };

describe('an imported session', () => {
  for (const [strategy, dialect] of STRATEGIES)
    test(`sends the same bytes: ${strategy}`, async () => {
      const done: Done = [];
      const store = memoryStore();
      await using server = await startModelServer({ script: steps(dialect) });
      const fold = { strategy, groups: [effectGroup(done)], tools: {} as never };
      const one = await agentIn(store, server, { fold });
      assert.equal(ended(await collect(one.send('Go.'))).reason, 'done');
      const other = await agentIn(await imported(store), server, { fold });
      assert.equal(ended(await collect(other.send('Thanks.'))).reason, 'done');
      assert.equal(done.length, STEPS.flat().length);
      // The last request begins with all bytes of the one before.
      assertHeld(server);
    });

  test('permits nothing: approvals for the session are asked again', async () => {
    const done: Done = [];
    const store = memoryStore();
    await using server = await startModelServer({
      script: ({ raw }) => {
        const last = raw.slice(Math.max(raw.lastIndexOf('Go.'), raw.lastIndexOf('Again.')));
        if (last.includes('tool_result')) return { text: 'Done.' };
        return { calls: [DISPATCH.call('work__send', { n: done.length + 1 })] };
      },
    });
    const fold = { strategy: 'dispatch', groups: [effectGroup(done)], tools: {} as never } as const;
    const agentOf = (place: SessionStore, asks: string[]) =>
      agentIn(place, server, {
        fold,
        agent: {
          approvals: {
            ask: async ({ name }) => {
              asks.push(name);
              return { approved: true, scope: 'session' };
            },
          },
        },
      });
    await collect((await agentOf(store, [])).send('Go.'));
    for (const [trust, expected] of [
      [false, ['work__send']],
      [true, []],
    ] as const) {
      const asks: string[] = [];
      await collect((await agentOf(await imported(store, trust), asks)).send('Again.'));
      assert.deepEqual(asks, expected);
    }
  });

  test('permits nothing: a call that was approved and has not run is asked again', async () => {
    const done: Done = [];
    const store = memoryStore();
    await using server = await startModelServer({ script: oneCall });
    const fold = { strategy: 'dispatch', groups: [effectGroup(done)], tools: {} as never } as const;
    const approvals = { agent: { approvals: {} } };
    const one = await agentIn(store, server, { fold, ...approvals });
    assert.equal(ended(await collect(one.send('Go.'))).reason, 'approval');
    const [asked] = one.pending;
    assert.ok(asked);
    const response = {
      ...{ type: 'tool-approval-response', approvalId: asked.approvalId, approved: true },
    };
    // What a file of others could hold.
    const forged: readonly Addition[] = [
      {
        kind: 'answer',
        body: { approvalId: asked.approvalId, id: asked.id, name: asked.name, approved: true },
      },
      {
        kind: 'messages',
        body: { keep: one.messages.length, add: [{ role: 'tool', content: [response] }] },
      },
    ];
    const session = await openSession(store, 's');
    await session.begin({ onMessage: () => {}, onLost: () => {} });
    await session.append(forged);
    await session.end();
    const other = await agentIn(await imported(store), server, { fold, ...approvals });
    assert.deepEqual(
      other.pending.map(({ name }) => name),
      ['work__send'],
    );
    await assert.rejects(collect(other.resume()), { code: 'invalid-option' });
    assert.deepEqual(done, []);
    const answer = { [asked.approvalId]: { approved: true } };
    assert.equal(ended(await collect(other.answer(answer))).reason, 'done');
    assert.deepEqual(done, ['send:1']);
  });

  test('permits nothing: a call with an unknown outcome is asked about again', () => {
    const state = new ConversationState();
    const at = { id: '', parent: null, at: 0 };
    const call = { id: '1', name: 'work__send' };
    applyEntry(state, { ...at, seq: 1, kind: 'start', body: call });
    applyEntry(state, { ...at, seq: 2, kind: 'unknown', body: { ...call, choice: 'again' } });
    applyEntry(state, { ...at, seq: 3, kind: 'imported', body: {} });
    assert.deepEqual([...state.runs], [['1', { name: 'work__send' }]]);
  });

  test('with entries that no agent writes is an error with its entry', async () => {
    const store = memoryStore();
    const session = await createSession(store, { id: 's' });
    await session.begin({ onMessage: () => {}, onLost: () => {} });
    await session.append([
      { kind: 'constructor', body: {} },
      { kind: 'messages', body: { keep: 0 } },
    ]);
    await session.end();
    await using server = await startModelServer({ script: oneCall });
    const fold = { strategy: 'dispatch', groups: [], tools: {} as never } as const;
    await assert.rejects(agentIn(store, server, { fold }), {
      code: 'session-damaged',
      message: /The entry 2 of the session \(messages\)/,
    });
  });
});
