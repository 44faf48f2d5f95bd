import type { CacheSetting, RoleSettings } from '@toolfold/config/internal/settings';
import type { CallObserver, ExecutedCall, RunWith, ToolHooks } from '@toolfold/core/internal/host';
import type { OwnCapability, OwnPrices, OwnResultFiles } from '@toolfold/core/internal/models';
import type { ToolState } from '@toolfold/core/internal/request';
import type { Explanation, ToolLayer, ToolLayerOptions } from '@toolfold/core/internal/session';
import type {
  BridgeKind,
  CallHost,
  DeferredToolGroup,
  StrategyChoice,
  Tool,
} from '@toolfold/core/internal/tool';
import type { LanguageModel, ModelMessage, Tool as SdkTool, ToolSet } from 'ai';
import type { ChoosePreload, MessageHistory, Notice, RequestEvent } from '../request/index.ts';
import type { AppApproval, ToolApproval } from '../tool-set/index.ts';

/** A tool group whose loader may also return a `ToolSet` of the AI SDK. */
export interface SdkToolGroup extends Omit<DeferredToolGroup, 'loader'> {
  readonly loader: (options: {
    readonly signal: AbortSignal;
  }) => Promise<readonly Tool[] | ToolSet>;
}

/** Groups that change while they are used, such as the servers of a pool. */
export interface LiveGroups {
  /** The groups at this moment. */
  readonly groups: readonly SdkToolGroup[];
  /** Calls the listener when `groups` has changed. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

export interface FoldOptions<TOOLS extends ToolSet>
  extends Omit<ToolLayerOptions, 'tools' | 'groups' | 'roles'> {
  /**
   * The app's own tools. A strategy that you name defers them, `auto` if they are large. `deferLoading` of a
   * tool and `exposure` decide otherwise.
   */
  readonly tools?: TOOLS | undefined;
  /** A list, or groups that change while they are used, such as the servers of a pool. */
  readonly groups?: readonly SdkToolGroup[] | LiveGroups | undefined;
  /** Roles by name. An agent over the fold also takes the rounds of a role from here. */
  readonly roles?: Readonly<Record<string, RoleSettings>> | undefined;
  /** Rows with precedence over `@toolfold/core/models`: which models accept tools in mid-conversation. */
  readonly capabilities?: readonly OwnCapability[] | undefined;
  /** Rows with precedence over `@toolfold/core/models`: cache prices. */
  readonly prices?: readonly OwnPrices[] | undefined;
  /** Rows with precedence over `@toolfold/core/models`: which files of results a model takes. */
  readonly resultFiles?: readonly OwnResultFiles[] | undefined;
  /** Marks the results and errors of group tools as data that is not an instruction. */
  readonly frameResults?: boolean | undefined;
  /**
   * The maximum number of characters that the model sees of a result of a group tool: its start and its
   * end. The messages keep the whole result. Left out, there is no limit.
   */
  readonly maxResultLength?: number | undefined;
  /**
   * Replaces secrets in a text, such as the keys that tools get: `hideSecrets` of `@toolfold/mcp` makes such a function. It
   * is applied to what tools return and throw before hooks, messages and the model have it; an agent applies it to its
   * errors and events too. Arguments of calls stay as they are. It must return the same for the same text.
   */
  readonly hide?: ((text: string) => string) | undefined;
  /** Called with each request as it is sent, with its tokens. A failure is reported once as a warning, and changes nothing else. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Where loads are answered; see `LoadsIn`. `model-call` if left out. */
  readonly loads?: LoadsIn | undefined;
  /** Whether and how requests ask for the provider's prompt cache. `auto` if left out. */
  readonly cache?: CacheSetting | undefined;
}

/**
 * Where calls that only load, search or describe are answered. `model-call`: inside the model call, up to
 * four times in a row, so that they cost the app no step; the SDK sees them as run by the provider.
 * `steps`: by the SDK, each in a step of its own, like the calls of other tools.
 */
export type LoadsIn = 'model-call' | 'steps';

/** The tools that a parent agent may use, as plain data. Its subagents get no more. */
export interface Ceiling extends Pick<WithOptions, 'role' | 'only' | 'without'> {
  readonly parent?: Ceiling;
}

