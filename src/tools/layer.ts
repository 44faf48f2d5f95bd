import type { AutoOptions } from './auto.ts';
import { type BridgeNames, reservedNames } from './bridges.ts';
import type { CatalogOptions } from './catalog.ts';
import { DEFAULT_PRICES, DEFAULT_WORKLOAD, type Task, type Workload } from './cost.ts';
import { type Estimate, type EstimateOptions, estimate } from './estimate.ts';
import type { ExposureRules } from './exposure.ts';
import type { Addressed } from './glob.ts';
import type { DeferredToolGroup } from './group.ts';
import { fingerprint } from './hash.ts';
import { KnownDefinitions } from './known-definitions.ts';
import type { LayerContext } from './layer-context.ts';
import type { LoaderCache } from './loads.ts';
import { type Measurement, measure } from './measure.ts';
import { checkLayerOptions, checkSessionOptions } from './options-check.ts';
import { Recent } from './recent.ts';
import { DEFAULT_LIMITS, type Limits } from './scope.ts';
import { createLexicalSearch } from './search/lexical.ts';
import type { ToolSearch } from './search/tool-search.ts';
import { Session, type SessionOptions } from './session.ts';
import { type StrategyChoice, wantedStrategy } from './strategy.ts';
import { estimateTokens } from './tokens.ts';
import type { TokenCounter, Tool } from './tool.ts';
import { Toolbox } from './toolbox.ts';
import type { CallEvent, RouteOptions } from './turn.ts';
import { UnnamedGroups } from './unnamed-groups.ts';
import { type Role, viewOf } from './view.ts';

export interface ToolLayerOptions {
  /** The app's own tools, in the order in which they are declared. */
  readonly tools?: readonly Tool[];
  readonly groups?: readonly DeferredToolGroup[];
  readonly roles?: Readonly<Record<string, Role>>;
  /** `auto` if left out; `false` is `eager`, the off switch. */
  readonly strategy?: StrategyChoice;
  /** Rules by glob; see `matchesTool`. Of those that match, the last written wins. */
  readonly exposure?: ExposureRules;
  readonly catalog?: CatalogOptions;
  readonly search?: ToolSearch;
  /** An exact counter for the model in use; an estimate of o200k if left out. */
  readonly countTokens?: TokenCounter;
  /** Other names for bridge tools. */
  readonly names?: BridgeNames;
  readonly limits?: Partial<Limits>;
  /** What `auto` assumes of a task and of prices. */
  readonly auto?: Partial<AutoOptions>;
  readonly loaderCache?: LoaderCache;
  /**
   * Milliseconds that a first request waits for loaders whose schemas it could declare (in forms of
   * `native` that declare all of them); later ones join as they come. 5,000 if left out.
   */
  readonly patience?: number;
  /** Tools newly loaded by the model's wish; must not throw. */
  readonly onToolsExpanded?: (groupId: string, tools: readonly Tool[]) => void;
  /** One event for every call that is routed, whether it runs or not; must not throw. */
  readonly onCall?: (event: CallEvent) => void;
  /** Things worth a log line: schemas that cannot be checked, loaders that fail early. */
  readonly onWarning?: (text: string) => void;
}

/** The tools of an application, for any number of sessions. */
export interface ToolLayer {
  /** Begins an epoch, or resumes one. Throws `unknown-role` and `strategy-mismatch`. */
  session(options?: SessionOptions): Session;
  /** Replaces the groups; running conversations are told at their tails. Throws as creation does. */
  update(groups: readonly DeferredToolGroup[]): void;
  /** Makes a group's loader run again when next needed. */
  refresh(groupId: string): void;
  /** Runs all loaders and counts what each strategy would send. */
  measure(options?: {
    readonly contextWindow?: number;
    readonly signal?: AbortSignal;
  }): Promise<Measurement>;
  /**
   * Runs all loaders and reckons what a task costs under each strategy: one of a certain size, or one
   * whose requests and loads are known. Throws `invalid-option` for what is neither.
   */
  estimate(of?: Task | Partial<Workload>, options?: EstimateOptions): Promise<Estimate>;
  /** Whether a tool that has loaded only reads, on the word of somebody the user trusts. */
  isKnownReadOnly(name: string): boolean;
  /** Where a tool comes from. */
  addressOf(name: string): Addressed;
  /** Of a tool's definition, where that has loaded: another one is another tool. */
  fingerprintOf(name: string): string | undefined;
  /**
   * What a tool is known by at this moment: its definition where that has loaded, else what its group
   * lists. For decisions that hold for this very tool.
   */
  bindingOf(name: string): string | undefined;
  /**
   * Whether the tool is still the one that a binding was made for. Loads its group where that has to
   * be known; true where the group does not load, which is found out where the tool runs.
   */
  isBound(name: string, binding: string, options?: RouteOptions): Promise<boolean>;
  /** What has loaded, for a layer elsewhere. */
  loaderCache(): LoaderCache;
}

