// test: slow, harm
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Kill } from './matrix-plan.test-support.ts';
import { pointsOf, runMatrix, runTrial, type Way } from './trial.test-support.ts';

/** One point of so many, beside TOOLFOLD_TEST_FULL. */
const SAMPLE = 250;
const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;

const WAYS: readonly Way[] = [
  { strategy: 'dispatch', asks: true },
  { strategy: 'bridge', asks: false },
  { strategy: 'native', asks: true },
  { strategy: 'eager', asks: false },
  { strategy: 'inject', asks: true },
  { strategy: 'lazy', asks: false },
  { strategy: 'dispatch', asks: false, isTeam: true },
];

suite('kill -9 at every commit and every effect of a session', () => {
  const rows: string[] = [];

  for (const [index, way] of WAYS.entries()) {
    const question = way.asks ? 'asks in the turn' : 'ends the turn to ask';
    const name = `${way.strategy}, ${way.isTeam ? 'three subagents' : question}`;
    // Each way takes many processes. The others are variations of these.
    const skip = isFull || index % 3 === 0 ? false : 'runs with TOOLFOLD_TEST_FULL';
    test(name, { skip }, async () => {
      const begun = performance.now();
      const whole = await runTrial(way, []);
      const points = pointsOf(way, whole);
      assert.ok(points.length > 150, `${points.length}`);
      // Each way has other points.
      const chosen = points.filter((_, at) => isFull || at % SAMPLE === (index * 17) % SAMPLE);
      const trials = chosen.map((kill): readonly Kill[] => [kill]);
      // Two hosts in a row are killed, the second one while it resumes. At the end nothing is left to do for it.
      const isLate = ({ when, at }: Kill) =>
        (when === 'before' || when === 'after') && at > whole.report.commits - 6;
      const twice = chosen
        .filter((kill, at) => at % 10 === 0 && !isLate(kill))
        .map((kill, at): readonly Kill[] => [kill, { when: 'after', at: 1 + (at % 5) }]);
      const { unknown, failures } = await runMatrix(way, whole, [...trials, ...twice]);
      const seconds = Math.round((performance.now() - begun) / 1000);
      rows.push(
        `${name.padEnd(32)} ${trials.length} of ${points.length} points, ` +
          `${twice.length} of them twice, ${unknown} unknown calls, ${seconds} s`,
      );
      assert.deepEqual(failures, []);
    });
  }

  after(() => console.log(['', ...rows].join('\n')));
});
