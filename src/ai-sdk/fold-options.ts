import type { LanguageModel, ModelMessage, Tool as SdkTool, ToolSet } from 'ai';
import type { CallObserver, ExecutedCall, ToolHooks } from '../host/index.ts';
import type { OwnCapability, OwnPrices } from '../models/index.ts';
import type { ToolState } from '../tools/epoch/index.ts';
import type { ToolLayer } from '../tools/index.ts';
import type { ToolLayerOptions } from '../tools/options/index.ts';
import type { Explanation } from '../tools/session/index.ts';
import type { StrategyChoice } from '../tools/strategies/index.ts';
import type { DeferredToolGroup, Tool } from '../tools/tool/index.ts';
import type { ChoosePreload, Notice, RequestEvent } from './request/index.ts';
import type { AppApproval, ToolApproval } from './tool-set/index.ts';

/** A group whose loader may also return tools of the AI SDK by name. */
export interface SdkToolGroup extends Omit<DeferredToolGroup, 'loader'> {
  readonly loader: (options: {
    readonly signal: AbortSignal;
  }) => Promise<readonly Tool[] | ToolSet>;
}

export interface FoldOptions<TOOLS extends ToolSet>
  extends Omit<ToolLayerOptions, 'tools' | 'groups'> {
  /** The app's own tools, inline unless said otherwise. */
  readonly tools?: TOOLS;
  readonly groups?: readonly SdkToolGroup[];
  /** Rows tried before those of `toolfold/models`: which models take tools in mid-conversation. */
  readonly capabilities?: readonly OwnCapability[];
  /** Rows tried before those of `toolfold/models`: what caches cost. */
  readonly prices?: readonly OwnPrices[];
  /** Marks what tools of groups return, errors too, as data and not instructions. */
  readonly frameResults?: boolean;
  /** Each request as it is sent, with its tokens; must not throw. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** What somebody may use who sends others to work, as plain data. */
export interface Ceiling extends Pick<WithOptions, 'role' | 'only' | 'without'> {
  readonly parent?: Ceiling;
}

export interface WithOptions {
  /** Own tools that the role may not use are missing from the set, whatever its type says. */
  readonly role?: string;
  /** What an earlier session's `state()` gave; kept on a server, not in a browser. */
  readonly state?: ToolState;
  /** In tokens. */
  readonly contextWindow?: number;
  /** Overrides the fold's. */
  readonly strategy?: StrategyChoice;
  /** Narrows the role to these globs; other globs begin another epoch. */
  readonly only?: readonly string[];
  /** Denies the role these globs; other globs begin another epoch. */
  readonly without?: readonly string[];
  /** For a subagent: what the one that sent it may use. Throws `empty-role` where the role wants tools and gets none. */
  readonly parent?: Ceiling;
  /** Runs own tools otherwise than the fold's options say, by name. */
  readonly execute?: Readonly<Record<string, NonNullable<SdkTool['execute']>>>;
  /** Schemas to hand over with what the user says: at most three, and 1,500 tokens; never in `eager`. */
  readonly preload?: ChoosePreload;
  /** Something to say at the tail of a request; it stays where it was said. */
  readonly notice?: Notice;
  /** Each request as it is sent; must not throw. */
  readonly onRequest?: (event: RequestEvent) => void;
  /** Told of each run of a tool that takes time, for those who wait until nothing runs any more. */
  readonly onExecute?: (call: ExecutedCall, running: Promise<unknown>) => void;
  /** The app's own say in calls of real tools; see the type of each. */
  readonly hooks?: ToolHooks;
  /**
   * What the app would give the AI SDK as `toolApproval`. It goes over a tool's `needsApproval`, and
   * never over a hook.
   */
  readonly toolApproval?: AppApproval;
  /** Who follows what runs, before and after; both are waited for. */
  readonly observers?: CallObserver | readonly CallObserver[];
  /** What to do where the state was made under another strategy; an error by default. */
  readonly onMismatch?: 'error' | 'new-epoch';
}

/** What to spread into `generateText`, `streamText` or `new ToolLoopAgent`. */
export interface FoldFields<TOOLS extends ToolSet> {
  readonly model: LanguageModel;
  readonly tools: FoldTools<TOOLS>;
  /**
   * Decides which calls run, where hooks, approvals and permits meet. Missing where the off switch
   * leaves nothing to decide and the app gave no setting of its own.
   */
  readonly toolApproval?: ToolApproval;
}

/** The names that a finished set has beyond the app's own. `activeTools` accepts them. */
export type DeferredName = `${string}__${string}`;

/** The app's own tools with their types, and one tool for each deferred name. */
export type FoldTools<TOOLS extends ToolSet> = TOOLS & {
  readonly [name: DeferredName]: SdkTool;
};

export interface Fold<TOOLS extends ToolSet> {
  /** The fields to spread into `generateText`, `streamText` or `new ToolLoopAgent`: all of them, as they are. */
  with(model: LanguageModel, options?: WithOptions): FoldFields<TOOLS>;
  /** Replaces the groups; running conversations are told at their tails. */
  update(groups: readonly SdkToolGroup[]): void;
  /**
   * What to keep, on a server, to go on with these messages where tools may have changed: for
   * `with(model, { state })`. Runs the loaders that a request would run.
   */
  state(
    model: LanguageModel,
    messages?: readonly ModelMessage[],
    options?: WithOptions,
  ): Promise<ToolState>;
  /** Names that bridge tools have for the model: calls of them are none of real tools. */
  bridgeNames(model: LanguageModel): readonly DeferredName[];
  /** What a request with these options would do with each tool, and why. */
  explain(model: LanguageModel, options?: WithOptions): Explanation;
  readonly layer: ToolLayer;
}
