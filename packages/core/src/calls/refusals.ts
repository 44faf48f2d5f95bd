import { errorMessage } from '../errors.ts';
import { NearIndex } from '../near-names.ts';
import type { Registry, View } from '../registry/index.ts';
import { fitSchema } from '../schema/index.ts';
import type { ToolDefinition, ToolEntry } from '../tool/index.ts';
import {
  asSentence,
  type JsonObject,
  type JsonValue,
  plainLine,
  truncate,
  visibleText,
} from '../values/index.ts';
import { type AnswerRoute, nameKeyOf, type Scope, unloadedGroups } from './route.ts';

/** At most five names of the view that are similar to the given name. */
export function namesNear({ toolbox, view }: Scope, name: string): string[] {
  const { registry } = toolbox;
  const visible = toolbox.visibleTo(view);
  const shown = (text: string) => registry.findByShownName(text, visible);
  // A name that is not shown must not displace one that is.
  const found = indexOf(registry).nearest(name, 20, (text) => shown(text) !== undefined);
  return [...new Set(found.flatMap((text) => shown(text)?.name ?? []))].slice(0, 5);
}

/** The tools of the view whose shown name differs from the given one only in case and separators. */
export function namesAlike({ toolbox, view }: Scope, name: string): ToolEntry[] {
  const { registry } = toolbox;
  const texts = indexOf(registry).same(name);
  const aliased = texts.flatMap((text) => registry.entriesByAlias(text));
  const found = texts.flatMap((text) => registry.get(text) ?? []);
  const alike = new Set([...found, ...aliased.filter(({ shown }) => texts.includes(shown))]);
  return [...alike].filter(toolbox.visibleTo(view));
}

/** An index of the names of one registry. New names are added at the next query. */
class WrittenNames {
  readonly near = new NearIndex();
  readonly #shown = new Set<string>();
  #count = 0;

