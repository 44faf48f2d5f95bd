import type { Turn } from '../../tools/calls/index.ts';
import type { CallEvent } from '../../tools/transcript/index.ts';
import type { Refusal, Subject } from '../calls/index.ts';
import type { Hooks } from '../hooks/index.ts';
import type { Answer } from './record.ts';

/** A call when the host asks for approval, or when its tool is about to run. */
export interface PointCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Identifies the conversation: the same object for approval and execution of a call. */
  readonly conversation: object;
  /** The metadata object of the call, if the host passes it on. */
  readonly metadata: object | undefined;
  /** The user's approval, if the host resumes an approved call. */
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

/** The tools and hooks of one view, as far as calls of them are decided. The adapter implements it. */
export interface ViewTools {
  readonly hooks: Hooks;
  /** The off switch: the host behaves as without Toolfold, and approvals have no binding. */
  readonly isOff: boolean;
  /** Resolves a call. Unless `mayLoad`, no loader runs, and the subject is late if its group has not loaded. */
  subjectOf(call: PointCall, mayLoad: boolean): Promise<Subject | Refusal>;
  /** The present binding of a call's tool; undefined if it is not known yet. */
  bindingOf(subject: Subject, call: PointCall): string | undefined;
  /** Whether the tool of a call still has this binding. */
  isBound(subject: Subject, binding: string, call: PointCall): boolean;
  /** Whether the name of a subject still means the same tool. */
  isCurrent(subject: Subject): boolean;
  onCall(event: CallEvent): void;
}
