// test: slow
import assert from 'node:assert/strict';
import { describe, mock, type TestContext, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { agentIn, type Done, effectGroup, steps } from './session-talk.test-support.ts';

const foldOf = (...groups: SdkToolGroup[]) => {
  return { strategy: 'dispatch' as const, groups, tools: {} as never };
};

async function modelServer(context: TestContext): Promise<ModelServer> {
  const server = await startModelServer({ script: steps(DISPATCH) });
  context.after(() => server.close());
  return server;
}

/** A store whose disk is full from an append on. */
function full(store: SessionStore, from: number): SessionStore & { isFull: () => boolean } {
  let appends = 0;
  const refuse = async () => {
    throw new ToolfoldError('session-unavailable', 'The disk is full.', 'Make room.');
  };
  return {
    ...store,
    retryTimeout: 0,
    isFull: () => appends >= from,
    append: async (...given) => (++appends >= from ? refuse() : store.append(...given)),
    // A release is written too.
    release: async (lease) => (appends >= from ? refuse() : store.release(lease)),
  };
}

describe('bad days of an agent with a session', () => {
  test('a full disk: the turn ends with the error, and no tool runs any more', async (context) => {
    let isOver = false;
    for (let from = 1; !isOver; from += 3) {
      const done: Done = [];
      const kept = memoryStore();
      const store = full(kept, from);
      const server = await modelServer(context);
      const talk = await agentIn(store, server, { fold: foldOf(effectGroup(done)) });
      const { reason, error, code } = ended(await collect(talk.send('Go.')));
      isOver = !store.isFull();
      if (isOver) break;
      assert.equal(reason, 'error', `${from}`);
      assert.match(String(error), /The disk is full/, `${from}`);
      assert.equal(code, 'session-unavailable', `${from}`);
      // Only tools whose start was written before have run.
      const starts = (await kept.read('s')).filter(({ kind }) => kind === 'start');
      assert.ok(done.length <= starts.length, `${from}`);
      assertHeld(server);
    }
  });

  test('a full disk: the end of the turn does not wait for the release, the next turn does', async (context) => {
    const kept = memoryStore();
    const released = Promise.withResolvers<void>();
    const store: SessionStore = {
      ...full(kept, 3),
      release: (lease) => released.promise.then(() => kept.release(lease)),
    };
    const server = await modelServer(context);
    const talk = await agentIn(store, server, { fold: foldOf(effectGroup([])) });
    assert.equal(ended(await collect(talk.send('Go.'))).code, 'session-unavailable');
    let isOver = false;
    const next = collect(talk.send('Go on.')).then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    released.resolve();
    await next;
  });

  test('a lease lost in the middle of a turn: it ends, and writes nothing more', async (context) => {
    const done: Done = [];
    const store = memoryStore();
    const server = await modelServer(context);
    let written = 0;
    const group = effectGroup(done, async (when) => {
      if (when !== 'after' || done.length !== 2) return;
      const owner = (await store.holder('s')) ?? assert.fail();
      await store.release({ session: 's', fence: 1, owner });
      await store.acquire('s', { ...owner, instance: 'another' });
      written = (await store.read('s')).length;
    });
    const talk = await agentIn(store, server, { fold: foldOf(group) });
    const { reason, code } = ended(await collect(talk.send('Go.')));
    assert.equal(reason, 'error');
    assert.equal(code, 'session-lost');
    assert.equal(done.length, 2);
    assert.equal((await store.read('s')).length, written);
    assert.equal(ended(await collect(talk.resume())).code, 'session-busy');
  });

  test('a server that is gone on resume: its calls fail, and what had started is asked about', async (context) => {
    const done: Done = [];
    const kept = memoryStore();
    const server = await modelServer(context);
    const death = Promise.withResolvers<void>();
    // The process dies in the second tool, after its effect.
    const dying = effectGroup(done, async (when) => {
      if (when !== 'after' || done.length !== 2) return;
      death.resolve();
      await new Promise(() => {});
    });
    const first = await agentIn(kept, server, { fold: foldOf(dying) });
    void collect(first.send('Go.'));
    await death.promise;
    const owner = (await kept.holder('s')) ?? assert.fail();
    await kept.release({ session: 's', fence: 1, owner });
    const asked: string[] = [];
    const second = await agentIn(kept, server, {
      fold: foldOf(),
      agent: {
        onUnknown: async ({ name }) => {
          asked.push(name);
          return undefined;
        },
      },
    });
    const events = await collect(second.resume());
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(asked, ['work__add']);
    assert.deepEqual(done, ['read:1', 'add:2']);
    assertHeld(server);
  });

  test('a clock that goes backwards: the entries keep their order, and the session is continued', async (context) => {
    const done: Done = [];
    const kept = memoryStore();
    const server = await modelServer(context);
    const later = 1_800_000_000_000;
    mock.timers.enable({ apis: ['Date'], now: later });
    context.after(() => mock.timers.reset());
    const group = effectGroup(done, async () => mock.timers.setTime(Date.now() - 3_600_000));
    const first = await agentIn(kept, server, { fold: foldOf(group) });
    assert.equal(ended(await collect(first.send('Go.'))).reason, 'done');
    assert.ok(Date.now() < later);
    const times = (await kept.read('s')).map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const second = await agentIn(kept, server, { fold: foldOf(effectGroup(done)) });
    assert.deepEqual(second.messages.length, first.messages.length);
    assert.equal(ended(await collect(second.send('Thanks.'))).reason, 'done');
    assertHeld(server);
  });
});
