import { suite, test } from 'node:test';
import { STORIES } from './estimate.test-support.ts';
import { checkEstimate } from './estimate-check.test-support.ts';

// The other stories are among the slow tests: estimate-long.
suite('the estimate against the recorded bodies', () => {
  for (const story of STORIES.slice(0, 1))
    test(`promise 43: within 5 % of the tokens sent, given the turns and loads that happened; within 10 % from their number and size: ${story.name}`, () =>
      checkEstimate(story));
});
