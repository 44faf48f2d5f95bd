/**
 * Recorded sessions. A scenario that is played again sends the same bytes and writes the same entries. A recorded
 * session is shown as it was, and goes on with the same requests. See record.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { differences } from './differences.ts';
import { placeOf, readFixture, readLines } from './fixture.ts';
import { type Observed, observe } from './observe.ts';
import { unpacked } from './packed.ts';
import { play } from './play.ts';
import { SCENARIOS } from './scenarios/index.ts';

const parse = (line: string): unknown => JSON.parse(line);

describe('a scenario sends and writes what was recorded, and its session is shown and continued as recorded', () => {
  for (const scenario of SCENARIOS) {
    const { name } = scenario;
    const expected = unpacked(readFileSync(placeOf('expected', `${name}.json`), 'utf8'));
    const { requests, ...observed } = expected as Observed & { requests: readonly unknown[] };
    test(`${name}, played`, async () => {
      const played = await play(scenario);
      const entries = played.lines.map(parse);
      assertEqual(
        { requests, entries: readLines(name).map(parse) },
        { requests: played.requests, entries },
      );
    });
    test(`${name}, continued`, async () =>
      assertEqual(observed, await observe(scenario, readFixture(name))));
  }
});

function assertEqual(expected: unknown, actual: unknown): void {
  const differing = differences(expected, actual);
  assert.ok(differing === '', differing);
}
