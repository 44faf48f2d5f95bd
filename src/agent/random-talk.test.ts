import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RandomTalk } from './random-talk.test-support.ts';

/** Talks that are tried; more of them where somebody looks for what is not known yet. */
const [FIRST = 1, COUNT = 40] = (process.env.TALKS ?? '').split(',').filter(Boolean).map(Number);

describe('whatever happens, in random order', () => {
  for (let batch = 0; batch < COUNT; batch += 20) {
    const seeds = Array.from({ length: Math.min(20, COUNT - batch) }, (_, n) => FIRST + batch + n);
    test(`what ran is kept and what was told is true: talks ${seeds[0]} to ${seeds.at(-1)}`, async () => {
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