/** `TOOLS`: the tools of the fold, whose names `toolApproval` may have. */
export interface WithOptions<TOOLS extends ToolSet = ToolSet> {
  /** The role of this view. Own tools that the role may not use are missing from `tools` at run time, although the type has them. */
  readonly role?: string | undefined;
  /** The result of an earlier `state()`. Keep it on a server, not in a browser. `null` is none. */
  readonly state?: ToolState | null | undefined;
  /** The context window of the model, in tokens. */
  readonly contextWindow?: number | undefined;
  /** Overrides the strategy of the fold. */
  readonly strategy?: StrategyChoice | undefined;
  /** Overrides where loads are answered. */
  readonly loads?: LoadsIn | undefined;
  /** Overrides how requests ask for the prompt cache. `false` suits a single request that nobody continues. */
  readonly cache?: CacheSetting | undefined;
  /** Whether the model sees images, where the rows of `resultFiles` and `@toolfold/core/models` do not say so. */
  readonly images?: boolean | undefined;
  /** Narrows the role to these globs. Other globs begin a new epoch. */
  readonly only?: readonly string[] | undefined;
  /** Removes these globs from the role. Other globs begin a new epoch. */
  readonly without?: readonly string[] | undefined;
  /** For a subagent: the ceiling of its parent. Throws `empty-role` if the role lists tools and the parent allows none of them. */
  readonly parent?: Ceiling | undefined;
  /** Replaces `execute` of own tools, by name. */
  readonly execute?: Readonly<Record<string, NonNullable<SdkTool['execute']>>> | undefined;
  /** Chooses schemas to preload with a message of the user: at most 3 schemas and 1,500 tokens; none in `eager`. If choosing fails, there are none, and a warning says why. */
  readonly preload?: ChoosePreload | undefined;
  /** Adds a text at the tail of a request. Later requests keep it at that position. */
  readonly notice?: Notice | undefined;
  /** Called with each request as it is sent. A failure is reported once as a warning. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /**
   * For hosts whose messages never change: what the host sets before each request, so that the messages of the
   * request before are not compared with what was sent.
   */
  readonly history?: MessageHistory | undefined;
  /** Called when the endpoint refused a form of appended tools and another strategy is used from now on. A failure is reported once as a warning. */
  readonly onFallback?: ((fallback: Fallback) => void) | undefined;
  /** Called for each run of a tool that returns a promise, so that a caller can wait for all runs to end. */
  readonly onExecute?: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  /** Wraps each execution of a tool: a host that keeps a journal returns a recorded result instead. */
  readonly runWith?: RunWith | undefined;
  /**
   * The host of each call of a group's tool: what the tool may ask meanwhile, and who is told about its
   * progress. MCP servers get what their pool announces.
   */
  readonly callHost?:
    | ((call: Pick<ExecutedCall, 'id' | 'name'>) => CallHost | undefined)
    | undefined;
  /** Hooks for calls of real tools; see the type of each hook. */
  readonly hooks?: ToolHooks | undefined;
  /**
   * The app's `toolApproval`, as the AI SDK takes it. It overrides `needsApproval` of a tool, but never
   * a hook. Throws `invalid-option` for a name that no tool has, a glob, and the name of a dispatcher. A name with `__` may be that of a tool that
   * comes later: as long as no tool has it, a warning says so.
   */
  readonly toolApproval?: AppApproval<ApprovalName<TOOLS>> | undefined;
  /** Observers of each execution of a tool. Both of their functions are awaited. */
  readonly observers?: CallObserver | readonly CallObserver[] | undefined;
  /**
   * What to do if `state` was made under another strategy. The default is an error, or a new epoch and a warning where one
   * of the two declares everything, as `false` and `eager` do.
   */
  readonly onMismatch?: 'error' | 'new-epoch' | undefined;
}

/** A strategy that was given up. */
export interface Fallback {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The fields to spread into `generateText`, `streamText` or `new ToolLoopAgent`. */
export interface FoldFields<TOOLS extends ToolSet> {
  readonly model: LanguageModel;
  readonly tools: FoldTools<TOOLS>;
  /**
   * Decides which calls run: it applies hooks, approvals and permits. Missing if the off switch is on
   * and there are neither groups nor a `toolApproval` of the app.
   */
  readonly toolApproval?: ToolApproval;
}

/** The names that a finished set has beyond the app's own. `activeTools` accepts them. */
export type DeferredName = `${string}__${string}`;

/** The names that `toolApproval` may have: of own tools, deferred tools and the bridge tools that call no other tool. */
type ApprovalName<TOOLS extends ToolSet> =
  | (keyof TOOLS & string)
  | DeferredName
  | Exclude<BridgeKind, 'deferred_tool_call' | 'tool_call'>;

/** The app's own tools with their types, and one tool for each deferred name. */
export type FoldTools<TOOLS extends ToolSet> = TOOLS & {
  readonly [name: DeferredName]: SdkTool;
};

/** An explanation that also says what is asked of the provider's prompt cache. */
export interface FoldExplanation extends Explanation {
  /** What a request with these options asks of the cache, as the end of a sentence about it. */
  readonly cache: string;
}

export interface Fold<TOOLS extends ToolSet> {
  /** Returns the fields to spread into `generateText`, `streamText` or `new ToolLoopAgent`. Spread all of them, unchanged. */
  with(model: LanguageModel, options?: WithOptions<TOOLS>): FoldFields<TOOLS>;
  /** Replaces the groups. Running conversations get an announcement at the tail of their next request. */
  update(groups: readonly SdkToolGroup[]): void;
  /**
   * The state to keep on a server, for `with(model, { state })`. With it, another process continues
   * these messages although tools may have changed. Runs the loaders that a request would run.
   */
  state(
    model: LanguageModel,
    messages?: readonly ModelMessage[],
    options?: WithOptions<TOOLS>,
  ): Promise<ToolState>;
  /** The wire names of the bridge tools. A call of one of these is not a call of a real tool. */
  bridgeNames(model: LanguageModel): readonly DeferredName[];
  /** Explains what a request with these options does with each tool, and why. */
  explain(model: LanguageModel, options?: WithOptions<TOOLS>): FoldExplanation;
  /** The roles that it was made with. */
  readonly roles: Readonly<Record<string, RoleSettings>>;
  /** The maximum number of characters of a result that the model sees; `Infinity` for no limit. */
  readonly maxResultLength: number;
  /** How its requests ask for the prompt cache. */
  readonly cache: CacheSetting;
  /** Its own rows about the files that models take. */
  readonly resultFiles: readonly OwnResultFiles[];
  /** Replaces secrets, if the fold was made with such a function. */
  readonly hide: ((text: string) => string) | undefined;
  readonly layer: ToolLayer;
}
