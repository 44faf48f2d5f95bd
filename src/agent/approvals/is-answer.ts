import { ownProperty } from '../../tools/values/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';

/** Whether a value says clearly that a call is approved or not. It may come from an app or another process. */
export function isAnswer(value: unknown): value is ApprovalAnswer {
  return typeof ownProperty(value, 'approved') === 'boolean';
}
