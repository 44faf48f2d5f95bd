import type { Registry } from '../registry/index.ts';
import { type Entry, OWN_GROUP } from '../tool/index.ts';
import type { Conversation } from './conversation.ts';

/** Loaded state as plain JSON: null for a whole group, else bare names in the order of loading. */
export type ExpandedGroups = Readonly<Record<string, readonly string[] | null>>;

/**
 * Whether a schema of this name may come from this group. An unknown name may belong to a tool
 * that is gone or not yet known, unless it has the prefix of another group.
 */
export function isToolOf(registry: Registry, name: string, groupId: string): boolean {
  const entry = registry.get(name);
  if (entry) return (entry.groupId ?? OWN_GROUP) === groupId;
  const owner = registry.groupOf(name);
  return owner === undefined || owner === groupId;
}

/** The group that lists no names and may have a tool that is not known by this name yet. */
export function unlistedGroup(registry: Registry, name: string): string | undefined {
  const groupId = registry.get(name) ? undefined : registry.groupOf(name);
  if (groupId === undefined) return;
  return registry.groups.get(groupId)?.listed.length === 0 ? groupId : undefined;
}

/** The tools that a state reports as loaded, as far as they still exist. */
export function expandedEntries(expanded: ExpandedGroups, registry: Registry): Entry[] {
  return Object.entries(expanded).flatMap(([groupId, names]) => {
    if (names === null) {
      const all = groupId === OWN_GROUP ? [...registry.appTools.values()] : undefined;
      return all ?? registry.groups.get(groupId)?.listed ?? [];
    }
    const own = (name: string) => (groupId === OWN_GROUP ? registry.appTools.get(name) : undefined);
    return names.flatMap((name) => registry.find(groupId, name) ?? own(name) ?? []);
  });
}

/** The loaded tools as plain JSON: from an earlier state, then from the transcript. */
export function expandedState(
  earlier: ExpandedGroups,
  conversation: Conversation,
  registry: Registry,
): ExpandedGroups {
  const groups = new Map<string, Set<string> | null>();
  for (const [groupId, names] of Object.entries(earlier))
    groups.set(groupId, names && new Set(names));
  for (const loaded of conversation.loaded) {
    const entry = registry.findLoaded(loaded);
    const groupId = loaded.groupId ?? entry?.groupId ?? OWN_GROUP;
    const known = groups.get(groupId);
    if (known === null || (loaded.groupId === undefined && !entry)) continue;
    groups.set(groupId, (known ?? new Set()).add(entry?.shown ?? loaded.name));
  }
  for (const { groupId, whole } of conversation.expansions) if (whole) groups.set(groupId, null);
  return Object.fromEntries([...groups].map(([groupId, names]) => [groupId, names && [...names]]));
}

/**
 * The names that were loaded from a group. Each has the number of names that were loaded before
 * the step that first asked for it, or earlier in the same call: calls of one step do not know
 * of each other.
 */
export function loadedRanks(
  earlier: ExpandedGroups,
  conversation: Conversation,
  groupId: string,
): Map<string, number> {
  const expansions = conversation.expansions.filter((expansion) => expansion.groupId === groupId);
  const inTranscript = new Set(expansions.flatMap(({ toolNames }) => toolNames));
  const kept = Object.hasOwn(earlier, groupId) ? earlier[groupId] : undefined;
  const onlyEarlier = (kept ?? []).filter((name) => !inTranscript.has(name));
  const ranks = new Map(onlyEarlier.map((name, index) => [name, index]));
  let step = -1;
  let before = ranks.size;
  for (const { toolNames, askedAt } of expansions) {
    if (askedAt !== step) before = ranks.size;
    step = askedAt;
    let fresh = 0;
    for (const name of toolNames) {
      // A name of an earlier step is served again. A name of this step was counted by this
      // call too.
      const rank = ranks.get(name);
      if (rank !== undefined && rank < before) continue;
      if (rank === undefined) ranks.set(name, before + fresh);
      fresh++;
    }
  }
  return ranks;
}
