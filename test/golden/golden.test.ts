/**
 * Sessions that an earlier version has recorded: their screens, what an agent says of them, and the
 * requests with which it goes on must stay as they were. See record.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { differences } from './differences.ts';
import { cutsOf, type Expected } from './expected.ts';
import { placeOf, readFixture } from './fixture.ts';
import { observe } from './observe.ts';
import { unpacked } from './packed.ts';
import { SCENARIOS } from './scenarios/index.ts';

const expectedOf = (name: string): Expected =>
  unpacked(readFileSync(placeOf('expected', `${name}.json`), 'utf8')) as Expected;

function assertEqual(expected: unknown, actual: unknown, name: string): void {
  const differing = differences(expected, actual);
  assert.ok(differing === '', `${name}\n${differing}`);
}

describe('a session of an earlier version is shown and continued as before', () => {
  for (const scenario of SCENARIOS) {
    const { name, isCut } = scenario;
    test(name, async () => {
      assertEqual(expectedOf(name).whole, await observe(scenario, readFixture(name)), name);
    });
    if (!isCut) continue;
    test(`${name}, cut behind each of its entries`, async () => {
      const { cuts = {} } = expectedOf(name);
      const sessions = cutsOf(readFixture(name));
      assert.deepEqual([...sessions.keys()], Object.keys(cuts));
      for (const [place, session] of sessions)
        assertEqual(cuts[place], await observe(scenario, session), `${name} behind ${place}`);
    });
  }
});