/** How many epochs, lists and derived values a layer keeps: roles × models × updates in flight. */
const KEPT = 256;

/**
 * Puts names, schemas and policy of all tools behind one object. Throws `duplicate-group`,
 * `duplicate-tool`, `reserved-name`, `invalid-option`, `invalid-schema`.
 */
export function createToolLayer(options: ToolLayerOptions = {}): ToolLayer {
  checkLayerOptions(options);
  const { groups = [], tools = [], names = {}, strategy = 'auto' } = options;
  const warn = options.onWarning ?? (() => {});
  const toolbox = new Toolbox({
    tools,
    groups,
    reserved: reservedNames(names),
    rules: options.exposure ?? {},
    search: options.search ?? createLexicalSearch(),
    loaderCache: options.loaderCache ?? new Map(),
    warn,
  });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const countTokens = options.countTokens ?? estimateTokens;
  const layer: LayerContext = {
    toolbox,
    roles: options.roles ?? {},
    strategy: wantedStrategy(strategy),
    bridgeNames: names,
    catalog: options.catalog ?? {},
    limits,
    auto: { workload: DEFAULT_WORKLOAD, prices: DEFAULT_PRICES, ...options.auto },
    countTokens,
    patience: options.patience ?? 5_000,
    onToolsExpanded: options.onToolsExpanded ?? (() => {}),
    onCall: options.onCall ?? (() => {}),
    warn,
    epochs: new Recent(KEPT),
    lists: new Recent(KEPT),
    definitions: new KnownDefinitions(limits, countTokens),
    memo: new Recent(KEPT),
  };
  const unnamed = new UnnamedGroups(layer.strategy, warn);
  unnamed.check(groups, toolbox);
  return {
    session: (session = {}) => new Session(layer, viewOf(layer.roles, session.role), session),
    update: (next) => {
      toolbox.update(next);
      unnamed.check(next, toolbox);
    },
    refresh: (groupId) => toolbox.refresh(groupId),
    measure: async ({ contextWindow, signal } = {}) => {
      checkSessionOptions(contextWindow === undefined ? {} : { contextWindow });
      return measure(layer, contextWindow, signal);
    },
    estimate: async (of = {}, options = {}) => estimate(layer, of, options),
    isKnownReadOnly: (name) => {
      const entry = toolbox.registry.get(name);
      return entry !== undefined && toolbox.isKnownReadOnly(entry);
    },
    addressOf: (name) => toolbox.registry.get(name) ?? { name, bare: name, groupId: undefined },
    fingerprintOf: (name) => {
      const entry = toolbox.registry.get(name);
      const tool = entry && toolbox.toolOf(entry);
      return tool && fingerprint(toolbox.definitionOf(entry, tool));
    },
    bindingOf: (name) => {
      const entry = toolbox.registry.get(name);
      return entry && toolbox.bindingOf(entry);
    },
    isBound: async (name, binding, { signal } = {}) => {
      const entry = toolbox.registry.get(name);
      if (!entry) return true;
      if (
        entry.groupId !== undefined &&
        !toolbox.toolOf(entry) &&
        !toolbox.isBound(entry, binding)
      ) {
        const loaded = await toolbox.load(entry.groupId, signal).catch(() => undefined);
        signal?.throwIfAborted();
        if (!loaded) return true;
      }
      return toolbox.isBound(entry, binding);
    },
    loaderCache: () => toolbox.loaderCache(),
  };
}
