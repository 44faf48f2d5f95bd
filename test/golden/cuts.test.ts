/** Recorded sessions whose process ended behind an entry: behind each one. */
import { describe, test } from 'node:test';
import { compareCuts } from './compare.ts';
import { SCENARIOS } from './scenarios/index.ts';

describe('a session of an earlier version, cut behind each of its entries', () => {
  for (const scenario of SCENARIOS.filter(({ isCut }) => isCut))
    test(scenario.name, () => compareCuts(scenario, 1));
});
