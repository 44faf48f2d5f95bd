import {
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  KnownDefinitions,
  keepContext,
  type LayerContext,
  partition,
} from './epoch/index.ts';
import {
  everything,
  type LoaderCache,
  type NamedTools,
  namedTools,
  Toolbox,
  viewOf,
} from './registry/index.ts';
import {
  checkLayerOptions,
  checkSettings,
  Session,
  type SessionOptions,
  scopeOf,
  type ToolLayerOptions,
} from './session/index.ts';
import { FALLBACK, reservedNames, strategies, wantedStrategy } from './strategies/index.ts';
import { DEFAULT_LIMITS, estimateTokens } from './tokens/index.ts';
import type { DeferredToolGroup } from './tool/index.ts';
import { UnnamedGroups } from './unnamed-groups.ts';
import { Recent } from './values/index.ts';

/**
 * The tools of an application, for any number of sessions. `estimate` and `measure` of
 * `@toolfold/core/estimate` compute what they cost.
 */
export interface ToolLayer extends NamedTools {
  /** Begins an epoch, or resumes one. Throws `unknown-role` and `strategy-mismatch`. */
  session(options?: SessionOptions): Session;
  /** Replaces the groups. Each conversation gets a notice at its tail. Throws the errors of creation. */
  update(groups: readonly DeferredToolGroup[]): void;
  /** Makes a group's loader run again when next needed. */
  refresh(groupId: string): void;
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
  const wanted = wantedStrategy(strategy);
  const warn = options.onWarning || (() => {});
  const toolbox = new Toolbox({
    tools,
    groups,
    reserved: reservedNames(names),
    rules: options.exposure ?? {},
    search: options.search,
    loaderCache: options.loaderCache ?? new Map(),
    warn,
  });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const countTokens = options.countTokens ?? estimateTokens;
  const { exposure = {}, roles = {} } = options;
  const countDeferrable = () => {
    const strategy = strategies[FALLBACK];
    const all = { toolbox, view: everything, strategy, ownTools: 'deferred', countTokens } as const;
    return partition(all).deferred.length;
  };
  const given = { toolbox, countDeferrable, warn, exposure, roles };
  const ignored = checkSettings(options.onWarning ? given : undefined);
  const context: LayerContext = {
    ignored,
    toolbox,
    roles: options.roles ?? {},
    strategy,
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
  const unnamed = new UnnamedGroups(wanted, warn);
  unnamed.check(groups, toolbox);
  const layer: ToolLayer = {
    session: (session = {}) => {
      const made = new Session(scopeOf(context, viewOf(context.roles, session.role), session));
      ignored.addGlobs(session);
      return made;
    },
    update: (next) => {
      toolbox.update(next);
      unnamed.check(next, toolbox);
    },
    refresh: (groupId) => toolbox.refresh(groupId),
    ...namedTools(toolbox),
    loaderCache: () => toolbox.loaderCache(),
  };
  return keepContext(layer, context);
}
