/** An approval of a call, and its answer if there is one. */
export interface TranscriptApproval {
  readonly approvalId: string;
  /** Why the user was asked. */
  readonly reason?: string;
  readonly answer?: {
    readonly approved: boolean;
    readonly scope?: string;
    readonly reason?: string;
  };
}

/**
 * How far a call is. `intended`: it has not been started. `waiting`: the user has not answered.
 * `unknown`: it was started and has no result, so nobody knows whether it took effect.
 */
export type CallState = 'intended' | 'waiting' | 'denied' | 'unknown' | 'done' | 'failed';

export interface TranscriptCall {
  readonly type: 'call';
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** What was repaired in the arguments that the model wrote. Absent if nothing was. */
  readonly repairs?: readonly string[];
  readonly state: CallState;
  readonly approvals: readonly TranscriptApproval[];
  readonly output?: unknown;
  readonly error?: string;
  /** What the user decided about a call whose outcome was unknown. */
  readonly choice?: string;
}

/** A part of a transcript. `at`: milliseconds since 1970. */
export type TranscriptItem =
  /** `how`: `send` for a new turn, otherwise how an earlier one went on, such as `answer`. */
  | { readonly type: 'turn'; readonly at: number; readonly number: number; readonly how: string }
  | { readonly type: 'user' | 'answer'; readonly at: number; readonly text: string }
  | TranscriptCall
  /** Something about the session, such as a warning. `text` is what it refers to, such as a summary. */
  | { readonly type: 'note'; readonly at: number; readonly title: string; readonly text?: string }
  | { readonly type: 'end'; readonly at: number; readonly reason: string; readonly error?: string };

/** Tokens of a session, those of its subagents included. `cost`: absent if no price was known. */
export interface TranscriptUsage {
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly cost?: number;
}

/** What the entries of a session say, for people. */
export interface Transcript {
  readonly items: readonly TranscriptItem[];
  /** The number of the last turn. */
  readonly turns: number;
  /** How the last turn ended; absent if it has not. */
  readonly end?: { readonly reason: string; readonly error?: string };
  /** Calls that may still run: those that wait, and those with an unknown outcome. */
  readonly open: readonly TranscriptCall[];
  readonly usage: TranscriptUsage;
}

/** The part of an entry that a transcript reads. */
export interface TranscriptEntry {
  readonly kind: string;
  readonly body: unknown;
  readonly at: number;
}
