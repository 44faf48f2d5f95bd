import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { memoryStore } from '../../src/sessions.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { free } from './dying-store.test-support.ts';
import {
  agentIn,
  comparable,
  type Done,
  effectGroup,
  STEPS,
  STRATEGIES,
  steps,
} from './session-talk.test-support.ts';

describe('a conversation in a session', () => {
  test('promise 59: keeps a conversation: another process sends the same bytes', async () => {
    for (const [strategy, dialect] of STRATEGIES) {
      const done: Done = [];
      const store = memoryStore();
      await using server = await startModelServer({ script: steps(dialect) });
      const fold = { strategy, groups: [effectGroup(done)], tools: {} as never };
      const one = await agentIn(store, server, { fold });
      const events = await collect(one.send('Go.'));
      assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
      const other = await agentIn(store, server, { fold });
      assert.deepEqual(comparable(other.messages), comparable(one.messages));
      assert.deepEqual(other.spending, one.spending);
      assert.equal(other.canResume, false);
      events.push(...(await collect(other.send('Thanks.'))));
      assert.equal(ended(events).reason, 'done');
      assertHeld(server);
      // Numbers and the prefix of requests go on in the other process.
      const numbers = events.flatMap((event) => (event.type === 'request' ? event.request : []));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
      assert.ok(events.every(({ type }) => type !== 'prefix-broken'));
    }
  });

  test('promise 59: an answer is written before its calls run, and is read again when they have not', async () => {
    const done: Done = [];
    const store = memoryStore();
    await using server = await startModelServer({ script: steps(DISPATCH) });
    const never = new Promise<void>(() => {});
    const begun = Promise.withResolvers<void>();
    const stuck = effectGroup(done, () => {
      begun.resolve();
      return never;
    });
    const foldOf = (group: ReturnType<typeof effectGroup>) => ({
      fold: { strategy: 'dispatch' as const, groups: [group], tools: {} as never },
    });
    const first = await agentIn(store, server, foldOf(stuck));
    void collect(first.send('Go.'));
    await begun.promise;
    const kinds = (await store.read('s')).map(({ kind }) => kind);
    assert.ok(kinds.indexOf('model') > 0 && kinds.indexOf('model') < kinds.indexOf('start'));
    assert.equal(server.requests.length, 1);
    await free(store);
    const second = await agentIn(store, server, foldOf(effectGroup(done)));
    assert.equal(ended(await collect(second.resume())).reason, 'done');
    // One request for each step and one for the end: the first one was not sent again.
    assert.equal(server.requests.length, STEPS.length + 1);
    assertHeld(server);
  });
});
