import type { Fold, FoldOptions, WithOptions } from '@toolfold/ai-sdk';
import type {
  Category,
  CategorySettings,
  ModelSettings,
  RoleSettings,
  RoutingMode,
} from '@toolfold/config/internal/settings';
import type { ElicitationAnswer, StrategyChoice } from '@toolfold/core/internal/tool';
import type { LanguageModel, ModelMessage, ToolLoopAgentSettings, ToolSet, UserContent } from 'ai';
import type { UnknownChoice } from '../entries/index.ts';
import type {
  AgentEvent,
  AgentHooks,
  ApprovalAnswer,
  ApprovalOptions,
  Elicitation,
  ElicitationOptions,
  PendingApproval,
  Spending,
} from '../events/index.ts';
import type { Session } from '../sessions/index.ts';
import type { SubagentOptions, Subagents, SubagentTask, WorkOptions } from '../tasks/index.ts';
import type { RemoteAnswers, When } from './inbox.ts';

/** A fold with any tools of the app. */
export interface AgentFold extends Omit<Fold<ToolSet>, 'with'> {
  with(model: LanguageModel, options?: WithOptions): { model: LanguageModel; tools: object };
}

export interface AgentOptions {
  readonly model: LanguageModel;
  /** Where the model is served. The session keeps it, so that whoever goes on with it elsewhere can be told. */
  readonly address?: string | undefined;
  /** The fold with the tools and roles of the agent. */
  readonly fold: AgentFold;
  /** A role of the fold. All tools if left out. */
  readonly role?: string | undefined;
  /** Only the roles of the fold are accepted here. Others are an error, because they would have no effect. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  readonly instructions?: string | undefined;
  readonly hooks?: AgentHooks | undefined;
  readonly approvals?: ApprovalOptions | undefined;
  /**
   * How what MCP servers ask of the user is answered. `false`: it is declined. The server is told that
   * there is a user only if its pool says so (`requests.elicitation`).
   */
  readonly elicitation?: ElicitationOptions | boolean | undefined;
  /** `preload` if left out. */
  readonly routing?: RoutingMode | undefined;
  /** A list of all categories; or an object, by name, that adds to the built-in ones or replaces them. */
  readonly categories?: readonly Category[] | CategorySettings | undefined;
  /** The maximum number of tool rounds in a turn, 100 if left out. Limits of the role and the model take precedence. */
  readonly maxRounds?: number | undefined;
  /**
   * The maximum number of requests in a turn, those that only load or search included. The last one is for the answer.
   * 50 more than the rounds if left out.
   */
  readonly maxRequests?: number | undefined;
  /** The tokens of prompts and answers after which a turn calls no more tools. 20,000,000 if left out. */
  readonly maxTokens?: number | undefined;
  readonly models?: Readonly<Record<string, ModelSettings>> | undefined;
  /** The session that keeps the conversation, opened with `openSession` of `@toolfold/agent/sessions`. */
  readonly session?: Session | undefined;
  /**
   * Asked about each call that had started when an earlier process ended, and that may not be repeated.
   * Without it, or if it returns nothing, the model is told that the outcome is unknown.
   */
  readonly onUnknown?: ((call: AskedUnknownCall) => Promise<UnknownChoice | undefined>) | undefined;
  /** A conversation to continue. Not with a session, which has its own. */
  readonly messages?: readonly ModelMessage[] | undefined;
  /** The result of `createSubagents`. Its `tools` must be among the tools of the fold. */
  readonly subagents?: Subagents | undefined;
  /** Settings and callbacks of the AI SDK. Subagents get the settings of the model call, but no callbacks. */
  readonly settings?: SdkSettings | undefined;
  /** Called when the agent is created, if the role names tools but none of them exists. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

type AllSettings = ToolLoopAgentSettings<never, ToolSet>;

/** Older versions of AI SDK 7 lack some of these. */
type SettingName =
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'reasoning'
  | 'maxRetries'
  | 'headers'
  | 'timeout'
  | 'providerOptions'
  | 'activeTools'
  | 'toolChoice'
  | 'toolOrder'
  | 'toolCallConcurrency'
  | 'telemetry'
  | 'experimental_telemetry'
  | 'experimental_download'
  | 'experimental_toolApprovalSecret'
  | 'repairToolCall'
  | 'experimental_repairToolCall'
  | 'experimental_refineToolInput'
  | 'onStart'
  | 'onStepStart'
  | 'onLanguageModelCallStart'
  | 'onLanguageModelCallEnd'
  | 'onToolExecutionStart'
  | 'onToolExecutionEnd'
  | 'onStepEnd'
  | 'onStepFinish'
  | 'onStepError'
  | 'onError'
  | 'onAbort'
  | 'onEnd'
  | 'onFinish';

/** The settings and callbacks of the AI SDK's `ToolLoopAgent` that an agent passes on. All others are refused. */
export interface SdkSettings extends Pick<AllSettings, Extract<keyof AllSettings, SettingName>> {
  /** How often a stream that broke off is asked for again. */
  readonly streamRetries?: number;
  /** The form of the answer, such as `Output.object`. */
  readonly output?: unknown;
}

/**
 * The options of an agent that creates its own fold, and of that fold. A whole block of settings can
 * be spread into them.
 */
export interface AgentToolOptions
  extends Omit<AgentOptions, 'fold' | 'roles' | 'subagents' | 'onWarning'>,
    Omit<FoldOptions<ToolSet>, 'roles' | 'onWarning'> {
  readonly fold?: undefined;
  /** Added to the built-in roles. A built-in role is replaced key by key. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  /** The result of `createSubagents`, or its options. `true` for the default options. */
  readonly subagents?: Subagents | SubagentOptions | boolean | undefined;
  /** Called with warnings of the fold and of the agent. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface AskOptions extends TurnOptions {
  /** Whether the model sees what was said before. Default: true. */
  readonly conversation?: boolean | undefined;
}

export interface SendOptions extends TurnOptions {
  /**
   * Names this message: 1 to 200 characters, chosen by the app. A message whose id the conversation knows
   * starts no turn. A session keeps the ids, for all its processes.
   */
  readonly id?: string | undefined;
  /**
   * Lets the message be sent while a turn of this agent runs. `now`: it reaches the model with the next request, behind
   * the results of calls. Calls that have not begun do not run, except for reads that need no approval. `after`, and
   * `now` where the model takes no message behind results: when the model has answered. The turn goes on with it, and
   * its events come with those of the turn. If the turn ends before, the message begins a turn of its own. `signal`
   * takes it back.
   */
  readonly when?: When | undefined;
}

/** The answer to a quick question. */
export interface QuickAnswer {
  readonly text: string;
  readonly usage?: Extract<AgentEvent, { type: 'usage' }>;
}

/** Settings that may change between two turns. What is left out stays. */
export interface AgentSettings {
  /** Null for no role. */
  readonly role?: string | null | undefined;
  readonly model?: LanguageModel | undefined;
  /** Where this model is served. */
  readonly address?: string | undefined;
  /** The strategy for the model, whatever the settings of models and the fold say. */
  readonly strategy?: StrategyChoice | undefined;
  readonly routing?: RoutingMode | undefined;
}

export interface ResumeOptions extends TurnOptions {
  /** What the user decides about calls of `agent.unknown()`, by their ids. */
  readonly unknown?: Readonly<Record<string, UnknownChoice>> | undefined;
}

/** A call that had started when its process ended. Nobody knows whether it took effect. */
export interface UnknownCall {
  /**
   * Names it for `resume`: the id of the call. Before that of a subagent's call stand the names of the
   * subagents, each with a slash, because calls of different subagents may have the same id.
   */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** Task id of the subagent that made the call. `a/b` means task `b`, started by the subagent of task `a`. */
  readonly subagent?: string;
  /**
   * Why the calls of a subagent are not known: its session cannot be read. The call is then the one that
   * started it, with this task alone. It does not continue, whatever is chosen.
   */
  readonly error?: string;
}

/** An unknown call to decide about. */
export interface AskedUnknownCall extends UnknownCall {
  /** When it was started, in milliseconds since 1970. Absent if that is not known. */
  readonly startedAt?: number;
  /** Fires when no decision is needed any more. The decision is then ignored. */
  readonly signal: AbortSignal;
}

/** The place and the time of an event. */
export interface EventStamp {
  /** The number of the last entry of the session when it happened. */
  readonly seq: number;
  /** The number of the turn in the session. */
  readonly turn: number;
  /** The number of requests in the turn so far. */
  readonly step: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * Of an event that is only shown while it happens: its number since that entry, from 1. Pieces that are joined have
   * that of the first.
   */
  readonly n?: number;
  /** Of a piece of an answer: which attempt of its request it comes from, from 1. */
  readonly attempt?: number;
}

export type StampedEvent = AgentEvent & EventStamp;

/** The usage of an agent since it was created. */
export interface AgentSpending {
  readonly own: Spending;
  /** The usage of the agent's model by MCP servers. */
  readonly sampling: Spending;
  /** The usage of all its subagents, at all levels. */
  readonly subagents: Spending;
  readonly total: Spending;
}

export interface Agent {
  /** The given fold, or the one the agent created. Use it for `agent.fold.update(groups)`. */
  readonly fold: AgentFold;
  /**
   * Runs one turn for a text of the user, or for texts, images and files, and yields its events. A failure of the turn is its last
   * event. The turn starts when the events are read, which is possible once. Leaving the loop early
   * cancels the turn. With an id that the conversation knows, nothing happens and there are no events. Throws
   * `invalid-option` for an empty text, an invalid id and a file that the model does not take, and without
   * `when` while another turn is running.
   */
  send(content: UserContent, options?: SendOptions): AsyncIterable<StampedEvent>;
  /**
   * Answers approvals by id. The turn continues when all are answered; until then it waits again. Read
   * the events as for `send`. Throws `invalid-option` for an approval that is not pending.
   */
  answer(
    answers: Readonly<Record<string, ApprovalAnswer>>,
    options?: TurnOptions,
  ): AsyncIterable<StampedEvent>;
  /**
   * Continues a turn that failed or was cancelled, without a new text of the user. Sends the last
   * request again, with the results of tools that ran. If approvals are pending, the user is asked
   * again if the app can ask. Read the events as for `send`. Throws `invalid-option` if there is
   * nothing to continue, and if the app can not ask about a pending approval; with a session, when the events are
   * read: an answer may wait in its inbox. With a session it also continues a turn whose process ended: calls with a
   * recorded result are not run again, and calls that had started only where a trusted source says that
   * this is safe.
   */
  resume(options?: ResumeOptions): AsyncIterable<StampedEvent>;
  /**
   * Replaces the earlier part of the conversation by a summary. Read the events as for `send`: without a
   * `compaction` there was too little to save. With a context window in `models`, turns do it themselves
   * when the window is full.
   */
  compact(options?: TurnOptions): AsyncIterable<StampedEvent>;
  /**
   * Asks a question outside the conversation: with texts only, without tools. A session keeps question, answer and usage
   * beside its messages.
   */
  ask(text: string, options?: AskOptions): Promise<QuickAnswer>;
  /**
   * Changes settings between turns. The next turn begins a new epoch where they change its prefix. A
   * session keeps them. Throws `invalid-option` while a turn is running, and `unknown-role`.
   */
  configure(changes: AgentSettings): void;
  readonly pending: readonly PendingApproval[];
  /**
   * Calls that had started when an earlier process ended, and that may not be repeated: of the agent, and
   * of its subagents at all levels. Loads their groups. Changes nothing.
   */
  unknown(): Promise<readonly UnknownCall[]>;
  /** Whether `resume` has something to continue. */
  readonly canResume: boolean;
  /**
   * Answers what a server asks while its tool runs, also for a subagent. Throws `invalid-option` if it
   * is not open. The pool asks again, with `problems`, if the values do not fit the fields.
   */
  answerElicitation(elicitationId: string, answer: ElicitationAnswer): void;
  /** What servers ask now. */
  readonly elicitations: readonly Elicitation[];
  readonly messages: readonly ModelMessage[];
  readonly spending: AgentSpending;
  /** The subagents that have not ended. */
  readonly subagents: readonly RunningSubagent[];
  /**
   * Cancels one subagent and its children. Its result says so. The others and the turn continue. A
   * subagent of a subagent is cancelled too, if it works in this process. Resolves when it has stopped;
   * resolves with false if there is no such child.
   */
  cancelSubagent(child: string): Promise<boolean>;
  /**
   * Turns tools on or off. If they are off before the first request, none are sent. If they are turned
   * off later, they stay declared but calls are denied. Running subagents keep their tools: cancel them.
   */
  setTools(on: boolean): void;
}

/** A subagent that is running or waiting to start. */
export interface RunningSubagent {
  /** The id for `agent.cancelSubagent`. */
  readonly child: string;
  readonly task: string;
  readonly role?: string;
}

/** The relation of a subagent to its parent. `task` is the text without the text around it: keyword routing uses it. */
export interface Lineage
  extends Pick<SubagentTask, 'child' | 'ceiling' | 'without' | 'depth' | 'task'>,
    Pick<WorkOptions, 'stop'> {
  /** The user of the parent, if the child works in the same process. Two calls for one user may share a server. */
  readonly user?: object | undefined;
  /** Answers of other processes to the parent's approvals, if the child works in the same process. */
  readonly remoteAnswers?: RemoteAnswers<ApprovalAnswer> | undefined;
  /** Called with the current length of the answer being written, in characters. */
  readonly onLength: (characters: number) => void;
}
