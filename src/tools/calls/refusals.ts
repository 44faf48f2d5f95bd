import { errorMessage } from '../../errors.ts';
import type { Resolution } from '../registry/index.ts';
import { fitSchema } from '../schema/index.ts';
import type { Entry, Tool } from '../tool/index.ts';
import {
  cut,
  type JsonObject,
  type JsonValue,
  plainLine,
  sentence,
  visibleText,
} from '../values/index.ts';
import { nameKeyOf } from './envelope.ts';
import { namesNear } from './near-tools.ts';
import { type Answer, failure, isInactive, type Scope, unloadedGroups } from './scope.ts';

const MAX_CANDIDATES = 5;
/** The note next to a schema that is not shown whole. */
export const SHORTENED = 'Shortened; descriptions and deep levels are left out.';
const NOT_RUN = 'No tool was run.';

/**
 * The answer for unknown tools and, without a difference, for hidden ones. A removed tool gets
 * another one.
 */
export function unknownTool(scope: Scope, name: string): Answer {
  const tool = cut(name, 80);
  if (isInactive(scope, name)) return inactiveTool(tool);
  if (scope.wasRemoved(name)) {
    const message = `${tool} was removed from the tool list. ${NOT_RUN} Do not call it again.`;
    return failure({ error: 'tool_removed', tool, message });
  }
  const near = namesNear(scope, name);
  return failure({
    error: 'unknown_tool',
    tool,
    message: `There is no tool of this name. ${NOT_RUN}`,
    ...(near.length > 0 ? { did_you_mean: near } : {}),
    next: wayToFind(scope, name),
  });
}

/**
 * The answer for a tool that the host does not offer in this request. It does not show the
 * schema.
 */
function inactiveTool(tool: string): Answer {
  const message = `${tool} cannot be used in this step. ${NOT_RUN}`;
  return failure({ error: 'tool_not_active', tool, message });
}

function ambiguousTool(name: string, entries: readonly Entry[]): Answer {
  const names = entries.slice(0, MAX_CANDIDATES).map((entry) => entry.name);
  return failure({
    error: 'ambiguous_tool',
    tool: cut(name, 80),
    message: `${entries.length} tools have this name. ${NOT_RUN}`,
    candidates: names,
    next: 'Call again with one of these full names.',
  });
}

/** The answer to a name that does not resolve to one tool. */
export function unresolved(
  scope: Scope,
  name: string,
  resolution: Exclude<Resolution, { kind: 'found' }>,
): Answer {
  return resolution.kind === 'ambiguous'
    ? ambiguousTool(name, resolution.entries)
    : unknownTool(scope, name);
}

export function loadFailed(entry: { name: string }, groupId: string, cause: unknown): Answer {
  const message = errorMessage(cause);
  const answer = failure({
    error: 'load_failed',
    tool: entry.name,
    group_id: groupId,
    message: `The group could not be loaded: ${sentence(visibleText(message, 300))} ${NOT_RUN}`,
    next: 'Other groups are not affected. Try once more, or go on without this tool and say so.',
  });
  return { ...answer, cause };
}

/** The answer for a tool that the catalog lists and its source does not have. */
export function missingTool(entry: Entry): Answer {
  return failure({
    error: 'tool_missing',
    tool: entry.name,
    message: `${entry.groupId} is loaded but does not offer ${plainLine(entry.bare, 80)}. ${NOT_RUN}`,
    next: `Use another tool of ${entry.groupId}, or go on without it and say so.`,
  });
}

/** The answer for invalid arguments: what is wrong and where, that nothing ran, and the schema. */
export function invalidArguments(
  scope: Scope,
  entry: Entry,
  tool: Tool,
  problems: readonly string[],
): Answer {
  const definition = scope.toolbox.definitionOf(entry, tool);
  const { schema, shortened } = fitSchema(
    definition.parameters,
    scope.limits.schema,
    scope.countTokens,
  );
  return failure({
    error: 'invalid_arguments',
    tool: entry.name,
    message: 'The tool was not run: its arguments are invalid.',
    problems: [...problems],
    schema: schema as JsonObject,
    ...(shortened ? { schema_note: SHORTENED } : {}),
  });
}

export function malformedCall({ bridges }: Scope, wireName: string, problem: string): Answer {
  const nameKey = nameKeyOf(bridges.kind(wireName)) ?? 'name';
  return failure({
    error: 'malformed_call',
    message: `${problem} ${NOT_RUN}`,
    next: `Call ${wireName} with {"${nameKey}": "…", "arguments": {…}}.`,
  });
}

export function malformedInput(wireName: string, problem: string): Answer {
  return failure({
    error: 'malformed_call',
    message: `${problem} Nothing was done.`,
    next: `Call ${wireName} again with valid JSON.`,
  });
}

export function bridgeInBridge(wireName: string, target: string): Answer {
  return failure({
    error: 'bridge_in_bridge',
    tool: cut(target, 80),
    message: `${cut(target, 80)} is called by itself, not through ${wireName}. ${NOT_RUN}`,
    next: `Call ${cut(target, 80)} directly, or name the tool you want to run.`,
  });
}

/**
 * The answer for a call that failed before. It differs from the earlier answer, so that the
 * model does not send the call again.
 */
export function repeated(answer: Answer, attempt: number): Answer {
  const { error, tool, group_id, message, did_you_mean, problems } = answer.result;
  const kept: [string, JsonValue | undefined][] = [
    ['tool', tool],
    ['group_id', group_id],
    ['cause', error],
    ['message', message],
    ['problems', problems],
    ['did_you_mean', did_you_mean],
  ];
  const again = failure({
    error: 'repeated_call',
    attempt,
    ...Object.fromEntries(
      kept.filter((pair): pair is [string, JsonValue] => pair[1] !== undefined),
    ),
    next: 'This exact call has failed before and will fail again. Change it, use another tool, or tell the user what is in the way.',
  });
  return { ...answer, ...again };
}

/**
 * How to find tools. The text depends on what the view may know of groups, and is the same for
 * hidden and unknown names.
 */
function wayToFind(scope: Scope, name: string): string {
  const { strategy, bridges, hasSearch, canLoad } = scope;
  if (strategy.defers === 'nothing') return 'Use the tools that are declared.';
  const [unknown] = unloadedGroups(scope, name).filter(({ listed }) => listed.length === 0);
  if (unknown && canLoad) {
    const id = plainLine(unknown.group.groupId, 80);
    return hasSearch
      ? `The tools of ${id} are not known yet: find them with ${bridges.name('tool_search')}.`
      : `The tools of ${id} are not known yet: load it with ${bridges.name('load_tools')}.`;
  }
  return hasSearch
    ? `Look through the list of tools, or ask ${bridges.name('tool_search')}.`
    : 'Look through the list of tools.';
}
