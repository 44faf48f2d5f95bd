import type { Epoch } from '../epoch/index.ts';
import type { GroupRecord, Toolbox, View } from '../registry/index.ts';
import type { Presentation } from '../request/index.ts';
import type { Bridges } from '../strategies/index.ts';
import type { Limits } from '../tokens/index.ts';
import type { Entry, TokenCounter, Tool } from '../tool/index.ts';
import type { Conversation } from '../transcript/index.ts';

/** What the answer to one call may use: the view, the epoch, the conversation. */
export interface Scope {
  readonly toolbox: Toolbox;
  /** The tools that the role allows. */
  readonly role: View;
  /** The tools that the role allows and the host offers in this request. */
  readonly view: View;
  readonly bridges: Bridges;
  readonly epoch: Epoch;
  readonly limits: Limits;
  readonly countTokens: TokenCounter;
  readonly conversation: Conversation;
  readonly presentation: Presentation;
  /** The loaded names of a group, each with the number of names that were loaded before it. */
  readonly loadedRanks: (groupId: string) => ReadonlyMap<string, number>;
  /** Whether `tool_search` is declared. */
  readonly hasSearch: boolean;
  /** Whether a declared bridge tool can load groups. */
  readonly canLoad: boolean;
  /** Whether the epoch listed a tool, or a group, that is gone. */
  readonly wasRemoved: (name: string) => boolean;
  /** The names of the tools that the request declares. */
  readonly declared: ReadonlySet<string>;
  /** Why the endpoint does not accept a tool that can be called only once it is declared. */
  readonly refusal: (entry: Entry) => string | undefined;
  /** How many tools can still be declared in this conversation. */
  readonly room: number;
  readonly onToolsExpanded: (groupId: string, tools: readonly Tool[]) => void;
}

/** The groups this view may know of, by id. */
export function visibleGroups(scope: Scope): GroupRecord[] {
  const { toolbox, view } = scope;
  return [...toolbox.registry.groups.values()].filter((record) =>
    toolbox.groupVisibleTo(view, record),
  );
}

/** The visible groups that name their tools only when they load. */
export function unlistedGroups(scope: Scope): string[] {
  return visibleGroups(scope).flatMap(({ group, listed }) =>
    listed.length === 0 && !group.unavailable ? group.groupId : [],
  );
}

/** The known tools of this view that are not declared. */
export function findable({ toolbox, view, declared }: Scope): Entry[] {
  return toolbox.visibleEntries(view).filter(({ name }) => !declared.has(name));
}

/** The tools among these names that the request declares, by their canonical names. */
export function declaredAmong(
  { toolbox, view, declared }: Scope,
  names: readonly string[],
): string[] {
  const visible = toolbox.visibleTo(view);
  const found = names.flatMap((name) => {
    const resolution = toolbox.registry.resolve(name, visible);
    return resolution.kind === 'found' ? resolution.entry.name : [];
  });
  return [...new Set(found)].filter((name) => declared.has(name));
}

/** The groups of this view that have not loaded and whose prefix the name has. */
export function unloadedGroups(scope: Scope, name: string): GroupRecord[] {
  return visibleGroups(scope).filter(
    (record) =>
      prefixOf(record, name) !== undefined && !scope.toolbox.isLoaded(record.group.groupId),
  );
}

/** The prefix of the name, if it is one of the group. */
function prefixOf({ group, slug }: GroupRecord, name: string): string | undefined {
  return [`${slug}__`, `${group.groupId}/`].find((start) => name.startsWith(start));
}

/** Groups whose loader may run for a name that nobody has listed: they may have a tool of this name. */
export function groupsThatMayHave(scope: Scope, name: string): GroupRecord[] {
  const { toolbox, view } = scope;
  return unloadedGroups(scope, name).filter((record) => {
    const bare = name.slice(prefixOf(record, name)?.length ?? 0);
    if (!toolbox.couldShow(view, record.group.groupId, bare)) return false;
    const isOnlyWay = record.listed.length === 0 && !scope.canLoad;
    return isOnlyWay || !toolbox.mayHide(view, record);
  });
}

/** Why no more tools can be declared, if so. `more`: the tools that the same call declares. */
export function noRoom({ room, epoch: { accepts } }: Scope, more = 0): string | undefined {
  if (room > more) return;
  return `${accepts?.by} accepts at most ${accepts?.most} declared tools`;
}
