import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { memoryStore } from '../../src/sessions.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { dying, free } from './dying-store.test-support.ts';
import {
  agentIn,
  assertOnce,
  comparable,
  type Done,
  effectGroup,
  STRATEGIES,
  steps,
} from './session-talk.test-support.ts';

/** Every entry under TOOLFOLD_TEST_FULL, else some of them. */
const STEP = process.env.TOOLFOLD_TEST_FULL === '1' ? 1 : 23;

describe('a session', () => {
  for (const [strategy, dialect] of STRATEGIES)
    test(`promise 58: is resumed after the end of its process at any entry: ${strategy}`, async () => {
      const trial = async (at: number) => {
        const done: Done = [];
        const kept = memoryStore();
        let writes = 0;
        let isDead = false;
        const store = dying(kept, () => {
          if (writes++ >= at) isDead = true;
          return isDead;
        });
        await using server = await startModelServer({ script: steps(dialect) });
        const group = effectGroup(done, () =>
          isDead ? new Promise<void>(() => {}) : Promise.resolve(),
        );
        const fold = { strategy, groups: [group], tools: {} as never };
        const first = await agentIn(store, server, { fold });
        const ends = collect(first.send('Go.'));
        const isOver = await Promise.race([ends.then(() => true), store.dead.then(() => false)]);
        if (isOver) return { messages: first.messages, isOver, done, asked: [] as string[] };
        await free(kept);
        const asked: string[] = [];
        const again = { strategy, groups: [effectGroup(done)], tools: {} as never };
        const agent = {
          onUnknown: async ({ name }: { name: string }) => {
            asked.push(name);
            return undefined;
          },
        };
        const second = await agentIn(kept, server, { fold: again, agent });
        const unknown = await second.unknown();
        if (second.canResume) {
          const events = await collect(second.resume());
          assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
        } else if (second.messages.length === 0) await collect(second.send('Go.'));
        assert.equal(asked.length, unknown.length, `${at}: ${asked} ${JSON.stringify(unknown)}`);
        assertOnce(done);
        assertHeld(server);
        return { messages: second.messages, isOver, done, asked };
      };
      const whole = await trial(Number.POSITIVE_INFINITY);
      const expected = comparable(whole.messages);
      for (let at = 0; ; at += STEP) {
        const { messages, isOver, asked } = await trial(at);
        if (isOver) break;
        if (asked.length === 0) assert.deepEqual(comparable(messages), expected, `at ${at}`);
        else assert.equal(messages.length, whole.messages.length, `at ${at}`);
      }
    });
});
