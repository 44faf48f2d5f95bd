import type { Turn } from '../../tools/calls/index.ts';
import type { CallEvent } from '../../tools/transcript/index.ts';
import type { Refusal, Subject } from '../calls/index.ts';
import type { Hooks } from '../hooks/index.ts';
import type { Answer } from './permit.ts';
import type { Setting } from './setting.ts';

/** A call at the point of approval, or where its tool runs. */
export interface PointCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Stands for the conversation: the same object at both points of one call. */
  readonly conversation: object;
  /** What the call's arrival was kept with, where the host passes it on. */
  readonly metadata: object | undefined;
  /** The user's yes that is being carried out. */
  readonly answer: Answer | undefined;
  readonly signal: AbortSignal | undefined;
  /** The tool is none of the layer's. */
  readonly isForeign: boolean;
  /** Toolfold runs the tool, and can refuse in its place. */
  readonly isHeld: boolean;
  /** What a tool that the layer does not know is known by now. */
  readonly binding: string | undefined;
  /** Made when it is first needed. */
  readonly turn: () => Turn;
}

export type Approval = Exclude<Setting, { type: 'unknown' }>;

export interface PolicyOptions {
  readonly hooks: Hooks;
  /** The subject of a call as it stands; late where its group has not loaded. */
  readonly subjectOf: (call: PointCall) => Promise<Subject | Refusal>;
  /** What the tool of a call is known by at this moment; undefined where that cannot be told yet. */
  readonly bindingOf: (subject: Subject, call: PointCall) => string | undefined;
  /** Whether the tool of a call is still the one that the binding was made for. */
  readonly isBound: (subject: Subject, binding: string, call: PointCall) => boolean;
  /** The app wants what the host does on its own: its approvals are bound to nothing. */
  readonly isOff: boolean;
  /** Whether a subject that was resolved earlier is still what its name stands for. */
  readonly isCurrent: (subject: Subject) => boolean;
  readonly onCall: (event: CallEvent) => void;
}
