// test: slow, harm
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type Driver, judge, runOnce, type Victim } from './kill-matrix.test-support.ts';
import { callsOfMatrix } from './matrix-calls.test-support.ts';

const limited = { timeout: 60_000 };
const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;

/** Every point of a run in which nobody is killed. */
const all = [
  ...['writer', 'reader'].flatMap((server) => [`${server} start`, `${server} list`]),
  ...callsOfMatrix.flatMap(({ id, server, tool }) => [
    `${server} call ${id}`,
    ...(tool === 'append' ? [`${server} effect ${id}`] : []),
    `${server} answer ${id}`,
  ]),
];

/** The points of every run of the tests. */
const few = {
  script: { host: ['writer effect c4'], server: ['writer call c2', 'reader call c3'] },
  run: { host: [], server: ['writer effect c4'] },
};

suite('kill -9 at every point', { concurrency: 2 }, () => {
  const rows: string[] = [];

  test(
    'nobody is killed: every point is reached, every call answered',
    limited,
    async (context) => {
      const result = await runOnce(context, 'script', 'nobody', '');
      assert.deepEqual([...result.points].sort(), [...all].sort());
      assert.match(judge(result, 'nobody', ''), /^10 done, 0 unknown, 5 effects/);
    },
  );

  for (const driver of ['script', 'run'] as const satisfies readonly Driver[]) {
    for (const victim of ['host', 'server'] as const satisfies readonly Victim[]) {
      for (const at of isFull ? all : few[driver][victim]) {
        test(`${driver}: ${victim} at "${at}"`, limited, async (context) => {
          const result = await runOnce(context, driver, victim, at);
          const row = judge(result, victim, at);
          rows.push(`${driver.padEnd(7)} ${victim.padEnd(7)} ${at.padEnd(18)} ${row}`);
        });
      }
    }
  }

  const skip = !isFull && 'runs with TOOLFOLD_TEST_FULL, because it takes minutes';
  test('the other points', { skip }, () => assert.ok(all.length >= 20));

  after(() => console.log(['', ...rows].join('\n')));
});
