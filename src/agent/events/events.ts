import type { APICallError } from 'ai';
import type { RequestEvent } from '../../ai-sdk/index.ts';
import type { ToolfoldError } from '../../errors.ts';
import type { ToolLog, ToolProgress } from '../../tools/tool/index.ts';
import type { Elicitation } from './elicitations.ts';

/**
 * Why a turn ended. `done`: the answer is complete. `approval`: the user must answer. `rounds`: no
 * rounds were left. `length`: the model's output limit was reached. `content-filter`: the provider's
 * filter stopped the answer. `other`: the provider gave another reason or none. `cancelled`: the
 * signal fired or the reader stopped. `error`: the turn failed.
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

/**
 * Why a turn failed: the SDK's error as it is (`APICallError.isInstance(error)`), or a `ToolfoldError`
 * with the code `model-refused` if the provider refuses the key. In `subagent` events it is a plain
 * name and message.
 */
export type TurnError = ToolfoldError | APICallError | Error;

/** What happens in a turn, in order. Calls carry the name of the real tool, never of a bridge tool. */
export type AgentEvent =
  | {
      readonly type: 'start';
      /** `provider/name`. */
      readonly model: string;
      readonly role?: string;
      readonly strategy: string;
      /** Why this strategy was chosen. */
      readonly reason: string;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A request is sent, with its token counts. */
  | ({ readonly type: 'request' } & RequestEvent)
  /** Schemas that were sent before the model asked for them. */
  | { readonly type: 'preload'; readonly tools: readonly string[] }
  /** Schemas that the model loaded. */
  | { readonly type: 'load'; readonly group: string; readonly tools: readonly string[] }
  /**
   * The model calls a tool that has not run yet. Comes before each `result` and each `failure`, also
   * for unknown tools and invalid arguments.
   */
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly arguments: unknown;
    }
  /** The user is asked. The turn continues, or ends with `approval`. */
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
  /** A server asks the user while its tool runs. Answer it with `agent.answerElicitation`. */
  | ({ readonly type: 'elicitation' } & Elicitation)
  /** The user's answer, or its end without one. The values are for the server alone. */
  | {
      readonly type: 'elicitation-answered';
      readonly elicitationId: string;
      readonly id: string;
      readonly name: string;
      readonly action: 'accept' | 'decline' | 'cancel';
    }
  /** How far a running tool is. Some are left out if they come faster than they are read. */
  | ({ readonly type: 'tool-progress'; readonly id: string; readonly name: string } & ToolProgress)
  /** A log message of a server while its tool runs. */
  | ({ readonly type: 'tool-log'; readonly id: string; readonly name: string } & ToolLog)
  | {
      readonly type: 'result';
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
    }
  /** The tool threw or was interrupted, or the call was not run: refused, denied or invalid. */
  | {
      readonly type: 'failure';
      readonly id: string;
      readonly name: string;
      readonly error: string;
    }
  /**
   * Withdraws text and calls that were emitted for an interrupted answer. The answer is not in
   * `messages`, and none of these calls has run. All other events stay valid.
   */
  | {
      readonly type: 'discarded';
      readonly text?: string;
      readonly calls?: readonly { readonly id: string; readonly name: string }[];
    }
  /** Tokens of one complete answer, as the provider counts them. Emitted before the calls of the answer run. */
  | {
      readonly type: 'usage';
      readonly input: number;
      readonly cacheRead: number;
      readonly cacheWrite: number;
      readonly output: number;
      /** Money, in the unit of the given prices. Absent if no price is known. */
      readonly cost?: number;
      /** Some or all tokens are Toolfold's estimate: the server reports none, or the request was interrupted. */
      readonly isEstimate?: true;
      /** Set if an MCP server has used the model, and not the agent. */
      readonly kind?: 'sampling';
    }
  /** An event of a subagent, emitted live. Events of its own subagents are nested in it. */
  | {
      readonly type: 'subagent';
      /** Unique among all children of this agent. */
      readonly child: string;
      /** The task id that the model chose. */
      readonly task: string;
      readonly event: AgentEvent;
    }
  /** A subagent has ended or was never started. Emitted once for each task. */
  | {
      readonly type: 'subagent-end';
      readonly child: string;
      readonly task: string;
      readonly status: SubagentStatus;
      readonly error?: string;
      /** Cost of the subagent, its own subagents included. */
      readonly spent: Spending;
    }
  /** A summary stands in place of the earlier part of the conversation. The next request begins a new epoch. */
  | {
      readonly type: 'compaction';
      /** The model's context window was full, or the user wanted it. */
      readonly cause: 'window' | 'user';
      /** Empty if only results became digests. */
      readonly summary: string;
      /** Estimated tokens of the messages before and after. */
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: 'warning'; readonly text: string }
  /** No tool rounds are left in this turn. `limit` is 0 if tools are off. The user can start another turn to continue. */
  | { readonly type: 'rounds'; readonly limit: number }
  | {
      readonly type: 'end';
      readonly reason: EndReason;
      /** All text of the turn, without discarded text. A blank line separates the texts of different requests. */
      readonly text: string;
      /** With the reason `error`: why the turn failed. */
      readonly error?: TurnError;
    };

/** An elicitation that a running tool waits for. */
export type PendingElicitation = Extract<AgentEvent, { type: 'elicitation' }>;

/** An approval that a turn waits for. */
export type PendingApproval = Extract<AgentEvent, { type: 'approval' }>;

/** Tokens and money of several requests. Tokens are the provider's count, or Toolfold's estimate if there is none. */
export interface Spending {
  readonly requests: number;
  /** All prompt tokens, those read from a cache included. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Money for the requests with a known price, in the unit of the given prices. */
  readonly cost: number;
  /** Requests without a known price. */
  readonly unpriced: number;
  /** Requests with estimated tokens. */
  readonly estimated: number;
}

/**
 * How a task ended. `incomplete`: the answer was cut off, stopped by a filter, too long, or given after
 * the last round.
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
