import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Fold, WithOptions } from '../../ai-sdk/index.ts';
import type {
  AgentEvent,
  ApprovalAnswer,
  ApprovalOptions,
  PendingApproval,
  Spending,
} from '../events/index.ts';
import type { RoleSettings } from '../roles/index.ts';
import type { Category } from '../routing/index.ts';
import type { AgentHooks, ModelSettings } from '../settings/index.ts';
import type { Subagents } from '../subagents/tool/index.ts';

/**
 * What words of a turn do. `off`: nothing. `preload`: nothing is hidden and the prefix stays; up to
 * three schemas are handed over at the tail. `narrow`: only tools of matched categories are declared
 * and catalogued; none matched, no tools at all, `subagents` neither. A category once matched stays,
 * and each new one begins an epoch: the cached prefix is lost then.
 */
export type RoutingMode = 'off' | 'preload' | 'narrow';

/** A fold, whatever tools the app itself has. */
export interface AgentFold extends Omit<Fold<ToolSet>, 'with'> {
  with(model: LanguageModel, options?: WithOptions): { model: LanguageModel; tools: object };
}

export interface AgentOptions {
  readonly model: LanguageModel;
  /** Made with the same `roles`: `createFold({ groups, roles: rolesWith(own) })`. */
  readonly fold: AgentFold;
  readonly role?: string | undefined;
  /** For the rounds that roles have; the fold decides what they may use. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  readonly instructions?: string | undefined;
  readonly hooks?: AgentHooks | undefined;
  readonly approvals?: ApprovalOptions | undefined;
  /** `preload` if left out. */
  readonly routing?: RoutingMode | undefined;
  readonly categories?: readonly Category[] | undefined;
  /** Rounds of tools in a turn, 5 if left out; the role's and the model's own go before. */
  readonly maxRounds?: number | undefined;
  readonly models?: Readonly<Record<string, ModelSettings>> | undefined;
  /** A conversation to go on with. */
  readonly messages?: readonly ModelMessage[] | undefined;
  /** Has the tool `subagents`; its `tools` have to be among the fold's. */
  readonly subagents?: Subagents | undefined;
  /**
   * Other settings of the AI SDK's `ToolLoopAgent`: `providerOptions`, `temperature`, `maxRetries`.
   * Subagents get those of the model call, and no callbacks.
   */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What an agent has cost since it was made. */
export interface AgentSpending {
  readonly own: Spending;
  /** Of its subagents and theirs. */
  readonly subagents: Spending;
  readonly total: Spending;
}

export interface Agent {
  /**
   * One turn: what the user says, and everything that comes of it; failures of the turn are its last
   * event. Nothing happens before the events are read, which they can be once. Leaving the loop early
   * cancels the turn. Throws `invalid-option` for an empty text, and while another turn is under way.
   */
  send(text: string, options?: TurnOptions): AsyncIterable<AgentEvent>;
  /**
   * Answers approvals by id. The turn goes on with the last of them; until then it waits again. Read
   * like those of `send`; throws `invalid-option` for an approval that is not pending.
   */
  answer(
    answers: Readonly<Record<string, ApprovalAnswer>>,
    options?: TurnOptions,
  ): AsyncIterable<AgentEvent>;
  /**
   * Goes on with a turn that failed or was cancelled, without new words of the user's: the last request
   * is made again, results of tools that ran in hand. Where approvals are pending, the user is asked
   * again if the app can ask. Read like those of `send`; throws `invalid-option` where there is nothing
   * to go on with.
   */
  resume(options?: TurnOptions): AsyncIterable<AgentEvent>;
  /** A quick question beside the conversation: its texts alone, no tools, nothing kept. */
  ask(text: string, options?: TurnOptions): Promise<string>;
  readonly pending: readonly PendingApproval[];
  readonly messages: readonly ModelMessage[];
  readonly spending: AgentSpending;
  /** Subagents that have not ended. */
  readonly subagents: readonly RunningSubagent[];
  /**
   * Cancels one of them, with its own children; the others and the turn go on, and its result says so.
   * Resolves when nothing of it runs any more; false where there is no such child of this agent's own.
   */
  cancelSubagent(child: string): Promise<boolean>;
  /**
   * Off before the first request: none are sent. Off later: they stay declared and are not to be
   * called. Subagents at work keep theirs: cancel them.
   */
  setTools(on: boolean): void;
}

/** A subagent at work, or waiting for its turn. */
export interface RunningSubagent {
  /** For `agent.cancelSubagent`. */
  readonly child: string;
  readonly task: string;
  readonly role?: string;
}
