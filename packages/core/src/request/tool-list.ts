import type { Toolbox, View } from '../registry/index.ts';
import { canonicalName, groupSlug, hashText, OWN_GROUP } from '../tool/index.ts';
import { byCodePoint, plainCount, plainLine } from '../values/index.ts';
import { hintOf } from './catalog.ts';

interface ListedGroup {
  readonly names: readonly string[];
  readonly version: string | undefined;
  readonly unavailable: boolean;
}

/** The groups and names that a view could see at one moment. Notes refer to a list by its id. */
export interface ToolList {
  readonly id: string;
  readonly groups: ReadonlyMap<string, ListedGroup>;
  /** The names of the app's own tools, sorted. */
  readonly own: readonly string[];
}

const MAX_NAMES = 20;
const MAX_GROUPS = 10;
/** Stands between the two parts of an id. */
export const WITH_OWN = '+';

export function listTools(toolbox: Toolbox, view: View): ToolList {
  const visible = toolbox.listedTo(view);
  const groups = new Map<string, ListedGroup>();
  const own = [...toolbox.registry.appTools.values()].filter(visible).map(({ name }) => name);
  for (const [groupId, { group, listed }] of toolbox.registry.groups) {
    const names = listed.filter(visible).map((entry) => entry.shown);
    const maybe = listed.length === 0 && toolbox.couldShow(view, groupId, '');
    if (names.length === 0 && !maybe) continue;
    const unavailable = group.unavailable !== undefined;
    groups.set(groupId, { names, version: group.fingerprint, unavailable });
  }
  // Groups and names are sorted already: their plain JSON is canonical.
  return { id: hashText(JSON.stringify([...groups]), 16), groups, own: own.sort(byCodePoint) };
}

/**
 * The list under the id that it has in an epoch. The id says nothing of own tools while they are those
 * of the epoch, which is so unless the epoch comes from a state.
 */
export function listIn(start: ToolList, list: ToolList): ToolList {
  const own = JSON.stringify(list.own);
  if (own === JSON.stringify(start.own)) return list;
  return { ...list, id: `${list.id}${WITH_OWN}${hashText(own, 16)}` };
}

/** The list of an id in an epoch, from a list that has the same groups. */
export function listOfId(start: ToolList, id: string, list: ToolList): ToolList {
  return id.includes(WITH_OWN) ? list : { ...list, own: start.own };
}

/** The notice for a list that equals the one at the start of the epoch. */
export const LIST_RESTORED =
  '[Notice from the application, not from the user: the list of tools is again the one shown at the start; earlier notices of changes no longer hold.]';

/**
 * Whether the list had a tool of this name (bare or canonical), or a group of this name, that is
 * gone now.
 */
export function isListed(
  list: ToolList,
  name: string,
  gone: (groupId: string) => boolean,
): boolean {
  if (list.own.includes(name)) return true;
  const slugs = slugsOf(list);
  for (const [groupId, { names }] of list.groups) {
    if (names.includes(name)) return true;
    const slug = slugs.get(groupId) ?? '';
    const isFull = name.startsWith(`${slug}__`);
    if (isFull && names.some((own) => canonicalName(slug, own) === name)) return true;
    if (!gone(groupId)) continue;
    if ([groupId, plainLine(groupId, 80), slug].includes(name)) return true;
    // A group that lists nothing had every tool with its prefix.
    if (names.length === 0 && isFull) return true;
  }
  return false;
}

const slugsOfLists = new WeakMap<ToolList, ReadonlyMap<string, string>>();

function slugsOf(list: ToolList): ReadonlyMap<string, string> {
  const known = slugsOfLists.get(list);
  if (known) return known;
  const slugs = new Map([...list.groups.keys()].map((groupId) => [groupId, groupSlug(groupId)]));
  slugsOfLists.set(list, slugs);
  return slugs;
}

/** A line about an added tool of the app, as in the catalog. */
export function ownToolHint({ registry }: Toolbox): (name: string) => string {
  return (name) => hintOf({ name, description: registry.appTools.get(name)?.description });
}

