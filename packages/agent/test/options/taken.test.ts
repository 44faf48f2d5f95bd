import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { AgentOptions } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { collect, ended } from '../agent.test-support.ts';
import { dying, free } from '../log/dying-store.test-support.ts';
import { agentIn, type Done, effectGroup } from '../log/session-talk.test-support.ts';
import { until } from '../subagents/until.test-support.ts';

const limited = { timeout: 30_000 };
const SEND = { calls: [{ ...DISPATCH.call('work__send', { n: 1 }), id: 'e' }] };

/** Whether a session has an entry of this kind. */
const has = async (store: SessionStore, wanted: string) =>
  (await store.read('s')).some(({ kind }) => kind === wanted);

/** One conversation, whose processes come and go. */
class Talk {
  readonly store: SessionStore = memoryStore();
  readonly done: Done = [];
  readonly server: ModelServer;

  constructor(server: ModelServer) {
    this.server = server;
  }

  /** A process with this store that runs no tool to its end if `hangs`. */
  agent(store: SessionStore, agent: Partial<AgentOptions>, hangs = false) {
    const onRun = async (when: 'before' | 'after') => {
      if (hangs && when === 'after') await new Promise(() => {});
    };
    const groups = [effectGroup(this.done, onRun)];
    return agentIn(store, this.server, { fold: { strategy: 'dispatch', groups }, agent });
  }
}

const approvals = (ask: NonNullable<NonNullable<AgentOptions['approvals']>['ask']>) => ({
  approvals: { mode: 'always' as const, ask },
});
const nobody = () => new Promise<never>(() => {});

describe('promise 58: a message of another process counts once, also if its receiver is killed', () => {
  /** What the store has done when the process ends. */
  const POINTS = {
    'before its entry': { isDead: (kinds: string[]) => kinds.includes('message') },
    'after its entry, before that of the answer': {
      isDead: (kinds: string[]) => kinds.includes('answer'),
    },
  };
  for (const [name, { isDead }] of Object.entries(POINTS))
    test(`an answer, killed ${name}`, limited, async () => {
      await using server = await startModelServer({ script: [SEND, { text: 'Ok.' }] });
      const talk = new Talk(server);
      const { store } = talk;
      let isOver = false;
      const mortal = dying(store, () => isOver);
      const { append } = mortal;
      mortal.append = (entries, options) => {
        isOver ||= isDead(entries.map(({ kind }) => kind));
        return append(entries, options);
      };
      const first = await talk.agent(mortal, approvals(nobody));
      let approvalId = '';
      void (async () => {
        for await (const event of first.send('Go.')) {
          if (event.type !== 'approval') continue;
          approvalId = event.approvalId;
          await store.post('s', inboxMessage('answer', { [approvalId]: { approved: true } }));
        }
      })();
      await mortal.dead;
      await free(store);
      assert.equal(await has(store, 'answer'), false);
      const second = await talk.agent(store, approvals(nobody));
      assert.equal(ended(await collect(second.resume())).text, 'Ok.');
      assert.deepEqual(talk.done, ['send:1']);
      const [decided] = (await store.read('s')).filter(({ kind }) => kind === 'answer');
      assert.equal(decided?.body.approvalId, approvalId);
      assert.equal((await store.read('s')).filter(({ kind }) => kind === 'message').length, 1);
    });

  test('a cancel that was taken does not end the next turn', limited, async (context) => {
    await using server = await startModelServer({ script: [SEND, { text: 'Ok.' }] });
    const talk = new Talk(server);
    const first = await talk.agent(talk.store, approvals(nobody));
    const events = collect(first.send('Go.'));
    await until(context, () => server.requests.length === 1);
    await talk.store.post('s', inboxMessage('cancel', {}));
    assert.equal(ended(await events).reason, 'cancelled');
    const second = await talk.agent(
      talk.store,
      approvals(async () => ({ approved: true })),
    );
    assert.equal(ended(await collect(second.resume())).text, 'Ok.');
  });
});

describe('promise 58: a decision about one interruption of a call does not hold for the next one', () => {
  /** Leaves the session with the call interrupted, as `choice` here lets it run once more. */
  async function interrupted(context: TestContext, talk: Talk): Promise<void> {
    const count = talk.done.length;
    let isOver = false;
    const mortal = dying(talk.store, () => isOver);
    const again = async () => ({ choice: 'again' as const });
    const agent = await talk.agent(mortal, { onUnknown: again }, true);
    void collect(count === 0 ? agent.send('Go.') : agent.resume());
    await until(context, () => talk.done.length > count);
    isOver = true;
    await free(talk.store);
  }

  test('though nobody took it before the call ran again', limited, async (context) => {
    await using server = await startModelServer({ script: [SEND, { text: 'Ok.' }] });
    const talk = new Talk(server);
    await interrupted(context, talk);
    await talk.store.post('s', inboxMessage('unknown', { e: { choice: 'again' } }));
    await interrupted(context, talk);
    assert.deepEqual(talk.done, ['send:1', 'send:1']);
    const asked: string[] = [];
    const last = await talk.agent(talk.store, {
      onUnknown: async ({ id, startedAt, signal }) => {
        asked.push(id);
        assert.ok(Date.now() - Number(startedAt) < 60_000);
        // The message has come when it is answered here.
        while (!signal.aborted && !(await has(talk.store, 'message')))
          await new Promise(setImmediate);
        return { choice: 'leave' };
      },
    });
    assert.equal(ended(await collect(last.resume())).text, 'Ok.');
    assert.deepEqual(asked, ['e']);
    assert.deepEqual(talk.done, ['send:1', 'send:1']);
  });

  test('and one that was posted after the call ran again holds', limited, async (context) => {
    await using server = await startModelServer({ script: [SEND, { text: 'Ok.' }] });
    const talk = new Talk(server);
    await interrupted(context, talk);
    await interrupted(context, talk);
    await talk.store.post('s', inboxMessage('unknown', { e: { choice: 'again' } }));
    const last = await talk.agent(talk.store, { onUnknown: nobody });
    assert.equal(ended(await collect(last.resume())).text, 'Ok.');
    assert.deepEqual(talk.done, ['send:1', 'send:1', 'send:1']);
  });
});
