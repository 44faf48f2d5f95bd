import { errorMessage, ToolfoldError } from '../errors.ts';
import { type LoaderCache, Loads } from '../registry/index.ts';
import {
  canonicalName,
  type DeferredToolGroup,
  groupSlug,
  isStrategyName,
  type StrategyName,
  shownName,
  strategies,
  type Tool,
  type ToolDefinition,
} from '../tool/index.ts';
import { type ActiveNote, type ExpandedGroups, isAll } from '../transcript/index.ts';
import { checkKnown } from '../values/index.ts';
import type { Epoch } from './epoch.ts';

/** The state of a session, for a host that cannot rely on messages alone. */
export interface ToolState {
  readonly strategy: string;
  readonly fingerprint: string;
  readonly expandedGroups: ExpandedGroups;
  /** The requested strategy, which the endpoint refused. */
  readonly insteadOf?: string;
  /** Keys of appended definitions; see `KnownDefinitions`. */
  readonly appended?: readonly string[];
  /** The frozen bytes, for a process in which the tools have changed since. */
  readonly frozen?: FrozenEpoch;
}

interface FrozenEpoch {
  readonly system: string;
  readonly bridges: readonly ToolDefinition[];
  readonly groupTools: readonly ToolDefinition[];
  readonly ownNames: readonly string[];
  /** Names of the app's own tools that were not declared, sorted. */
  readonly own?: readonly string[];
  /** The tools that the host offered when the epoch began, if it left some out. */
  readonly active?: ActiveNote;
  /** Definitions that are declared and that the model does not see, in strategies that append. */
  readonly deferred?: readonly ToolDefinition[];
  readonly list: readonly (readonly [
    string,
    { names: readonly string[]; version?: string | undefined; unavailable: boolean },
  ])[];
}

/** The frozen bytes of an epoch as plain JSON. */
export function freeze(epoch: Epoch): FrozenEpoch {
  const { system, bridges, groupTools, ownNames, deferred, list, active } = epoch;
  // `undefined` is not JSON: a parsed state must equal the state that was given.
  const groups = [...list.groups].map(([groupId, { version, ...group }]) => {
    return [groupId, version === undefined ? group : { ...group, version }] as const;
  });
  const unseen = deferred.length > 0 ? { deferred } : {};
  const narrowed = isAll(active) ? {} : { active };
  const others = list.own.filter((name) => !ownNames.includes(name));
  const own = others.length > 0 ? { own: others } : {};
  return { system, bridges, groupTools, ownNames, ...own, ...narrowed, ...unseen, list: groups };
}

interface ResumedState {
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