  addNew(registry: Registry): void {
    if (registry.size === this.#count) return;
    // New entries come after the earlier ones.
    for (const entry of [...registry.entries()].slice(this.#count)) {
      this.near.add(entry.name);
      // Several groups may have the same shown name, and it may equal a canonical name.
      const { shown } = entry;
      if (registry.get(shown) || this.#shown.has(shown)) continue;
      this.#shown.add(shown);
      this.near.add(shown);
    }
    this.#count = registry.size;
  }
}

const indexes = new WeakMap<Registry, WrittenNames>();

function indexOf(registry: Registry): NearIndex {
  const names = indexes.get(registry) ?? new WrittenNames();
  indexes.set(registry, names);
  names.addNew(registry);
  return names.near;
}

const MAX_CANDIDATES = 5;
/** The note next to a schema that is not shown whole. */
export const SHORTENED = 'Shortened; descriptions and deep levels are left out.';
const NOT_RUN = 'No tool was run.';

export function ok(result: JsonObject): AnswerRoute {
  return { kind: 'answer', result, isError: false };
}

export function failure(result: JsonObject): AnswerRoute {
  return { kind: 'answer', result, isError: true };
}

/** The lists that are not empty: a result leaves out the others. */
export function filled(lists: { readonly [key: string]: readonly JsonValue[] }): JsonObject {
  const found = Object.entries(lists).filter(([, list]) => list.length > 0);
  return Object.fromEntries(found) as JsonObject;
}

/** Whether the name means a tool or group that the host leaves out of this request. */
export function isInactive({ toolbox, role, view }: Scope, name: string): boolean {
  if (role === view) return false;
  const isKnown = (allowed: View) =>
    toolbox.registry.resolve(name, toolbox.visibleTo(allowed)).kind !== 'unknown';
  const group = toolbox.registry.groups.get(name);
  if (!group) return isKnown(role) && !isKnown(view);
  return toolbox.groupVisibleTo(role, group) && !toolbox.groupVisibleTo(view, group);
}

/** The answer for unknown tools and, without a difference, for hidden ones. Inactive and removed tools get others. */
export function unknownTool(scope: Scope, name: string): AnswerRoute {
  const tool = truncate(name, 80);
  if (isInactive(scope, name)) {
    // The answer does not show the schema.
    const message = `${tool} cannot be used in this step. ${NOT_RUN}`;
    return failure({ error: 'tool_not_active', tool, message });
  }
  if (scope.wasRemoved(name)) {
    const message = `${tool} was removed from the tool list. ${NOT_RUN} Do not call it again.`;
    return failure({ error: 'tool_removed', tool, message });
  }
  return failure({
    error: 'unknown_tool',
    tool,
    message: `There is no tool of this name. ${NOT_RUN}`,
    ...filled({ did_you_mean: namesNear(scope, name) }),
    next: wayToFind(scope, name),
  });
}

export function ambiguousTool(name: string, entries: readonly ToolEntry[]): AnswerRoute {
  return failure({
    error: 'ambiguous_tool',
    tool: truncate(name, 80),
    message: `${entries.length} tools have this name. ${NOT_RUN}`,
    candidates: entries.slice(0, MAX_CANDIDATES).map((entry) => entry.name),
    next: 'Call again with one of these full names.',
  });
}

export function loadFailed(tool: string, groupId: string, cause: unknown): AnswerRoute {
  const message = `${whyNotLoaded(cause)} ${NOT_RUN}`;
  const next = othersLoad('this tool');
  const result = { error: 'load_failed', tool, group_id: groupId, message, next };
  return { ...failure(result), cause };
}

export function whyNotLoaded(cause: unknown): string {
  return `The group could not be loaded: ${asSentence(visibleText(errorMessage(cause), 300))}`;
}

export function othersLoad(what: string): string {
  return `Other groups are not affected. Try once more, or go on without ${what} and say so.`;
}

/** The answer for a tool that the catalog lists and its source does not have. */
export function missingTool({ name, groupId, bare }: ToolEntry): AnswerRoute {
  return failure({
    error: 'tool_missing',
    tool: name,
    message: `${groupId} is loaded but does not offer ${plainLine(bare, 80)}. ${NOT_RUN}`,
    next: `Use another tool of ${groupId}, or go on without it and say so.`,
  });
}

/** The answer for a tool that the endpoint does not accept among the declared ones. */
export function notDeclarable({ name }: ToolEntry, why: string): AnswerRoute {
  return failure({
    error: 'not_declarable',
    tool: name,
    message: `The tool cannot be used with this model: ${asSentence(plainLine(why, 300))} ${NOT_RUN}`,
    next: 'Use another tool, or go on without it and say so.',
  });
}

/** The answer for invalid arguments: what is wrong and where, that nothing ran, and the schema. */
export function invalidArguments(
  { limits, countTokens }: Scope,
  { name, parameters }: ToolDefinition,
  problems: readonly string[],
): AnswerRoute {
  const { schema, shortened } = fitSchema(parameters, limits.schema, countTokens);
  return failure({
    error: 'invalid_arguments',
    tool: name,
    message: 'The tool was not run: its arguments are invalid.',
    problems: [...problems],
    schema: schema as JsonObject,
    ...(shortened ? { schema_note: SHORTENED } : {}),
  });
}

export function missingName(message: string): AnswerRoute {
  return failure({ error: 'missing_name', message });
}

export function malformedCall({ bridges }: Scope, wireName: string, problem: string): AnswerRoute {
  const nameKey = nameKeyOf(bridges.kinds.get(wireName)) ?? 'name';
  return malformed(
    `${problem} ${NOT_RUN}`,
    `Call ${wireName} with {"${nameKey}": "…", "arguments": {…}}.`,
  );
}

export function malformedInput(wireName: string, problem: string): AnswerRoute {
  return malformed(`${problem} Nothing was done.`, `Call ${wireName} again with valid JSON.`);
}

function malformed(message: string, next: string): AnswerRoute {
  return failure({ error: 'malformed_call', message, next });
}

export function bridgeInBridge(wireName: string, target: string): AnswerRoute {
  const tool = truncate(target, 80);
  return failure({
    error: 'bridge_in_bridge',
    tool,
    message: `${tool} is called by itself, not through ${wireName}. ${NOT_RUN}`,
    next: `Call ${tool} directly, or name the tool you want to run.`,
  });
}

/** What to do with tools that are declared: nothing has to be found or loaded. */
export function callNow(names: readonly string[]): JsonObject {
  const [first = ''] = names;
  if (names.length === 0) return {};
  return { callable_now: [...names], next: `You have ${first} already: call it by this name.` };
}

/** The answer for a load or search whose answer the messages hold more than once, unchanged. */
export function answeredBefore(times: number): AnswerRoute {
  const next =
    'This exact call was answered above, and nothing has changed. Go on with that answer: call a tool, or ask the user what is missing.';
  return ok({ repeated: times, next });
}

/** The answer for a call that failed before. It differs from the earlier answer, so that the model does not send it again. */
export function repeated(answer: AnswerRoute, attempt: number): AnswerRoute {
  const { error: cause, tool, group_id, message, did_you_mean, problems } = answer.result;
  const kept = Object.entries({ tool, group_id, cause, message, problems, did_you_mean });
  const result = {
    error: 'repeated_call',
    attempt,
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    next: 'This exact call has failed before and will fail again. Change it, use another tool, or tell the user what is in the way.',
  } as JsonObject;
  return { ...answer, result };
}

/**
 * How to find tools. The text depends on what the view may know of groups, and is the same for
 * hidden and unknown names.
 */
function wayToFind(scope: Scope, name: string): string {
  const { epoch, bridges, hasSearch, canLoad } = scope;
  if (epoch.strategy.defers === 'nothing') return 'Use the tools that are declared.';
  const [unknown] = unloadedGroups(scope, name).filter(({ listed }) => listed.length === 0);
  if (unknown && canLoad) {
    const way = hasSearch
      ? `find them with ${bridges.names.tool_search}`
      : `load it with ${bridges.names.load_tools}`;
    return `The tools of ${plainLine(unknown.group.groupId, 80)} are not known yet: ${way}.`;
  }
  return hasSearch
    ? `Look through the list of tools, or ask ${bridges.names.tool_search}.`
    : 'Look through the list of tools.';
}
