import { errorMessage } from '../../errors.ts';
import { readObject } from '../envelope.ts';
import { fingerprint } from '../hash.ts';
import { byCodePoint, isRecord, type JsonObject, own } from '../json.ts';
import { nearNames } from '../near.ts';
import { cut, plainLine } from '../plain-text.ts';
import type { Entry, GroupRecord } from '../registry.ts';
import { type Answer, failure, ok, type Scope, visibleGroups } from '../scope.ts';
import type { Tool } from '../tool.ts';

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
  const read = readObject(input);
  const request = read.kind === 'object' ? read.value : {};
  const names = namesIn(own(request, 'tool_names') ?? own(request, 'tool_name'));
  const asked = own(request, 'group_id');
  const record = findGroup(scope, typeof asked === 'string' ? asked : '', names);
  if (!record) return unknownGroup(scope, asked);
  const { groupId } = record.group;
  try {
    await scope.toolbox.load(groupId, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return notExpanded(
      scope,
      record,
      `The group could not be loaded: ${cut(errorMessage(error), 300)}`,
      {
        next: 'Other groups are not affected. Try once more, or go on without it and say so.',
      },
    );
  }
  const loadable = loadableOf(scope, groupId);
  if (names === undefined) return serve(scope, record, loadable, loadable, []);
  const wanted = new Set<Loadable>();
  const unknown: string[] = [];
  for (const name of names) {
    const entry = scope.toolbox.registry.find(groupId, name);
    const found = loadable.find((candidate) => candidate.entry === entry);
    if (found) wanted.add(found);
    else unknown.push(cut(name, 80));
  }
  return serve(scope, record, loadable, [...wanted], unknown);
}

/** Everything of a group that this view may be shown, sorted by name. */
function loadableOf(scope: Scope, groupId: string): Loadable[] {
  const visible = scope.toolbox.visibleTo(scope.view);
  const found: Loadable[] = [];
  for (const entry of scope.toolbox.registry.entries()) {
    if (entry.groupId !== groupId || !visible(entry)) continue;
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
  const inResult = scope.strategy.delivers === 'result';
  const { served, schemas, changed } = fill(scope, wanted, inResult);
  const order = scope
    .loadedNames(groupId)
    .filter((n) => loadable.some(({ entry }) => entry.shown === n));
  const fresh = served.filter(({ entry }) => !order.includes(entry.shown));
  const after = [...order, ...fresh.map(({ entry }) => entry.shown)];
  // Counted up to the last tool served, so that the same request gives the same bytes for ever.
  const reached = Math.max(...served.map(({ entry }) => after.indexOf(entry.shown)));
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
    remaining: loadable.length - reached - 1,
    ...(inResult ? { schemas } : {}),
    ...(unknown.length > 0 ? { unknown: shownUnknown } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(left > 0 ? { next: `${left} more did not fit: ask for them by tool_names.` } : {}),
  });
}

/** Takes tools in order while their schemas fit the limit; the first is always taken. */
function fill(scope: Scope, wanted: readonly Loadable[], inResult: boolean) {
  const served: Loadable[] = [];
  const schemas: JsonObject[] = [];
  const changed: string[] = [];
  let tokens = 0;
  for (const item of wanted) {
    const definition = scope.toolbox.definitionOf(item.entry, item.tool);
    tokens += scope.countTokens(JSON.stringify(definition));
    if (tokens > scope.limits.load && served.length > 0) break;
    served.push(item);
    if (!inResult) continue;
    const first = scope.folded.served.get(definition.name);
    const isChanged = first !== undefined && !sameSchema(first, definition);
    if (isChanged) changed.push(item.entry.shown);
    schemas.push({
      ...definition,
      ...(isChanged ? { fingerprint: fingerprint(definition) } : {}),
    } as JsonObject);
  }
  return { served, schemas, changed };
}

function sameSchema(
  shown: unknown,
  definition: { description?: string; parameters: unknown },
): boolean {
  return (
    isRecord(shown) &&
    shown.fingerprint === undefined &&
    shown.description === definition.description &&
    JSON.stringify(shown.parameters) === JSON.stringify(definition.parameters)
  );
}

/** By id as given or as shown, slug, display name in any case; else the group that holds the tools. */
function findGroup(
  scope: Scope,
  asked: string,
  names: readonly string[] | undefined,
): GroupRecord | undefined {
  const visible = visibleGroups(scope);
  const exact = visible.find(({ group }) => group.groupId === asked);
  if (exact) return exact;
  const wanted = asked.trim().toLowerCase();
  const close = visible.filter(({ group, slug }) =>
    [slug, group.groupId, plainLine(group.groupId, 80), group.displayName].some(
      (name) => wanted !== '' && name?.toLowerCase() === wanted,
    ),
  );
  if (close.length > 0) return close.length === 1 ? close[0] : undefined;
  const holders = new Set<string | undefined>();
  for (const name of names ?? [asked]) {
    const resolution = scope.toolbox.registry.resolve(name, scope.toolbox.visibleTo(scope.view));
    holders.add(resolution.kind === 'found' ? resolution.entry.groupId : undefined);
  }
  const [holder] = holders;
  return holders.size === 1 ? visible.find(({ group }) => group.groupId === holder) : undefined;
}

function unknownGroup(scope: Scope, asked: unknown): Answer {
  const ids = visibleGroups(scope).map(({ group }) => group.groupId);
  const name = typeof asked === 'string' ? asked : '';
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
        : `Use a group id from the list of tools (${ids.length} groups).`,
  });
}

function notExpanded(scope: Scope, record: GroupRecord, error: string, more: JsonObject): Answer {
  const { group, listed } = record;
  const why = group.unavailable
    ? ` It was reported unavailable: ${plainLine(group.unavailable.reason, 200)}`
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

/** A list, one name, or either as JSON text; undefined where none were named. */
function namesIn(value: unknown): string[] | undefined {
  let names = value;
  if (typeof names === 'string' && names.trim().startsWith('[')) {
    try {
      names = JSON.parse(names);
    } catch {
      // Not a list after all: a tool may be called that.
    }
  }
  if (typeof names === 'string') return names.trim() === '' ? undefined : [names.trim()];
  if (!Array.isArray(names) || names.length === 0) return;
  return [...new Set(names.map((name) => String(name)))];
}
