import type { Scenario } from '../scenario.ts';
import { APPROVALS } from './approvals.ts';
import { BROKEN } from './broken.ts';
import { CALLS } from './calls.ts';
import { CHANGED } from './changed.ts';
import { RESULTS } from './results.ts';
import { TEAMS } from './teams.ts';

/** All recorded conversations. */
export const SCENARIOS: readonly Scenario[] = [
  ...CALLS,
  ...APPROVALS,
  ...BROKEN,
  ...CHANGED,
  ...RESULTS,
  ...TEAMS,
];
