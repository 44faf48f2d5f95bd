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
