import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { Agent, AgentOptions } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { collect, ended } from '../agent.test-support.ts';
import { dying, free } from '../log/dying-store.test-support.ts';
import { agentIn, type Done, effectGroup } from '../log/session-talk.test-support.ts';

const limited = { timeout: 60_000 };
const CALL: Reply = { calls: [{ ...DISPATCH.call('work__send', { n: 1 }), id: 'e' }] };

/** An agent of this store that cannot ask its user. */
function silent(
  store: SessionStore,
  server: ModelServer,
  done: Done = [],
  agent: Partial<AgentOptions> = { approvals: {} },
): Promise<Agent> {
  return agentIn(store, server, {
    fold: { strategy: 'dispatch', groups: [effectGroup(done)] },
    agent,
  });
}

/** A store whose functions of this name never resolve, once they hang. */
function hanging(store: SessionStore, name: 'acquire' | 'get' | 'look' | 'release' | 'append') {
  const reached = Promise.withResolvers<void>();
  const state = { hangs: false, reached: reached.promise };
  const work = store[name] as (...given: unknown[]) => Promise<unknown>;
  const mayHang = (...given: unknown[]) => {
    if (!state.hangs) return work(...given);
    reached.resolve();
    return new Promise<never>(() => {});
  };
  return { store: { ...store, [name]: mayHang } as SessionStore, state };
}

describe('promise 58: a message that was posted while nobody held the session', () => {
  for (const approved of [true, false])
    test(`an answer is taken by who resumes, approved: ${approved}`, limited, async () => {
      await using server = await startModelServer({ script: [CALL, { text: 'Ok.' }] });
      const [store, done] = [memoryStore(), [] as Done];
      const first = await silent(store, server, done);
      assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
      const [asked] = first.pending;
      assert.ok(asked);
      const other = await silent(store, server, done);
      await assert.rejects(collect(other.resume()), { code: 'invalid-option' });
      await store.post('s', inboxMessage('answer', { [asked.approvalId]: { approved } }));
      const { reason, text } = ended(await collect(other.resume()));
      assert.deepEqual([reason, text, done], ['done', 'Ok.', approved ? ['send:1'] : []]);
    });

  for (const posted of [true, false])
    test(`an answer before that of the host counts, approved: ${posted}`, limited, async () => {
      await using server = await startModelServer({ script: [CALL, { text: 'Ok.' }] });
      const [store, done] = [memoryStore(), [] as Done];
      const first = await silent(store, server, done);
      assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
      const { approvalId } = first.pending[0] ?? assert.fail();
      await store.post('s', inboxMessage('answer', { [approvalId]: { approved: posted } }));
      const events = await collect(first.answer({ [approvalId]: { approved: !posted } }));
      assert.deepEqual([ended(events).reason, done], ['done', posted ? ['send:1'] : []]);
    });

  test('one of two answers goes on to the other question, and runs nothing', limited, async () => {
    const calls = [1, 2].map((n) => ({ ...DISPATCH.call('work__send', { n }), id: `e${n}` }));
    await using server = await startModelServer({ script: [{ calls }, { text: 'Ok.' }] });
    const [store, done] = [memoryStore(), [] as Done];
    const first = await silent(store, server, done);
    assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
    const ids = first.pending.map(({ approvalId }) => approvalId);
    for (const [index, id] of ids.entries()) {
      await store.post('s', inboxMessage('answer', { [id]: { approved: true } }));
      const agent = await silent(store, server, done);
      const { reason } = ended(await collect(agent.resume()));
      assert.deepEqual([index, reason], [index, index === 0 ? 'approval' : 'done']);
      assert.equal(done.length, index === 0 ? 0 : 2);
    }
  });

  test('a cancel of a turn that had ended ends no later one', limited, async () => {
    const script: Reply[] = [
      { text: 'One.' },
      { text: 'Two.' },
      { error: { status: 400, body: 'No.' } },
    ];
    await using server = await startModelServer({ script: [...script, { text: 'Three.' }] });
    const store = memoryStore();
    const agent = await silent(store, server);
    await collect(agent.send('a'));
    await store.post('s', inboxMessage('cancel', {}));
    assert.equal(ended(await collect(agent.send('b'))).text, 'Two.');
    assert.equal(ended(await collect(agent.send('c'))).reason, 'error');
    await store.post('s', inboxMessage('cancel', {}));
    const other = await silent(store, server);
    assert.equal(ended(await collect(other.resume())).text, 'Three.');
  });

  test('a cancel of a turn that waits for its user ends it', limited, async () => {
    await using server = await startModelServer({ script: [CALL, { text: 'Ok.' }] });
    const [store, done] = [memoryStore(), [] as Done];
    await collect((await silent(store, server, done)).send('Go.'));
    await store.post('s', inboxMessage('cancel', {}));
    const agent = await silent(store, server, done);
    assert.equal(ended(await collect(agent.resume())).reason, 'cancelled');
    assert.equal(ended(await collect(agent.send('More.'))).text, 'Ok.');
    assert.deepEqual(done, []);
  });

  test(
    'a cancel of a turn whose process was killed ends it, and not the next one',
    limited,
    async () => {
      await using server = await startModelServer({ script: [CALL, { text: 'Ok.' }] });
      const [store, done] = [memoryStore(), [] as Done];
      const auto = { approvals: { mode: 'never' as const } };
      let isOver = false;
      const mortal = dying(store, () => isOver);
      const { append } = mortal;
      mortal.append = (entries, options) => {
        isOver ||= entries.some(({ kind }) => kind === 'start');
        return append(entries, options);
      };
      void collect((await silent(mortal, server, done, auto)).send('Go.'));
      await mortal.dead;
      await free(store);
      await store.post('s', inboxMessage('cancel', {}));
      const agent = await silent(store, server, done, auto);
      assert.equal(ended(await collect(agent.resume())).reason, 'cancelled');
      assert.equal(ended(await collect(agent.send('More.'))).text, 'Ok.');
      assert.deepEqual(done, []);
    },
  );
});

describe('a store whose call hangs does not hold a cancelled turn', () => {
  for (const name of ['acquire', 'get', 'look'] as const)
    test(`its first one: ${name}`, limited, async () => {
      await using server = await startModelServer({ script: [{ text: 'One.' }] });
      const { store, state } = hanging(memoryStore(), name);
      const agent = await silent(store, server);
      await collect(agent.send('a'));
      state.hangs = true;
      const stop = new AbortController();
      const events = collect(agent.send('b', { signal: stop.signal }));
      await state.reached;
      stop.abort();
      assert.equal(ended(await events).reason, 'cancelled');
      assert.equal(server.requests.length, 1);
    });

  for (const name of ['release', 'append'] as const)
    test(`its last one: ${name}`, limited, async () => {
      const said = Promise.withResolvers<void>();
      await using server = await startModelServer({
        script: [{ text: 'One.' }, { text: 'Two.', hold: said.promise }],
      });
      const { store, state } = hanging(memoryStore(), name);
      const agent = await silent(store, server);
      await collect(agent.send('a'));
      const stop = new AbortController();
      const events = collect(agent.send('b', { signal: stop.signal }));
      while (server.requests.length < 2) await new Promise(setImmediate);
      state.hangs = true;
      stop.abort();
      assert.equal(ended(await events).reason, 'cancelled');
      said.resolve();
    });
});
