import { errorMessage } from '../../errors.ts';
import { findLoaded } from '../epoch/index.ts';
import { nearNames } from '../near/index.ts';
import type { GroupRecord } from '../registry/index.ts';
import { tokensWithin } from '../tokens/index.ts';
import { type Entry, OWN_GROUP, type Tool } from '../tool/index.ts';
import {
  byCodePoint,
  counted,
  cut,
  type JsonObject,
  own,
  plainLine,
  sentence,
  visibleText,
} from '../values/index.ts';
import { readNames, readRequest } from './arguments.ts';
import { type Answer, failure, isInactive, ok, type Scope, visibleGroups } from './scope.ts';
import { servedSchema } from './served-schema.ts';

/** The maximum number of names in one call. */
const MAX_ASKED = 1_000;
/** The maximum number of names of omitted tools in an answer. */
const MAX_LEFT = 20;

interface Loadable {
  readonly entry: Entry;
  readonly tool: Tool;
}

/** `load_tools`: shows the schemas of a group, or of some of its tools, and says what is left. */
export async function loadTools(
  scope: Scope,
  input: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const request = readRequest(input);
  const asking = readNames(own(request, 'tool_names') ?? own(request, 'tool_name'));
  const names = asking?.slice(0, MAX_ASKED);
  const requested = own(request, 'group_id');
  const record = findGroup(scope, typeof requested === 'string' ? requested : '', names);
  if (!record) return unknownGroup(scope, requested);
  const { groupId } = record.group;
  try {
    if (groupId !== OWN_GROUP) await scope.toolbox.load(groupId, signal);
  } catch (error) {
    signal?.throwIfAborted();
    const why = `The group could not be loaded: ${sentence(visibleText(errorMessage(error), 300))}`;
    const next = 'Other groups are not affected. Try once more, or go on without it and say so.';
    return { ...notExpanded(scope, record, why, { next }), cause: error };
  }
  const loadable = loadableOf(scope, groupId);
  if (names === undefined) return serve(scope, record, loadable, loadable, []);
  const byEntry = new Map(loadable.map((item) => [item.entry, item]));
  const wanted = new Set<Loadable>();
  const unknown: string[] = [];
  for (const name of names) {
    const entry = findLoaded(scope.toolbox.registry, { groupId, name });
    const found = entry && byEntry.get(entry);
    if (found) wanted.add(found);
    else unknown.push(cut(name, 80));
  }
  const ignored = (asking?.length ?? 0) - names.length;
  return serve(scope, record, loadable, [...wanted], unknown, ignored);
}

/** The tools of a group that this view may see, sorted by name. */
function loadableOf(scope: Scope, groupId: string): Loadable[] {
  const visible = scope.toolbox.visibleTo(scope.view);
  const found: Loadable[] = [];
  for (const entry of scope.toolbox.registry.entries()) {
    if ((entry.groupId ?? OWN_GROUP) !== groupId || !visible(entry)) continue;
    if (entry.own && scope.declared.has(entry.name)) continue;
    const tool = scope.toolbox.toolOf(entry);
    if (tool) found.push({ entry, tool });
  }
  return found.sort((a, b) => byCodePoint(a.entry.shown, b.entry.shown));
}

