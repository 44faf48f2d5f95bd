import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Fold, FoldOptions, WithOptions } from '../../ai-sdk/index.ts';
import type {
  Category,
  CategorySettings,
  ModelSettings,
  RoleSettings,
  RoutingMode,
} from '../../config/index.ts';
import type {
  AgentEvent,
  ApprovalAnswer,
  ApprovalOptions,
  PendingApproval,
  Spending,
} from '../events/index.ts';
import type { AgentHooks } from '../settings/index.ts';
import type { SubagentOptions, Subagents } from '../subagents/tool/index.ts';

/** A fold, whatever tools the app itself has. */
export interface AgentFold extends Omit<Fold<ToolSet>, 'with'> {
  with(model: LanguageModel, options?: WithOptions): { model: LanguageModel; tools: object };
}

export interface AgentOptions {
  readonly model: LanguageModel;
  /** Whose tools and roles it has. */
  readonly fold: AgentFold;
  /** One of the fold's. Everything if left out. */
  readonly role?: string | undefined;
  /** The fold has them. Others here are an error, for one of the two would not count. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  readonly instructions?: string | undefined;
  readonly hooks?: AgentHooks | undefined;
  readonly approvals?: ApprovalOptions | undefined;
  /** `preload` if left out. */
  readonly routing?: RoutingMode | undefined;
  /** All there are; or, by name, those that are added to the built-in ones or replace them. */
  readonly categories?: readonly Category[] | CategorySettings | undefined;
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
  /** Told, when the agent is made, of a role that finds none of the tools it asks for. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * An agent that makes its own fold: the options of both, each once. A whole block of settings can be
 * spread into it.
 */
export interface AgentToolOptions
  extends Omit<AgentOptions, 'fold' | 'roles' | 'subagents' | 'onWarning'>,
    Omit<FoldOptions<ToolSet>, 'roles' | 'onWarning'> {
  readonly fold?: undefined;
  /** Beside the built-in ones; what is said of a built-in role replaces it key by key. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  /** What `createSubagents` returned, or its options; `true` for subagents as they are without. */
  readonly subagents?: Subagents | SubagentOptions | boolean | undefined;
  /** Things worth a log line, of the fold and of the agent. */
  readonly onWarning?: ((text: string) => void) | undefined;
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
  /** The one given, or the one it made: `agent.fold.update(groups)`. */
  readonly fold: AgentFold;
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
