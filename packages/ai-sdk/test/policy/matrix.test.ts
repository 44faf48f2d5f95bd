// test: slow, first, harm
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { isFull } from '@toolfold/testing/test/combinations.test-support.ts';
import { WAYS } from './table.test-support.ts';
import { UNTRIED } from './ways.test-support.ts';
import type { Order, Played } from './worker.test-support.ts';

/** The ways that are tested with strategies other than `dispatch`. */
const ELSEWHERE = WAYS.filter(({ name }) =>
  /^plain$|transforms$|repaired arguments|jsonb$|by the provider$|function that edits|observer$/.test(
    name,
  ),
);
/** A part of the coordinates: only these cases are played, and every failure is shown. */
const ONLY = process.env.POLICY_CASE ?? '';

/** How many combinations of policy, kind of tool and third field each way is tried with. */
const extent = isFull ? 'every triple' : 'every pair';
/** Played with `npm run test:full` alone. */
const skip = isFull ? false : 'npm run test:full plays it';

const worker = new Worker(new URL('./worker.test-support.ts', import.meta.url));

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

describe(`policy matrix, ${extent} of policy, kind of tool and third field`, () => {
  after(() => worker.postMessage('end'));

  test('dispatch, plain, every combination', { skip }, (context) =>
    play({ way: 'plain', strategy: 'dispatch', extent: 'every combination' }, context),
  );
  for (const { name } of WAYS) {
    test(`dispatch, ${name}`, (context) =>
      play({ way: name, strategy: 'dispatch', extent }, context));
  }
  for (const strategy of ['bridge', 'native', 'eager', 'inject', 'lazy'] as const) {
    for (const { name } of ELSEWHERE) {
      test(`${strategy}, ${name}`, (context) => play({ way: name, strategy, extent }, context));
    }
  }
  for (const { name, why } of UNTRIED) test(name, { skip: why });
});
