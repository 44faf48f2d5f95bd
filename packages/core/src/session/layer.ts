import { everything, type LoaderCache, Toolbox, viewOf } from '../registry/index.ts';
import {
  DEFAULT_PRICES,
  DEFAULT_WORKLOAD,
  KnownDefinitions,
  keepContext,
  type LayerContext,
  partition,
} from '../request/index.ts';
import {
  checkGroups,
  DEFAULT_LIMITS,
  type DeferredToolGroup,
  estimateTokens,
  FALLBACK,
  reservedNames,
  type StrategyName,
  strategies,
  type Tool,
  wantedStrategy,
} from '../tool/index.ts';
import { type Addressed, fixedOptions, Recent } from '../values/index.ts';
import {
  checkLayerOptions,
  checkSettings,
  type SessionOptions,
  type ToolLayerOptions,
} from './options.ts';
import { Session } from './session.ts';
import { scopeOf } from './session-scope.ts';

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
export function createToolLayer(given: ToolLayerOptions = {}): ToolLayer {
  checkLayerOptions(given);
  const options = fixedOptions(given, ['tools', 'groups', 'search', 'loaderCache']);
  const groups = fixedGroups(given.groups ?? []);
  const tools = (given.tools ?? []).map((tool) => fixedOptions(tool, ['inputSchema']));
  const { names = {}, strategy = 'auto' } = options;
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
  const settings = { toolbox, countDeferrable, warn, exposure, roles };
  const ignored = checkSettings(options.onWarning ? settings : undefined);
  const context: LayerContext = {
    ignored,
    toolbox,
    roles,
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
    update: (given) => {
      checkGroups(given);
      const next = fixedGroups(given);
      toolbox.update(next);
      unnamed.check(next, toolbox);
    },
    refresh: (groupId) => toolbox.refresh(groupId),
    ...namedTools(toolbox),
    loaderCache: () => toolbox.loaderCache(),
  };
  return keepContext(layer, context);
}

/** The groups as they are now. A loader stays a method of its group. */
function fixedGroups(groups: readonly DeferredToolGroup[]): readonly DeferredToolGroup[] {
  return groups.map((group) => {
    const { loader } = group;
    return { ...fixedOptions(group), loader: (options) => loader.call(group, options) };
  });
}

/** What is known without loading anything. */
export interface KnownTools {
  readonly tools: readonly Addressed[];
  /** Groups whose tools have no names yet. `prefix`: the start of the names of their tools. */
  readonly unnamed: readonly { readonly groupId: string; readonly prefix: string }[];
}

/** What a layer says of its tools, by their names. */
interface NamedTools {
  /** The annotations of a loaded tool. Undefined if its source is not trusted. */
  hintsOf(name: string): Tool['annotations'];
  /** The tools that have names by now, and groups that name theirs when they load. */
  known(): KnownTools;
  /** Where a tool comes from. */
  addressOf(name: string): Addressed;
  /** Of a tool's definition and annotations, where those have loaded: others are another tool. */
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
  isBound(
    name: string,
    binding: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<boolean>;
}

function namedTools(toolbox: Toolbox): NamedTools {
  return {
    hintsOf: (name) => toolbox.trustedAnnotationsOf(name),
    known: () => ({
      tools: [...toolbox.registry.entries()],
      unnamed: [...toolbox.registry.groups.values()].flatMap(({ group, slug, listed }) =>
        listed.length > 0 || group.toolNames || group.toolSummaries || group.unavailable
          ? []
          : { groupId: group.groupId, prefix: group.prefix === false ? '' : `${slug}__` },
      ),
    }),
    addressOf: (name) => toolbox.registry.get(name) ?? { name, bare: name, groupId: undefined },
    fingerprintOf: (name) => {
      const entry = toolbox.registry.get(name);
      return entry && toolbox.fingerprintOf(entry);
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
  };
}

/**
 * Warns, once for each group, about groups whose tool names are not known before they load. This
 * costs requests in strategies that defer. It costs nothing where all schemas are sent at once,
 * and for groups that are inline, hidden or unavailable.
 */
class UnnamedGroups {
  readonly #strategy: StrategyName | 'auto';
  readonly #warn: (text: string) => void;
  readonly #warnedOf = new Set<string>();

  constructor(strategy: StrategyName | 'auto', warn: (text: string) => void) {
    this.#strategy = strategy;
    this.#warn = warn;
  }

  /** Call it when the groups of the toolbox have changed. */
  check(groups: readonly DeferredToolGroup[], toolbox: Toolbox): void {
    if (this.#strategy === 'eager') return;
    for (const { groupId, toolNames, toolSummaries, unavailable } of groups) {
      if (toolNames || toolSummaries || unavailable || this.#warnedOf.has(groupId)) continue;
      if (toolbox.groupPlacement(groupId) !== 'deferred') continue;
      this.#warnedOf.add(groupId);
      this.#warn(
        `group ${groupId} has no toolNames: the catalog cannot show its tools, search cannot find them, and the model has to load the group before it can call one; give toolNames, or toolSummaries, where the names are known without loading`,
      );
    }
  }
}
