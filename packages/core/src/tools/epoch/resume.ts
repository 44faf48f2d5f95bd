import { errorMessage, ToolfoldError } from '../../errors.ts';
import { canonicalName, checkKnown, groupSlug, shownName } from '../names/index.ts';
import { type LoaderCache, Loads } from '../registry/index.ts';
import { isStrategyName, type StrategyName, strategies } from '../strategies/index.ts';
import type { DeferredToolGroup, Tool } from '../tool/index.ts';
import type { ToolState } from './state.ts';

export interface ResumedState {
  /** The tools that the state reports as loaded, by group. */
  readonly preloadedTools: ReadonlyMap<string, readonly Tool[]>;
  /** Groups that are not fully loaded; all groups where a repeated load brings the schemas back. */
  readonly remainingGroups: readonly DeferredToolGroup[];
  /** For `createToolLayer({ loaderCache })`: the loaders need not run again. */
  readonly loaderCache: LoaderCache;
  /** The state without groups that are gone. */
  readonly state: ToolState;
  /** Loaders that failed; the others are not affected. */
  readonly failures: ReadonlyMap<string, string>;
}

/**
 * Loads what a stored state reports as loaded, all groups in parallel. Throws
 * `strategy-mismatch` if the state was made under another strategy. Rejects when the signal
 * fires.
 */
export async function resumeState(
  groups: readonly DeferredToolGroup[],
  state: ToolState,
  options: { readonly strategy: StrategyName; readonly signal?: AbortSignal },
): Promise<ResumedState> {
  checkKnown('resumeState()', options, { strategy: true, signal: true });
  if (state.strategy !== options.strategy || !isStrategyName(options.strategy)) {
    throw new ToolfoldError(
      'strategy-mismatch',
      `The state was made under "${state.strategy}", not "${options.strategy}".`,
      'Resume with the same strategy, or begin a new epoch.',
    );
  }
  const loads = new Loads(() => {});
  const preloadedTools = new Map<string, readonly Tool[]>();
  const failures = new Map<string, string>();
  const expanded = new Map(Object.entries(state.expandedGroups));
  const kept = groups.filter((group) => expanded.has(group.groupId));
  await Promise.all(
    kept.map(async (group) => {
      try {
        const tools = (await loads.load(group, options.signal)) ?? [];
        const names = expanded.get(group.groupId);
        const slug = groupSlug(group.groupId);
        const isKept = ({ name }: Tool) =>
          !names || names.includes(shownName(slug, name, canonicalName(slug, name)));
        preloadedTools.set(group.groupId, tools.filter(isKept));
      } catch (error) {
        options.signal?.throwIfAborted();
        failures.set(group.groupId, errorMessage(error));
      }
    }),
  );
  const inResults = strategies[options.strategy].delivers === 'result';
  return {
    preloadedTools,
    remainingGroups: groups.filter(
      (group) => inResults || expanded.get(group.groupId) !== null || failures.has(group.groupId),
    ),
    loaderCache: loads.cache(),
    state: {
      ...state,
      expandedGroups: Object.fromEntries(
        kept.map((group) => [group.groupId, expanded.get(group.groupId) ?? null]),
      ),
    },
    failures,
  };
}
