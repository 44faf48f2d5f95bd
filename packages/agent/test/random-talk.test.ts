import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFull, isQuick } from '@toolfold/testing/test/combinations.test-support.ts';
import { RandomTalk } from './random-talk.test-support.ts';

/** Number of random conversations. A larger number searches for unknown failures. */
const [FIRST = 1, COUNT = isFull ? 200 : isQuick ? 8 : 20] = (process.env.TALKS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);

describe('random conversations', () => {
  for (let batch = 0; batch < COUNT; batch += 20) {
    const seeds = Array.from({ length: Math.min(20, COUNT - batch) }, (_, n) => FIRST + batch + n);
    test(`runs are kept and events match the messages: talks ${seeds[0]} to ${seeds.at(-1)}`, async () => {
      for (const seed of seeds) {
        const talk = new RandomTalk(seed);
        try {
          await talk.run();
        } catch (error) {
          assert.fail(`talk ${seed}: ${talk.log}\n${error instanceof Error ? error.stack : error}`);
        }
      }
    });
  }
});
