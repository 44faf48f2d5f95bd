import type { ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ToolSet } from 'ai';
import type { z } from 'zod';
import type { PolicyName } from './rules.test-support.ts';
import type { Talk } from './talk.test-support.ts';
import type { Changes, Coordinates, Fields, Outcome, Trial } from './trial.test-support.ts';

/** The expected outcome of a call before the user answers. */
export type Expected =
  /** It runs with the final input. */
  | 'runs'
  /** It does not run and the model reads the policy's reason. */
  | 'denied'
  /** It does not run and the model reads the policy's reason, in any form. */
  | 'refused'
  /** The user is asked, under the real name and about the final input. */
  | 'asks'
  /** It does not run, the model reads `approval_needed` and the app is told of the remedy. */
  | 'approval needed'
  /** It does not run, and the model reads `approval_needed`: its next call is asked about. */
  | 'told to call again'
  /** It does not run. The text for the model is not specified. */
  | 'not run'
  /** Two answers are right: it runs with the final input, or it does not. */
  | 'either'
  /** Only the row itself specifies the outcome (`also`). */
  | 'open';

/** The expected outcome of an approved call. */
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
  /** The input that the model writes. Default: `{ text: 'a' }`. */
  readonly written?: unknown;
  /** The input that `execute` gets. Default: the written input. */
  readonly final?: unknown;
  /** The input that the user is asked about. Default: the final input. */
  readonly approved?: unknown;
  /** The schema of the tool transforms the written input. */
  readonly isMadeBySchema?: true;
  /** The schema changes the input again if it is applied twice. */
  readonly isMadeAnew?: true;
  /** The schema of the tool under test. */
  readonly schema?: z.ZodType;
  /** Additional properties of the tool under test. */
  readonly tool?: object;
  /** Additional own tools. */
  readonly tools?: (trial: Trial, policy: PolicyName) => ToolSet;
  readonly target?: (at: Coordinates) => string;
  /** Number of runs of a permitted tool. */
  readonly times?: number;
  readonly calls?: (trial: Trial) => ReplyCall[];
  /** What the model calls once the user has answered. */
  readonly callsAgain?: (trial: Trial) => ReplyCall[];
  /** Where the turn is aborted: in a hook, or when an observer hears of the call. */
  readonly abortedBy?: 'hook' | 'observer' | 'setting';
  /** The app's own `toolApproval`, given to `fold.with`. */
  readonly app?: (trial: Trial) => unknown;
  /** The app's own `toolApproval`, given to the SDK in place of the fold's. */
  readonly override?: (trial: Trial) => unknown;
  /** A second view, which does not have the policy. */
  readonly view?: (trial: Trial, changes: Changes) => Fields;
  /** Changes the fields before the app passes them on. */
  readonly fields?: (fields: Fields, trial: Trial) => Fields;
  /** Options that the app passes beside the fields. */
  readonly settings?: (trial: Trial) => Readonly<Record<string, unknown>>;
  /** Changes the messages. A new fold then continues them after a round trip through JSON. */
  readonly resume?: { readonly changes?: Changes; readonly tamper?: (talk: Talk) => void };
  /** Whether `repairToolCall` may be asked about a call that policy denies. */
  readonly mayRepair?: true;
  /** The conversation ends without a result of the call. */
  readonly isLeftOpen?: true;
  /** The model does not get results. */
  readonly isUnread?: true;
  /** The SDK itself may refuse the resumption by an error. */
  readonly mayThrow?: true;
  /** The real API refuses the history. */
  readonly isOdd?: true;
  readonly expects?: (at: Coordinates, expected: Expected) => Expected;
  readonly resumes?: (at: Coordinates) => Resumed;
  readonly also?: (outcome: Outcome) => string[];
  /** Coordinates that make no sense here, with the reason. */
  readonly skip?: (at: Coordinates) => string | undefined;
}
