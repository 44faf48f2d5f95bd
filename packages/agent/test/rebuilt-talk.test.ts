// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '../src/events/events.ts';
import { RandomTalk } from './random-talk.test-support.ts';
import { Sessions } from './rebuilt-screen.test-support.ts';

/** Number of random conversations. A larger number searches for unknown failures. */
const [FIRST = 1, COUNT = 8] = (process.env.TALKS ?? '').split(',').filter(Boolean).map(Number);

describe('random conversations with a session', () => {
  test(`the screen of each can be rebuilt from its journal: ${COUNT} talks from ${FIRST} on`, async () => {
    await using sessions = new Sessions();
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const session = await sessions.create();
      const events: AgentEvent[] = [];
      const open = () => sessions.open(session.id);
      const talk = new RandomTalk(seed);
      try {
        await talk.run({ session, open, events });
        await sessions.assertRebuilt(session.id, events);
      } catch (error) {
        assert.fail(`talk ${seed}: ${talk.log}\n${error instanceof Error ? error.stack : error}`);
      }
    }
  });
});
