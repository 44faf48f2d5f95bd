/**
 * Sessions that an earlier version has recorded: their screens, what an agent says of them, and the
 * requests with which it goes on must stay as they were. See record.ts.
 */
import { describe, test } from 'node:test';
import { compareCuts, compareWhole } from './compare.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** cuts.test.ts compares the others. */
const STEP = 25;

describe('a session of an earlier version is shown and continued as before', () => {
  for (const scenario of SCENARIOS) {
    const { name, isCut } = scenario;
    test(name, () => compareWhole(scenario));
    if (isCut) test(`${name}, cut behind every ${STEP}th entry`, () => compareCuts(scenario, STEP));
  }
});
