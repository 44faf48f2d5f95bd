import type { RequestEvent, SchemaSource, Segment, ToolHooks } from '@toolfold/ai-sdk';
import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { ToolLog, ToolProgress } from '@toolfold/core/internal/tool';
import { pick } from '@toolfold/core/internal/values';
import type { APICallError } from 'ai';
import type { Budget, EndCode, EndReason } from './end.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  CallIdentity,
  Elicitation,
} from './user-requests.ts';

/**
 * Why a turn failed: the SDK's error as it is (`APICallError.isInstance(error)`), or a `ToolfoldError`
 * with the code `model-refused` if the provider refuses the key. In `subagent` events it is a plain
 * name and message.
 */
export type TurnError = ToolfoldError | APICallError | Error;

/** A request as it was sent, with its number. Numbers rise with each request of the agent. */
export type SentRequest = {
  readonly request: number;
  /** Set for a compaction that the user wants: the turn before does not go on. */
  readonly kind?: 'compaction';
} & Omit<RequestEvent, 'epoch' | 'toolsChanged' | 'schemaOf'>;

/**
 * Who decided about a call. `user`: the user was asked. `grant`: an earlier answer of the user holds for
 * it. `policy`: the agent, because of its settings. `hook`: a hook of the app.
 */
export type DecisionSource = 'user' | 'grant' | 'policy' | 'hook';

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
  /** What the user says to the agent, with a line for each file. */
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A request of the conversation is sent, with its token counts and segments. Its strategy is `none` if it needs none. */
  | ({ readonly type: 'request' } & SentRequest)
  /** An epoch begins with the next request: the bytes that all its requests begin with are frozen. */
  | { readonly type: 'epoch'; readonly strategy: string; readonly reason: string }
  /** The next request tells the model that the list of tools has changed. Names of the tools. */
  | {
      readonly type: 'tools-changed';
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** A request does not begin with what was sent before, so the provider's cache does not hold it. */
  | {
      readonly type: 'prefix-broken';
      readonly request: number;
      /** The first segment of the request before that is missing or different. */
      readonly segment: { readonly index: number; readonly kind: Segment['kind'] };
      /** Why, in words. */
      readonly cause: string;
    }
  /** The endpoint refused the form of a strategy. Another strategy is used from now on. */
  | {
      readonly type: 'fallback';
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  /** A request failed and is sent again after a wait, which begins now. */
  | {
      readonly type: 'retry';
      /** 2 for the first repetition. */
      readonly attempt: number;
      /** HTTP status of the failure, if there was an answer. */
      readonly status?: number;
      /** Milliseconds from the failure to the repetition. */
      readonly wait?: number;
    }
  /** Schemas that were sent before the model asked for them. */
  | { readonly type: 'preload'; readonly tools: readonly string[] }
  /** Schemas that the model loaded. */
  | { readonly type: 'load'; readonly group: string; readonly tools: readonly string[] }
  /**
   * A part of the arguments of a call, as the model writes them. Comes before the `call`, which has all of
   * them. Parts may be missing, and a call may never follow: to show only.
   */
  | {
      readonly type: 'call-delta';
      readonly id: string;
      readonly name?: string;
      readonly text: string;
    }
  /**
   * The model calls a tool that has not run yet. Comes before each `result` and each `failure`, also
   * for unknown tools and invalid arguments.
   */
  | ({
      readonly type: 'call';
      readonly arguments: unknown;
      /** How the model got the schema of the tool. Absent if it had none. */
      readonly schema?: SchemaSource;
      /** The name that the model used, if it is not `name`: often that of a bridge tool. */
      readonly wireName?: string;
      /** What the model wrote, if it is not JSON. */
      readonly raw?: string;
      /** What was repaired in the arguments that the model wrote, for people. Absent if nothing was. */
      readonly repairs?: readonly string[];
    } & CallIdentity)
  /** The user is asked. The turn continues, or ends with `approval`. */
  | ({ readonly type: 'approval'; readonly approvalId: string } & Omit<
      ApprovalRequest,
      'subagent' | 'signal' | 'position'
    >)
  | ({
      readonly type: 'decision';
      readonly approved: boolean;
      readonly reason?: string;
      readonly approvalId?: string;
      readonly scope?: NonNullable<ApprovalAnswer['scope']>;
      /** Absent if it is not known. */
      readonly source?: DecisionSource;
    } & CallIdentity)
  /** The call is allowed, and its tool begins to run. A call that is only replayed has none. */
  | ({
      readonly type: 'tool-start';
      /** What was repaired in the arguments only now, because the tool had not loaded before. */
      readonly repairs?: readonly string[];
    } & CallIdentity)
  /** A server asks the user while its tool runs. Answer it with `agent.answerElicitation`. */
  | ({ readonly type: 'elicitation' } & Elicitation)
  /** The user's answer, or its end without one. The values are for the server alone. */
  | ({
      readonly type: 'elicitation-answered';
      readonly elicitationId: string;
      readonly action: 'accept' | 'decline' | 'cancel';
    } & CallIdentity)
  /** How far a running tool is. Some are left out if they come faster than they are read. */
  | ({ readonly type: 'tool-progress' } & CallIdentity & ToolProgress)
  /** A log message of a server while its tool runs. */
  | ({ readonly type: 'tool-log' } & CallIdentity & ToolLog)
  | ({
      readonly type: 'result';
      readonly output: unknown;
      /** Milliseconds from the start of the tool to its end. */
      readonly duration?: number;
    } & CallIdentity)
  /** The tool threw or was interrupted, or the call was not run: refused, denied or invalid. */
  | ({
      readonly type: 'failure';
      readonly error: string;
      /** Milliseconds from the start of the tool to its end. Absent if it did not run or has not ended. */
      readonly duration?: number;
      /** The tool was interrupted, so nobody knows whether it had its effect. */
      readonly isUnknown?: true;
    } & CallIdentity)
  /**
   * Withdraws text, reasoning and calls that were emitted for an interrupted answer. The answer is not in
   * `messages`, and none of these calls has run. Each call has a `result`, a `failure`, or is withdrawn
   * here. All other events stay valid.
   */
  | {
      readonly type: 'discarded';
      readonly text?: string;
      readonly reasoning?: string;
      readonly calls?: readonly CallIdentity[];
    }
  /** Tokens of one complete answer, as the provider counts them. Emitted before the calls of the answer run. */
  | ({
      readonly type: 'usage';
      /** The number of the `request` event. Absent for requests beside the conversation. */
      readonly request?: number;
      /** Milliseconds from sending the request to the end of its answer. */
      readonly duration?: number;
      /** Money, in the unit of the given prices. Absent if no price is known. */
      readonly cost?: number;
      /** Some or all tokens are Toolfold's estimate: the server reports none, or the request was interrupted. */
      readonly isEstimate?: true;
      /** Set if an MCP server has used the model, and not the agent. */
      readonly kind?: 'sampling';
    } & TokenUsage)
  /** An event of a subagent, emitted live. Events of its own subagents are nested in it. */
  | ({ readonly type: 'subagent'; readonly event: AgentEvent } & ChildIdentity)
  /** A subagent has ended or was never started. Emitted once for each task. */
  | ({
      readonly type: 'subagent-end';
      readonly status: SubagentStatus;
      readonly error?: string;
      /** Cost of the subagent, its own subagents included. */
      readonly spent: Spending;
    } & ChildIdentity)
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
  /** No more tools run in this turn. `limit` is 0 if tools are off. The user can start another turn to continue. */
  | {
      readonly type: 'rounds';
      readonly limit: number;
      readonly roundsLeft?: number;
      /** The limit that was reached, if it is not that of the rounds. */
      readonly of?: Budget;
    }
  | {
      readonly type: 'end';
      readonly reason: EndReason;
      /** All text of the turn, without discarded text. A blank line separates the texts of different requests. */
      readonly text: string;
      /** Tool rounds that the turn had left. */
      readonly roundsLeft?: number;
      /** With the reason `error`: why the turn failed. */
      readonly error?: TurnError;
      /** With the reason `error`: its kind. */
      readonly code?: EndCode;
    };

/** A subagent. */
interface ChildIdentity {
  /** The id of the call that started it. */
  readonly call?: string;
  /** Unique among all children of this agent. */
  readonly child: string;
  /** The task id that the model chose. */
  readonly task: string;
}

/** An elicitation that a running tool waits for. */
export type PendingElicitation = Extract<AgentEvent, { type: 'elicitation' }>;

/** An approval that a turn waits for. */
export type PendingApproval = Extract<AgentEvent, { type: 'approval' }>;

/** Tokens, as the provider counts them. */
export interface TokenUsage {
  /** All prompt tokens, those read from a cache included. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Tokens and money of several requests. Tokens are the provider's count, or Toolfold's estimate if there is none. */
export interface Spending extends TokenUsage {
  readonly requests: number;
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

/** No requests. */
export const NOTHING_SPENT: Spending = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  estimated: 0,
};

/** The spending with a usage event, also one nested in subagent events. Other events change nothing. */
export function withUsage(spent: Spending, event: AgentEvent): Spending {
  if (event.type === 'subagent') return withUsage(spent, event.event);
  if (event.type !== 'usage') return spent;
  const { cost = 0, isEstimate } = event;
  return plus(spent, {
    ...pick(event, 'input', 'cacheRead', 'cacheWrite', 'output'),
    ...{ requests: 1, cost, unpriced: event.cost === undefined ? 1 : 0 },
    estimated: isEstimate ? 1 : 0,
  });
}

/** The sum of both. */
export function plus(one: Spending, other: Spending): Spending {
  const keys = Object.keys(NOTHING_SPENT) as (keyof Spending)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Spending;
}

/** What an agent has spent, by who used its model. */
export class Accounts {
  readonly #spent = { own: NOTHING_SPENT, sampling: NOTHING_SPENT, subagents: NOTHING_SPENT };

  /** Counts a usage event: the agent's own, that of an MCP server, or that of a subagent. */
  take(event: AgentEvent): void {
    const own = event.type === 'usage' && event.kind === 'sampling' ? 'sampling' : 'own';
    const of = event.type === 'usage' ? own : 'subagents';
    this.#spent[of] = withUsage(this.#spent[of], event);
  }

  get spending(): Readonly<Record<'own' | 'sampling' | 'subagents' | 'total', Spending>> {
    const { own, sampling, subagents } = this.#spent;
    return { own, sampling, subagents, total: plus(plus(own, sampling), subagents) };
  }
}

/**
 * Rewrites the app's system text once per epoch. The result is frozen for the epoch. Several hooks run
 * in order; each gets the result of the one before.
 */
export type TransformSystemPrompt = (text: string) => string | Promise<string>;

export interface AgentHooks extends ToolHooks {
  readonly transformSystemPrompt?: TransformSystemPrompt | readonly TransformSystemPrompt[];
}