/**
 * Describes what changed between two lists, as one bounded notice. Undefined if nothing changed
 * that `allows` shows. `ownHint`: what is said of an added tool of the app.
 */
export function describeChange(
  before: ToolList,
  after: ToolList,
  allows: View['allows'] = () => true,
  ownHint: (name: string) => string = (name) => name,
): string | undefined {
  if (before.id === after.id) return;
  const ids = [...new Set([...before.groups.keys(), ...after.groups.keys()])].sort(byCodePoint);
  const of = (list: ToolList, id: string) => allowedPart(id, list.groups.get(id), allows);
  const lines = ids.flatMap((id) => groupChange(id, of(before, id), of(after, id)));
  const ownOf = ({ own }: ToolList) =>
    own.filter((name) => allows({ name, bare: name, groupId: undefined }));
  lines.unshift(...ownChange(ownOf(before), ownOf(after), ownHint));
  if (lines.length === 0) return;
  const more = lines.length - MAX_GROUPS;
  const shown =
    more > 0 ? [...lines.slice(0, MAX_GROUPS), `and ${plainCount(more, 'more change')}`] : lines;
  return `[Notice from the application, not from the user: the list of tools has changed.]\n- ${shown.join('\n- ')}`;
}

/** The part of a group that may be shown; undefined if there is none. */
function allowedPart(
  groupId: string,
  group: ListedGroup | undefined,
  allows: View['allows'],
): ListedGroup | undefined {
  if (!group) return;
  const slug = groupSlug(groupId);
  const isAllowed = (bare: string) =>
    [canonicalName(slug, bare), bare].some((name) => allows({ name, bare, groupId }));
  if (group.names.length === 0) return isAllowed('') ? group : undefined;
  const names = group.names.filter(isAllowed);
  return names.length === group.names.length
    ? group
    : names.length === 0
      ? undefined
      : { ...group, names };
}

function groupChange(
  id: string,
  before: ListedGroup | undefined,
  after: ListedGroup | undefined,
): string[] {
  const name = plainLine(id, 80);
  if (!before && !after) return [];
  if (!after) return [`group ${name} was removed with all its tools; do not call them`];
  if (!before) return [`group ${name} was added${groupWithNames(after)}`];
  const lines: string[] = [];
  if (before.unavailable && !after.unavailable)
    lines.push(`group ${name} is available now${groupWithNames(after)}`);
  if (!before.unavailable && after.unavailable)
    lines.push(`group ${name} is not available at present`);
  const [added, removed] = differences(before.names, after.names);
  const appeared = before.unavailable && !after.unavailable;
  if (added.length > 0 && !appeared) lines.push(`added to ${name}: ${shortList(added)}`);
  if (removed.length > 0)
    lines.push(`removed from ${name}: ${shortList(removed)}; do not call them`);
  if (lines.length === 0 && before.version !== after.version) {
    lines.push(`tools of ${name} have changed; load them again before you call them`);
  }
  return lines;
}

/** The names that were added, and those that were removed. */
function differences(
  before: readonly string[],
  after: readonly string[],
): [added: string[], removed: string[]] {
  const [had, has] = [new Set(before), new Set(after)];
  return [after.filter((name) => !had.has(name)), before.filter((name) => !has.has(name))];
}

/** The app's own tools. They have no group that could be added or removed. */
function ownChange(
  before: readonly string[],
  after: readonly string[],
  hint: (name: string) => string,
): string[] {
  const [added, removed] = differences(before, after);
  const lines: string[] = [];
  if (added.length > 0) {
    lines.push(`added to ${OWN_GROUP}:\n  ${shortList(added.map(hint), '\n  ', '\n  ')}`);
  }
  if (removed.length > 0)
    lines.push(`removed from ${OWN_GROUP}: ${shortList(removed)}; do not call them`);
  return lines;
}

function groupWithNames(group: ListedGroup): string {
  if (group.unavailable) return ', but is not available at present';
  return group.names.length === 0 ? '' : `: ${shortList(group.names)}`;
}

function shortList(names: readonly string[], between = ', ', last = ' '): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(between);
  return more > 0 ? `${shown}${last}and ${more} more` : shown;
}