function serve(
  scope: Scope,
  record: GroupRecord,
  loadable: readonly Loadable[],
  wanted: readonly Loadable[],
  unknown: readonly string[],
  ignored = 0,
): Answer {
  const { groupId } = record.group;
  const shownUnknown = unknown.slice(0, 10);
  if (wanted.length === 0) {
    if (unknown.length === 0) return notExpanded(scope, record, 'The group has no tools.', {});
    const near = nearNames(
      unknown[0] ?? '',
      loadable.map(({ entry }) => entry.shown),
      5,
    );
    return notExpanded(scope, record, 'The group has none of these tools.', {
      unknown: shownUnknown,
      ...(near.length > 0 ? { did_you_mean: near } : {}),
      next: 'Leave out tool_names to see what the group has.',
    });
  }
  // Strategies that append read the schemas from the result.
  const inResult = scope.strategy.delivers !== 'tools';
  const { served, schemas, changed } = fill(scope, wanted, inResult);
  const ranks = activeRanks(scope, groupId);
  const fresh = served.filter(({ entry }) => !ranks.has(entry.shown));
  // Counted as of the first time that the tools were served: the same request then gives the same
  // bytes.
  const known = served.map(({ entry }) => (ranks.get(entry.shown) ?? -1) + 1);
  const reached = fresh.length > 0 ? ranks.size + fresh.length : Math.max(...known);
  const left = wanted.length - served.length;
  if (fresh.length > 0)
    scope.onToolsExpanded(
      groupId,
      fresh.map(({ tool }) => tool),
    );
  return ok({
    group_id: groupId,
    expanded: true,
    tool_names: served.map(({ entry }) => entry.shown),
    remaining: Math.max(0, loadable.length - reached),
    ...(inResult ? { schemas } : {}),
    ...(unknown.length > 0 ? { unknown: shownUnknown } : {}),
    ...(ignored > 0 ? { ignored_names: ignored } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(left > 0 ? { next: whatIsLeft(wanted.slice(served.length)) } : {}),
  });
}

/** Ranks of loaded tools without those that are not active now. */
function activeRanks(scope: Scope, groupId: string): ReadonlyMap<string, number> {
  const ranks = scope.loadedRanks(groupId);
  if (scope.role === scope.view) return ranks;
  const visible = scope.toolbox.visibleTo(scope.view);
  const isLeftOut = ([name]: readonly [string, number]) => {
    const entry = findLoaded(scope.toolbox.registry, { groupId, name });
    return entry !== undefined && !visible(entry);
  };
  const ordered = [...ranks].sort(([, a], [, b]) => a - b);
  const active = new Map<string, number>();
  let before = 0;
  let leftOut = 0;
  let last = -1;
  for (const [name, rank] of ordered) {
    if (rank > last) before = leftOut;
    last = rank;
    if (isLeftOut([name, rank])) leftOut++;
    else active.set(name, rank - before);
  }
  return active;
}

function whatIsLeft(left: readonly Loadable[]): string {
  const names = left.slice(0, MAX_LEFT).map(({ entry }) => entry.shown);
  const first = left.length > names.length ? `, the first ${names.length} being` : ':';
  return `${left.length} more did not fit; ask for them by tool_names${first} ${names.join(', ')}.`;
}

/** Takes tools in order while their schemas fit the limit; the first is always taken. */
function fill(scope: Scope, wanted: readonly Loadable[], inResult: boolean) {
  const served: Loadable[] = [];
  const schemas: JsonObject[] = [];
  const changed: string[] = [];
  let tokens = 0;
  for (const item of wanted) {
    const definition = scope.toolbox.definitionOf(item.entry, item.tool);
    const size = tokensWithin(definition, 2 * scope.limits.load, scope.countTokens);
    tokens += size;
    if (tokens > scope.limits.load && served.length > 0) break;
    served.push(item);
    if (!inResult) continue;
    const { schema, isChanged } = servedSchema(scope, definition, size);
    if (isChanged) changed.push(item.entry.shown);
    schemas.push(schema);
  }
  return { served, schemas, changed };
}

/**
 * Finds a group by its id, slug or display name in any case, else the group that holds the named
 * tools.
 */
function findGroup(
  scope: Scope,
  requested: string,
  names: readonly string[] | undefined,
): GroupRecord | undefined {
  const visible = [...visibleGroups(scope), ...ownGroup(scope)];
  const exact = visible.find(({ group }) => group.groupId === requested);
  if (exact) return exact;
  const wanted = requested.trim().toLowerCase();
  const close = visible.filter(({ group, slug }) =>
    [slug, group.groupId, plainLine(group.groupId, 80), group.displayName].some(
      (name) => wanted !== '' && name?.toLowerCase() === wanted,
    ),
  );
  if (close.length > 0) return close.length === 1 ? close[0] : undefined;
  const holders = new Set<string | undefined>();
  for (const name of names ?? [requested]) {
    const resolution = scope.toolbox.registry.resolve(name, scope.toolbox.visibleTo(scope.view));
    holders.add(resolution.kind === 'found' ? (resolution.entry.groupId ?? OWN_GROUP) : undefined);
  }
  const [holder] = holders;
  return holders.size === 1 ? visible.find(({ group }) => group.groupId === holder) : undefined;
}

/**
 * The app's own tools that are not declared, as a group that needs no loader. The catalog lists
 * them so.
 */
function ownGroup(scope: Scope): GroupRecord[] {
  const visible = scope.toolbox.visibleTo(scope.view);
  const listed = [...scope.toolbox.registry.own.values()].filter(
    (entry) => visible(entry) && !scope.declared.has(entry.name),
  );
  const group = { groupId: OWN_GROUP, loader: async () => [] };
  return listed.length > 0 ? [{ group, slug: OWN_GROUP, listed }] : [];
}

function unknownGroup(scope: Scope, requested: unknown): Answer {
  const ids = [...ownGroup(scope), ...visibleGroups(scope)].map(({ group }) => group.groupId);
  const name = typeof requested === 'string' ? requested : '';
  if (isInactive(scope, name)) {
    return failure({
      group_id: cut(name, 80),
      expanded: false,
      tool_names: [],
      remaining: 0,
      error: 'None of its tools can be used in this step.',
      next: 'Go on without them, and say so where they are needed.',
    });
  }
  if (scope.wasRemoved(name)) {
    return failure({
      group_id: cut(name, 80),
      expanded: false,
      tool_names: [],
      remaining: 0,
      error: 'The group was removed from the list of tools.',
      next: 'Go on without its tools, and say so where they are needed.',
    });
  }
  const near = name.trim() === '' ? ids.slice(0, 5) : nearNames(name, ids, 5);
  return failure({
    group_id: cut(name, 80),
    expanded: false,
    tool_names: [],
    remaining: 0,
    error: name.trim() === '' ? 'group_id is missing.' : 'There is no group of this id.',
    ...(near.length > 0 ? { did_you_mean: near } : {}),
    next:
      ids.length === 0
        ? 'There are no groups to load.'
        : `Use a group id from the list of tools (${counted(ids.length, 'group')}).`,
  });
}

function notExpanded(scope: Scope, record: GroupRecord, error: string, more: JsonObject): Answer {
  const { group, listed } = record;
  const why = group.unavailable
    ? ` It was reported unavailable: ${sentence(plainLine(group.unavailable.reason, 200))}`
    : '';
  return failure({
    group_id: group.groupId,
    expanded: false,
    tool_names: [],
    remaining: listed.filter(scope.toolbox.visibleTo(scope.view)).length,
    error: error + why,
    ...more,
  });
}
