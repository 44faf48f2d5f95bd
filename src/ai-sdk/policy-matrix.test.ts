import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { WAYS } from './policy-table.test-support.ts';
import { UNTRIED } from './policy-ways.test-support.ts';
import type { Order, Played } from './policy-worker.test-support.ts';

/** The ways that are tested with strategies other than `dispatch`. */
const ELSEWHERE = WAYS.filter(({ name }) => /^plain$|transforms$|repaired arguments/.test(name));
/** A part of the coordinates: only these cases are played, and every failure is shown. */
const ONLY = process.env.POLICY_CASE ?? '';

const worker = new Worker(new URL('./policy-worker.test-support.ts', import.meta.url));

async function play(order: Omit<Order, 'only'>, context: TestContext): Promise<void> {
  worker.postMessage({ ...order, only: ONLY } satisfies Order);
  const [{ count, failures, left }] = (await once(worker, 'message')) as [Played];
  for (const [why, times] of left) context.diagnostic(`${times} left out: ${why}`);
  const shown = ONLY === '' ? failures.slice(0, 5) : failures;
  const lines = shown.map(({ at, problems }) => `\n  ${at}\n      ${problems.join('\n      ')}`);
  const more =
    failures.length > shown.length ? `\n  and ${failures.length - shown.length} more` : '';
  assert.ok(
    failures.length === 0,
    `${failures.length} of ${count} cases fail${lines.join('')}${more}`,
  );
}

describe('policy matrix', () => {
  after(() => worker.postMessage('end'));

  test('dispatch, plain, every combination', (context) =>
    play({ way: 'plain', strategy: 'dispatch', isWhole: true }, context));
  for (const { name } of WAYS) {
    test(`dispatch, ${name}`, (context) =>
      play({ way: name, strategy: 'dispatch', isWhole: false }, context));
  }
  for (const strategy of ['bridge', 'native', 'eager', 'inject', 'lazy'] as const) {
    for (const { name } of ELSEWHERE) {
      test(`${strategy}, ${name}`, (context) =>
        play({ way: name, strategy, isWhole: false }, context));
    }
  }
  for (const { name, why } of UNTRIED) test(name, { skip: why });
});
