// test: alone
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kill, WORD } from './matrix-plan.test-support.ts';
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

test('promise 79: a message of the user during a turn is said once, killed before and after a commit', async () => {
  const way: Way = { strategy: 'dispatch', asks: true, hasWord: true };
  const whole = await runTrial(way, []);
  judge(whole, whole, []);
  const said = JSON.stringify(whole.report.messages).split(WORD).length - 1;
  assert.equal(said, 1);
  const at =
    process.env.TOOLFOLD_TEST_FULL === undefined
      ? [7, 9]
      : Array.from({ length: 30 }, (_, n) => n + 1);
  const trials = at.flatMap((at) => [
    [{ when: 'before' as const, at }],
    [{ when: 'after' as const, at }],
  ]);
  const { failures } = await runMatrix(way, whole, trials);
  assert.deepEqual(failures, []);
});
