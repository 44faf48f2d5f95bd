import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withoutMarks } from '../../src/ai-sdk/caching/without-marks.test-support.ts';
import { differences } from './differences.ts';
import { cutsOf, type Expected } from './expected.ts';
import { placeOf, readFixture } from './fixture.ts';
import { isMeant } from './meant.ts';
import { observe } from './observe.ts';
import { unpacked } from './packed.ts';
import type { Scenario } from './scenario.ts';

/** Compares a recorded session with what is expected of it. */
export async function compareWhole(scenario: Scenario): Promise<void> {
  const { name } = scenario;
  assertEqual(expectedOf(name).whole, await observe(scenario, readFixture(name)), name);
}

/** Compares a recorded session cut behind its entries: behind each `step`th one. */
export async function compareCuts(scenario: Scenario, step: number): Promise<void> {
  const { name } = scenario;
  const { cuts = {} } = expectedOf(name);
  const sessions = [...cutsOf(readFixture(name))];
  assert.deepEqual(
    sessions.map(([place]) => place),
    Object.keys(cuts),
  );
  // The last one of each `step`: the first entry of a session says little.
  const chosen = sessions.filter((_, at) => at % step === step - 1);
  for (const [place, session] of chosen)
    assertEqual(cuts[place], await observe(scenario, session), `${name} behind ${place}`);
}

const expectedOf = (name: string): Expected =>
  unpacked(readFileSync(placeOf('expected', `${name}.json`), 'utf8')) as Expected;

function assertEqual(expected: unknown, actual: unknown, name: string): void {
  // Marks of a cache are no part of the bytes that a resumed session has to send again.
  const [before, after] = [expected, actual].map((value) => JSON.parse(withoutMarks(value)));
  const differing = differences(before, after, (path) => isMeant(name, path));
  assert.ok(differing === '', `${name}\n${differing}`);
}
