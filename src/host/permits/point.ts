import type { Turn } from '../../tools/calls/index.ts';
import type { CallEvent } from '../../tools/transcript/index.ts';
import type { Refusal, Subject } from '../calls/index.ts';
import type { Hooks } from '../hooks/index.ts';
import type { Answer } from './permit.ts';
import type { Setting } from './setting.ts';

/** A call when the host asks for approval, or when its tool is about to run. */
export interface PointCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Identifies the conversation: the same object for approval and execution of a call. */
  readonly conversation: object;
  /** The metadata object of the call's arrival, if the host passes it on. */
  readonly metadata: object | undefined;
  /** The user's approval, if the host is executing an approved call. */
  readonly answer: Answer | undefined;
  readonly signal: AbortSignal | undefined;
  /** The layer does not have the tool. */
  readonly isForeign: boolean;
  /** Toolfold runs the tool, so the tool can give a refusal as its answer. */
  readonly isRunHere: boolean;
  /** The present binding of a tool that the layer does not have. */
  readonly binding: string | undefined;
  /** Creates the turn when it is first needed. */
  readonly turn: () => Turn;
}

export type Approval = Exclude<Setting, { type: 'unknown' }>;

export interface PolicyOptions {
  readonly hooks: Hooks;
  /** Resolves a call without running a loader. The subject is late if its group has not loaded. */
  readonly subjectOf: (call: PointCall) => Promise<Subject | Refusal>;
  /** The present binding of a call's tool; undefined if it is not known yet. */
  readonly bindingOf: (subject: Subject, call: PointCall) => string | undefined;
  /** Whether the tool of a call still has this binding. */
  readonly isBound: (subject: Subject, binding: string, call: PointCall) => boolean;
  /** The off switch: the host behaves as without Toolfold, and approvals have no binding. */
  readonly isOff: boolean;
  /** Whether the name of a subject still means the same tool. */
  readonly isCurrent: (subject: Subject) => boolean;
  readonly onCall: (event: CallEvent) => void;
}
