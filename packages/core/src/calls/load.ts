import { nearNames } from '../near-names.ts';
import type { GroupRecord } from '../registry/index.ts';
import { OWN_GROUP, plainName, type Tool, type ToolEntry } from '../tool/index.ts';
import {
  asSentence,
  byCodePoint,
  type JsonObject,
  ownProperty,
  plainCount,
  plainLine,
  truncate,
} from '../values/index.ts';
import { fitting, isInTexts, type Showable, servedSchemas } from './describe.ts';
import { callNow, failure, filled, isInactive, ok, othersLoad, whyNotLoaded } from './refusals.ts';
import {
  type AnswerRoute,
  declaredAmong,
  findable,
  noRoom,
  type Scope,
  visibleGroups,
} from './route.ts';
import { loadGroup, readNames } from './target.ts';

/** The maximum number of names in one call. */
const MAX_ASKED = 1_000;
/** The maximum number of names of omitted tools in an answer. */
const MAX_LEFT = 20;

interface Loadable extends Showable {
  readonly entry: ToolEntry;
  readonly tool: Tool;
}

/** `load_tools`: shows the schemas of a group, or of some of its tools, and says what is left. */
export async function loadTools(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<AnswerRoute> {
  const asking = readNames(ownProperty(request, 'tool_names') ?? ownProperty(request, 'tool_name'));
  const names = asking?.slice(0, MAX_ASKED);
  const id = ownProperty(request, 'group_id');
  const requested = typeof id === 'string' ? id : '';
  const groups = [...ownGroup(scope), ...visibleGroups(scope)];
  const record = findGroup(scope, groups, requested, names);
  if (!record) {
    // The tool may be one that needs no load.
    const inline = declaredAmong(scope, [requested, ...(names ?? [])]);
    return inline.length > 0
      ? ok({ group_id: truncate(requested, 80), ...callNow(inline) })
      : unknownGroup(scope, groups, requested);
  }
  const { groupId } = record.group;
  const failed = groupId === OWN_GROUP ? undefined : await loadGroup(scope, groupId, signal);
  if (failed) {
    const { cause } = failed;
    const next = othersLoad('it');
    return { ...groupFailed(scope, record, whyNotLoaded(cause), { next }), cause };
  }
  const loadable = loadableOf(scope, groupId);
  if (loadable.length === 0 && names === undefined) {
    return groupFailed(scope, record, 'The group has no tools.', {});
  }
  const byEntry = new Map(loadable.map((item) => [item.entry, item]));
  const wanted = new Set(names === undefined ? loadable : []);
  const unknown: string[] = [];
  const inline = new Set<string>();
  for (const name of names ?? []) {
    const { registry } = scope.toolbox;
    const entry =
      registry.findLoaded({ groupId, name }) ??
      registry.findLoaded({ groupId, name: plainName(name) });
    const found = entry && byEntry.get(entry);
    const [declared] = found ? [] : declaredAmong(scope, [name]);
    if (found) wanted.add(found);
    else if (declared !== undefined) inline.add(declared);
    else unknown.push(truncate(name, 80));
  }
  const shownUnknown = unknown.slice(0, 10);
  const refused = refusedOf(scope, wanted);
  for (const item of refused.keys()) wanted.delete(item);
  if (wanted.size === 0 && refused.size > 0)
    return groupFailed(scope, record, 'None of these tools can be used with this model.', {
      refused: reasons(refused),
      next: 'Use other tools, or go on without these and say so.',
    });
  if (wanted.size === 0 && inline.size > 0) {
    const more = filled({ unknown: shownUnknown });
    return ok({ group_id: groupId, ...more, ...callNow([...inline]) });
  }
  if (wanted.size === 0) {
    const labels = loadable.map(({ label }) => label);
    return groupFailed(scope, record, 'The group has none of these tools.', {
      unknown: shownUnknown,
      ...filled({ did_you_mean: nearNames(unknown[0] ?? '', labels, 5) }),
      next: 'Leave out tool_names to see what the group has.',
    });
  }
  const ignored = (asking?.length ?? 0) - (names?.length ?? 0);
  const notes = {
    ...filled({ unknown: shownUnknown }),
    ...(refused.size > 0 ? { refused: reasons(refused) } : {}),
    ...(ignored > 0 ? { ignored_names: ignored } : {}),
    ...callNow([...inline, ...declaredIn(scope, [...wanted])]),
  };
  return ok(serve(scope, groupId, loadable.length, [...wanted], notes));
}

/** The tools that the endpoint would not accept if they were declared, with the reasons. */
function refusedOf(scope: Scope, wanted: ReadonlySet<Loadable>): Map<Loadable, string> {
  const refused = new Map<Loadable, string>();
  let more = 0;
  for (const item of wanted) {
    const isNew = !scope.declared.has(item.entry.name);
    const why = scope.refusal(item.entry) ?? (isNew ? noRoom(scope, more) : undefined);
    if (why !== undefined) refused.set(item, why);
    else if (isNew) more++;
  }
  return refused;
}

function reasons(refused: ReadonlyMap<Loadable, string>): JsonObject {
  const some = [...refused].slice(0, MAX_LEFT);
  return Object.fromEntries(some.map(([{ label }, why]) => [label, plainLine(why, 300)]));
}

/** Those that are declared from the start. Where loads declare tools, nobody can tell them apart from loaded ones. */
function declaredIn({ epoch, declared }: Scope, tools: readonly Loadable[]): string[] {
  if (epoch.strategy.delivers === 'tools') return [];
  return tools
    .flatMap(({ entry: { name } }) => (declared.has(name) ? name : []))
    .slice(0, MAX_LEFT);
}

/** The tools of a group that this view may see, sorted by name. */
function loadableOf(scope: Scope, groupId: string): Loadable[] {
  const { toolbox } = scope;
  const found: Loadable[] = [];
  for (const entry of toolbox.visibleEntries(scope.view)) {
    if ((entry.groupId ?? OWN_GROUP) !== groupId) continue;
    if (entry.appTool && scope.declared.has(entry.name)) continue;
    const tool = toolbox.toolOf(entry);
    if (!tool) continue;
    found.push({ label: entry.shown, definition: toolbox.definitionOf(entry, tool), entry, tool });
  }
  return found.sort((a, b) => byCodePoint(a.label, b.label));
}

/** The result with as many of the wanted tools as fit. */
function serve(
  scope: Scope,
  groupId: string,
  available: number,
  wanted: readonly Loadable[],
  notes: JsonObject,
): JsonObject {
  // Strategies that append read the schemas from the result.
  const inResult = scope.epoch.strategy.delivers !== 'tools';
  const served = fitting(scope, wanted);
  const isAbove = ({ definition }: Showable) => isInTexts(scope, definition);
  const above = inResult ? served.filter(isAbove) : [];
  const shown = inResult ? served.filter((one) => !above.includes(one)) : [];
  const { schemas, changed } = servedSchemas(scope, shown);
  const ranks = activeRanks(scope, groupId);
  const fresh = served.filter(({ label }) => !ranks.has(label)).map(({ tool }) => tool);
  // Counted as of the first time that the tools were served: the same request then gives the same
  // bytes.
  const known = served.map(({ label }) => (ranks.get(label) ?? -1) + 1);
  const reached = fresh.length > 0 ? ranks.size + fresh.length : Math.max(...known);
  if (fresh.length > 0) scope.onToolsExpanded(groupId, fresh);
  const left = wanted.slice(served.length);
  return {
    group_id: groupId,
    expanded: true,
    tool_names: served.map(({ label }) => label),
    remaining: Math.max(0, available - reached),
    ...(inResult ? { schemas } : {}),
    ...filled({ shown_before: above.map(({ label }) => label) }),
    ...notes,
    ...filled({ changed }),
    ...(left.length > 0 ? { next: whatIsLeft(left) } : {}),
  };
}

/** Ranks of loaded tools without those that are not active now. */
function activeRanks(scope: Scope, groupId: string): ReadonlyMap<string, number> {
  const ranks = scope.loadedRanks(groupId);
  if (scope.role === scope.view) return ranks;
  const visible = scope.toolbox.visibleTo(scope.view);
  const ordered = [...ranks].sort(([, a], [, b]) => a - b);
  const active = new Map<string, number>();
  let before = 0;
  let leftOut = 0;
  let last = -1;
  for (const [name, rank] of ordered) {
    if (rank > last) before = leftOut;
    last = rank;
    const entry = scope.toolbox.registry.findLoaded({ groupId, name });
    if (entry && !visible(entry)) leftOut++;
    else active.set(name, rank - before);
  }
  return active;
}

function whatIsLeft(left: readonly Loadable[]): string {
  const names = left.slice(0, MAX_LEFT).map(({ label }) => label);
  const first = left.length > names.length ? `, the first ${names.length} being` : ':';
  return `${left.length} more did not fit; ask for them by tool_names${first} ${names.join(', ')}.`;
}

/**
 * Finds a group by its id, slug or display name in any case, else the group that holds the named
 * tools.
 */
function findGroup(
  scope: Scope,
  groups: readonly GroupRecord[],
  requested: string,
  names: readonly string[] | undefined,
): GroupRecord | undefined {
  const exact = groups.find(({ group }) => group.groupId === requested);
  if (exact) return exact;
  const wanted = requested.trim().toLowerCase();
  const close = groups.filter(({ group, slug }) =>
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
  return holders.size === 1 ? groups.find(({ group }) => group.groupId === holder) : undefined;
}

/** The app's own tools that are not declared, as a group that needs no loader. The catalog lists them so. */
function ownGroup(scope: Scope): GroupRecord[] {
  const listed = findable(scope).filter(({ appTool }) => appTool);
  const group = { groupId: OWN_GROUP, loader: async () => [] };
  return listed.length > 0 ? [{ group, slug: OWN_GROUP, listed }] : [];
}

function unknownGroup(scope: Scope, groups: readonly GroupRecord[], name: string): AnswerRoute {
  const refused = (error: string, more: JsonObject) =>
    notExpanded(truncate(name, 80), 0, error, more);
  if (isInactive(scope, name)) {
    const next = 'Go on without them, and say so where they are needed.';
    return refused('None of its tools can be used in this step.', { next });
  }
  if (scope.wasRemoved(name)) {
    const next = 'Go on without its tools, and say so where they are needed.';
    return refused('The group was removed from the list of tools.', { next });
  }
  const ids = groups.map(({ group }) => group.groupId);
  const isMissing = name.trim() === '';
  const near = isMissing ? ids.slice(0, 5) : nearNames(name, ids, 5);
  return refused(isMissing ? 'group_id is missing.' : 'There is no group of this id.', {
    ...filled({ did_you_mean: near }),
    next:
      ids.length === 0
        ? 'There are no groups to load.'
        : `Use a group id from the list of tools (${plainCount(ids.length, 'group')}).`,
  });
}

function groupFailed(
  scope: Scope,
  record: GroupRecord,
  error: string,
  more: JsonObject,
): AnswerRoute {
  const { group, listed } = record;
  const why = group.unavailable
    ? ` It was reported unavailable: ${asSentence(plainLine(group.unavailable.reason, 200))}`
    : '';
  const remaining = listed.filter(scope.toolbox.visibleTo(scope.view)).length;
  return notExpanded(group.groupId, remaining, error + why, more);
}

function notExpanded(
  groupId: string,
  remaining: number,
  error: string,
  more: JsonObject,
): AnswerRoute {
  return failure({
    group_id: groupId,
    expanded: false,
    tool_names: [],
    remaining,
    error,
    ...more,
  });
}
