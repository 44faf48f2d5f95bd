import type { Scenario } from '../scenario.ts';
import { CALLS } from './calls.ts';

/** All recorded conversations. */
export const SCENARIOS: readonly Scenario[] = [...CALLS];
