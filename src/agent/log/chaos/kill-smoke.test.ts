import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kill } from './matrix-plan.test-support.ts';
import { judge, runMatrix, runTrial, type Way } from './trial.test-support.ts';

/** A few of the points of the kill matrix. */
const POINTS: readonly Kill[] = [
  { when: 'after', at: 8 },
  { when: 'effect', at: 7 },
];

test('a session whose host is killed at a commit and after an effect', async () => {
  const way: Way = { strategy: 'dispatch', asks: true };
  const whole = await runTrial(way, []);
  judge(whole, whole, []);
  const trials = POINTS.map((kill) => [kill]);
  const { failures } = await runMatrix(way, whole, trials);
  assert.deepEqual(failures, []);
});
