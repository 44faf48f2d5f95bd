import { ToolfoldError } from '../errors.ts';

/** The tools Toolfold itself declares, by their default names. */
export type BridgeKind =
  | 'load_tools'
  | 'deferred_tool_call'
  | 'tool_search'
  | 'tool_describe'
  | 'tool_call'
  | 'request_tool';

/** Whether a bridge is the one that calls other tools. */
export function isDispatcher(kind: BridgeKind | undefined): boolean {
  return kind === 'deferred_tool_call' || kind === 'tool_call';
}

export type StrategyName = 'eager' | 'lazy' | 'inject' | 'dispatch' | 'bridge' | 'native';

/**
 * How tools reach the model. A strategy is a set of pure decisions; loading, searching, checking and
 * counting are done by the session, the same way for all of them.
 */
export interface Strategy {
  readonly name: StrategyName;
  /** One line for `explain` and the command line. */
  readonly summary: string;
  /** Whether loading leaves everything already sent as it is, byte for byte. */
  readonly keepsPrefix: boolean;
  /** What stays out of `tools`: nothing, or whatever is not marked inline. */
  readonly defers: 'nothing' | 'unmarked';
  /** Where a loaded schema arrives: in the result, in the next request's `tools`, or appended. */
  readonly delivers: 'result' | 'tools' | 'append';
  /** The bridge tools to declare, in wire order. */
  readonly bridges: (facts: { readonly namesDropped: boolean }) => readonly BridgeKind[];
  /** The instructions for the model: the default header of the catalog. */
  readonly guidance: (names: Readonly<Record<BridgeKind, string>>) => string;
  /** Whether a line about each tool belongs to the catalog, or is added where it fits. */
  readonly hints: 'always' | 'where they fit';
}

export type BridgeNames = Readonly<Partial<Record<BridgeKind, string>>>;

/** Everything declared: what an agent without Toolfold does, and the off switch. */
const eager: Strategy = {
  name: 'eager',
  summary: 'every schema in every request',
  keepsPrefix: true,
  defers: 'nothing',
  delivers: 'tools',
  bridges: () => [],
  hints: 'where they fit',
  guidance: () => '',
};

/** Two passes: a name and a line for each tool, the schema from the step after it was asked for. */
const lazy: Strategy = {
  name: 'lazy',
  summary: 'names and one line each; a requested schema is declared from the next step',
  keepsPrefix: false,
  defers: 'unmarked',
  delivers: 'tools',
  bridges: ({ namesDropped }) =>
    namesDropped ? ['request_tool', 'tool_search'] : ['request_tool'],
  hints: 'always',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown yet. To use one, call ${names.request_tool} with its name; from your next step on it is among your tools. Answer directly when no tool is needed.`,
};

/** Schemas travel in results and calls through one dispatcher: nothing already sent ever changes. */
const dispatch: Strategy = {
  name: 'dispatch',
  summary: 'load a group into the conversation; call through a dispatcher',
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'result',
  bridges: ({ namesDropped }) =>
    namesDropped
      ? ['load_tools', 'deferred_tool_call', 'tool_search']
      : ['load_tools', 'deferred_tool_call'],
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown yet. Call ${names.load_tools} with a group id, and with tool_names where you need only some; then call the tool through ${names.deferred_tool_call}. If you already know a tool's arguments, call it at once. Search this list before you say that something cannot be done.`,
};

/** Search, describe, call: for catalogs too large to load by the group. */
const bridge: Strategy = {
  name: 'bridge',
  summary: 'search and describe single tools; call through a dispatcher',
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'result',
  bridges: () => ['tool_search', 'tool_describe', 'tool_call'],
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown. Find one with ${names.tool_search}, or look up a name you see here with ${names.tool_describe}; then call it through ${names.tool_call}. If you already know a tool's arguments, call it at once. Search before you say that something cannot be done.`,
};

/** Loaded tools join the declared ones: native calls, paid for with the cached prefix at each load. */
const inject: Strategy = {
  name: 'inject',
  summary: 'load a group; its schemas are declared from the next step',
  keepsPrefix: false,
  defers: 'unmarked',
  delivers: 'tools',
  bridges: ({ namesDropped }) => (namesDropped ? ['load_tools', 'tool_search'] : ['load_tools']),
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but not loaded. Call ${names.load_tools} with a group id, and with tool_names where you need only some; from your next step on they are among your tools. Look through this list before you say that something cannot be done.`,
};

/** Loaded schemas are appended in mid-conversation, in the provider's own form: native calls, whole prefix. */
const native: Strategy = {
  name: 'native',
  summary: "load a group; the provider's own append declares it from there on",
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'append',
  bridges: ({ namesDropped }) => (namesDropped ? ['load_tools', 'tool_search'] : ['load_tools']),
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but not loaded. Call ${names.load_tools} with a group id, and with tool_names where you need only some; from your next step on they are among your tools, to be called by the names they have there. Look through this list before you say that something cannot be done.`,
};

/** The one table of strategies. To add one: its object above, its name in `StrategyName`, a line here. */
export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  eager,
  lazy,
  inject,
  dispatch,
  bridge,
  native,
};

/** What stands in where an endpoint takes no tools in mid-conversation: it asks nothing of a provider. */
export const FALLBACK: StrategyName = 'dispatch';

/** A strategy by name; `auto` chooses per epoch, `false` is the off switch and means `eager`. */
export type StrategyChoice = StrategyName | 'auto' | false;

export const strategyNames: readonly string[] = [...Object.keys(strategies), 'auto'];

/** What a choice asks for; throws `invalid-option` for what is no strategy. */
export function wantedStrategy(choice: unknown): StrategyName | 'auto' {
  if (choice === false) return 'eager';
  if (choice === 'auto' || isStrategyName(choice)) return choice;
  throw new ToolfoldError(
    'invalid-option',
    `"${String(choice)}" is not a strategy.`,
    `Use one of ${strategyNames.join(', ')}, or false.`,
  );
}

export function isStrategyName(name: unknown): name is StrategyName {
  return typeof name === 'string' && Object.hasOwn(strategies, name);
}
