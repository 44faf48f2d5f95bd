// test: slow
import { suite, test } from 'node:test';
import { PostedTrial } from './posted-trial.test-support.ts';

const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;

/** The first seed, and the number of trials. Another one searches for unknown failures. */
const [FIRST = 1, COUNT = isFull ? 60 : 4] = (process.env.TRIALS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);

suite('kill -9 at random, with messages of the user from another process at random', () => {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++)
    test(`promise 79: trial ${seed}`, { timeout: 120_000 }, () => new PostedTrial(seed).run());
});
