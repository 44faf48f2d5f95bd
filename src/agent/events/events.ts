import type { RequestEvent } from '../../ai-sdk/index.ts';

/**
 * Why a turn ended: all said; an approval is awaited; no rounds were left; cut off at the model's limit;
 * stopped by the provider's filter; for another reason of the provider's, or for none it gave; cancelled;
 * failed.
 */
export type EndReason =
  | 'done'
  | 'approval'
  | 'rounds'
  | 'length'
  | 'content-filter'
  | 'other'
  | 'cancelled'
  | 'error';

/** What happens in a turn, in order; real tools under their own names, never the wrapper of a call. */
export type AgentEvent =
  | {
      readonly type: 'start';
      /** `provider/name`. */
      readonly model: string;
      readonly role?: string;
      readonly strategy: string;
      /** Why this strategy. */
      readonly reason: string;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A request as it is sent, with its tokens. */
  | ({ readonly type: 'request' } & RequestEvent)
  /** Schemas handed to the model before it asked. */
  | { readonly type: 'preload'; readonly tools: readonly string[] }
  /** Schemas the model asked for. */
  | { readonly type: 'load'; readonly group: string; readonly tools: readonly string[] }
  /**
   * The model wants a tool run; nothing has run yet. Ahead of each `result` and each `failure`, also
   * of a call that names no tool or has invalid arguments.
   */
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly arguments: unknown;
    }
  /** The user is asked; the turn goes on or ends with `approval`. */
  | {
      readonly type: 'approval';
      readonly approvalId: string;
      readonly id: string;
      readonly name: string;
      readonly arguments: unknown;
      readonly reason?: string;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly name: string;
      readonly approved: boolean;
      readonly reason?: string;
    }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
    }
  /** The tool threw, was interrupted, or was not run at all: refused, denied, invalid. */
  | {
      readonly type: 'failure';
      readonly id: string;
      readonly name: string;
      readonly error: string;
    }
  /**
   * What was told of an answer that broke off and is not in `messages`: its text, and its calls, none
   * of which has run. Everything else that is told stays.
   */
  | {
      readonly type: 'discarded';
      readonly text?: string;
      readonly calls?: readonly { readonly id: string; readonly name: string }[];
    }
  /** Tokens of one answer, once it is complete and before its calls have run: as the provider counts them. */
  | {
      readonly type: 'usage';
      readonly input: number;
      readonly cacheRead: number;
      readonly cacheWrite: number;
      readonly output: number;
      /** Money, in the unit that prices were given in; absent where no price is known. */
      readonly cost?: number;
      /** Our own count, of all or of what nobody said: the server does not, or the request broke off. */
      readonly isEstimate?: true;
    }
  /** What happens in a subagent, as it happens; of its own subagents too. */
  | {
      readonly type: 'subagent';
      /** Unlike that of any other child of this agent's. */
      readonly child: string;
      /** What the model calls the task. */
      readonly task: string;
      readonly event: AgentEvent;
    }
  /** A subagent has ended, or was never started: once for each task. */
  | {
      readonly type: 'subagent-end';
      readonly child: string;
      readonly task: string;
      readonly status: SubagentStatus;
      readonly error?: string;
      /** What it and its own subagents have cost. */
      readonly spent: Spending;
    }
  | { readonly type: 'warning'; readonly text: string }
  /** No more rounds of tools in this turn, of so many, or of none where tools are off; the user may say "go on". */
  | { readonly type: 'rounds'; readonly limit: number }
  | {
      readonly type: 'end';
      readonly reason: EndReason;
      /** All text of the turn, without what was discarded. */
      readonly text: string;
      readonly error?: unknown;
    };

/** An approval that a turn ended with. */
export type PendingApproval = Extract<AgentEvent, { type: 'approval' }>;

/** Tokens and money of some requests: as the provider counts tokens, and by our own count where it does not. */
export interface Spending {
  readonly requests: number;
  /** All of the prompts, what came from a cache too. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Money, in the unit that prices were given in, of the requests whose price is known. */
  readonly cost: number;
  /** Requests whose price is not known. */
  readonly unpriced: number;
  /** Requests whose tokens, or some of them, are our own count. */
  readonly estimated: number;
}

/**
 * How a task ended. `incomplete`: an answer that was cut off, that a filter stopped, that had no end, or
 * that was given when rounds had run out.
 */
export const STATUSES = [
  'done',
  'incomplete',
  'failed',
  'timed_out',
  'cancelled',
  'not_started',
] as const;

export type SubagentStatus = (typeof STATUSES)[number];
