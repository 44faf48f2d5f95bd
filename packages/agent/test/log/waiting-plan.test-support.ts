import type { PendingApproval } from '../../src/events/events.ts';
import type { ApprovalAnswer } from '../../src/events/user-requests.ts';

/** The tools of a process: as they were, changed, gone, or not allowed by the role. */
export type Tools = 'same' | 'changed' | 'gone' | 'forbidden';

/** What a process does with one session. */
export interface Step {
  readonly session: string;
  readonly tools: Tools;
  /** `send` begins the conversation. `answer` answers what is pending, `late` by an agent that was opened before that. */
  readonly action: 'send' | 'answer' | 'late';
  readonly answer?: ApprovalAnswer;
}

/** What a process is started with. */
export interface WaitingSettings {
  readonly folder: string;
  readonly baseUrl: string;
  /** Milliseconds that its clock is ahead. */
  readonly ahead: number;
  readonly steps: readonly Step[];
}

/** What came of a step. */
export interface StepResult {
  readonly session: string;
  /** The end of the turn. */
  readonly reason?: string;
  /** The error that the step was refused with. */
  readonly refused?: string;
  /** Texts of results and failures. */
  readonly results: readonly string[];
  readonly pending: readonly PendingApproval[];
  /** Whether the session is held after the turn. */
  readonly isHeld: boolean;
}
