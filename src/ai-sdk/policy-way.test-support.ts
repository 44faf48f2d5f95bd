import type { ToolSet } from 'ai';
import type { z } from 'zod';
import type { ReplyCall } from '../testing/index.ts';
import type { PolicyName } from './policy-rules.test-support.ts';
import type { Talk } from './policy-talk.test-support.ts';
import type { Changes, Coordinates, Fields, Outcome, Trial } from './policy-trial.test-support.ts';

/** What has to become of a call before the user says anything. */
export type Expected =
  /** It runs with the final input. */
  | 'runs'
  /** It does not run and the model reads the policy's reason. */
  | 'denied'
  /** It does not run and the model reads the policy's reason, in whatever form. */
  | 'refused'
  /** The user is asked, under the real name and about the final input. */
  | 'asks'
  /** It does not run, the model reads `approval_needed` and the app is told of the remedy. */
  | 'approval needed'
  /** It does not run, and the model reads `approval_needed`: its next call is asked about. */
  | 'told to call again'
  /** It does not run; what the model reads is not laid down. */
  | 'not run'
  /** Two answers are right: it runs with the final input, or it does not. */
  | 'either'
  /** Nothing is laid down but what the row itself says (`also`). */
  | 'open';

/** What has to become of an approved call. */
export type Resumed =
  | 'runs'
  | 'denied'
  /** It does not run, and the model reads `approval_needed`. */
  | 'approval needed'
  | 'not run'
  /** It runs with the input that was approved, or not at all. */
  | 'either';

/** One way in which a call may change, or reach `execute`. */
export interface Way {
  readonly name: string;
  /** What the model writes; `{ text: 'a' }` unless said otherwise. */
  readonly written?: unknown;
  /** What `execute` is to get; what was written unless said otherwise. */
  readonly final?: unknown;
  /** What the user is asked about; the final input unless said otherwise. */
  readonly approved?: unknown;
  /** The schema of the tool makes the final input of what was written. */
  readonly isMadeBySchema?: true;
  /** And makes another one of that, if it is applied again. */
  readonly isMadeAnew?: true;
  /** Where the user is shown what was written. */
  readonly isNotShown?: (at: Coordinates) => boolean;
  /** The schema of the tool under test. */
  readonly schema?: z.ZodType;
  /** More of the tool under test. */
  readonly tool?: object;
  /** More of the app's own tools. */
  readonly tools?: (trial: Trial, policy: PolicyName) => ToolSet;
  readonly target?: (at: Coordinates) => string;
  /** How often the tool runs where it may. */
  readonly times?: number;
  readonly calls?: (trial: Trial) => ReplyCall[];
  /** The app's own `toolApproval`, given to `fold.with`. */
  readonly app?: (trial: Trial) => unknown;
  /** The app's own `toolApproval`, given to the SDK in place of the fold's. */
  readonly override?: (trial: Trial) => unknown;
  /** Another view than the fold's with the policy. */
  readonly view?: (trial: Trial, changes: Changes) => Fields;
  /** What the app does to the fields before it passes them on. */
  readonly fields?: (fields: Fields, trial: Trial) => Fields;
  /** What the app passes beside the fields. */
  readonly settings?: (trial: Trial) => Readonly<Record<string, unknown>>;
  /** A fresh fold goes on, over messages that have been JSON, after this has been done to them. */
  readonly resume?: { readonly changes?: Changes; readonly tamper?: (talk: Talk) => void };
  /** Whether `repairToolCall` may be asked about a call that policy denies. */
  readonly mayRepair?: true;
  /** Nothing goes on after the first answer: no one has the result of the call. */
  readonly isLeftOpen?: true;
  /** The model is not shown results. */
  readonly isUnread?: true;
  /** The SDK itself may refuse the resumption by an error. */
  readonly mayThrow?: true;
  /** The real API refuses the history. */
  readonly isOdd?: true;
  readonly expects?: (at: Coordinates, expected: Expected) => Expected;
  readonly resumes?: (at: Coordinates) => Resumed;
  readonly also?: (outcome: Outcome) => string[];
  /** Coordinates that make no sense here, and why. */
  readonly skip?: (at: Coordinates) => string | undefined;
}
