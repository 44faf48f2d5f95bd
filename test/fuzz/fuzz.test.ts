// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFull } from '../../packages/testing/test/combinations.test-support.ts';
import { type Plan, planOf } from './plan.ts';
import { failureReport, settingLine } from './report.ts';
import { play } from './session.ts';
import { shrink } from './shrink.ts';

/** Sessions that every run plays. */
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
/** How many turns of each session are played. */
const TURNS = isFull ? Infinity : 8;
/** How many shorter sessions are tried to shrink a failure. */
const REPLAYS = 20;
/** Seconds for which other seeds are played, and the first of them; by default the time of the run. */
const { TOOLFOLD_FUZZ_SECONDS = '0', TOOLFOLD_FUZZ_SEED } = process.env;

function begun(seed: number): Plan {
  const plan = planOf(seed);
  return { ...plan, steps: plan.steps.slice(0, TURNS) };
}

async function check(plan: Plan): Promise<void> {
  const failure = await play(plan);
  if (failure) assert.fail(failureReport(plan, await shrink(plan, failure, REPLAYS)));
}

describe(isFull ? 'long sessions' : `the first ${TURNS} turns of long sessions`, () => {
  for (const plan of SEEDS.map(begun)) test(settingLine(plan), () => check(plan));

  const seconds = Number(TOOLFOLD_FUZZ_SECONDS);
  test(`other sessions, for ${seconds} seconds`, { skip: seconds === 0 }, async (context) => {
    const end = performance.now() + seconds * 1_000;
    const first = Number(TOOLFOLD_FUZZ_SEED ?? Math.floor(Date.now() / 1_000));
    for (let seed = first; performance.now() < end; seed++)
      await context.test(settingLine(planOf(seed)), () => check(planOf(seed)));
  });
});
