import { HISTORY_WAYS } from './history.test-support.ts';
import { APP_WAYS, CALLER_WAYS, OVERRIDING_WAYS } from './settings.test-support.ts';
import type { Way } from './way.test-support.ts';
import {
  ABORT_WAYS,
  CALL_WAYS,
  INPUT_WAYS,
  PASSING_WAYS,
  STEP_WAYS,
  TOOL_WAYS,
} from './ways.test-support.ts';

/** Every way in which a call may change or reach `execute`; the first is the plain one. */
export const WAYS: readonly Way[] = [
  ...INPUT_WAYS,
  ...PASSING_WAYS,
  ...STEP_WAYS,
  ...TOOL_WAYS,
  ...CALL_WAYS,
  ...ABORT_WAYS,
  ...APP_WAYS,
  ...OVERRIDING_WAYS,
  ...CALLER_WAYS,
  ...HISTORY_WAYS,
];
