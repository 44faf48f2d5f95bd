import type { Tool, ToolEntry } from '../tool/index.ts';
import { type JsonObject, parsedJson } from '../values/index.ts';
import {
  ambiguousTool,
  isInactive,
  loadFailed,
  missingTool,
  namesAlike,
  unknownTool,
} from './refusals.ts';
import {
  type AnswerRoute,
  type Envelope,
  type EnvelopeArguments,
  groupsThatMayHave,
  NAME_KEYS,
  readArguments,
  type Scope,
} from './route.ts';

const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters'];

type ArgumentsOrProblem =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of an envelope for a target that declares `parameters`. Repairs flattened,
 * renamed or doubly nested arguments only if the declared names allow one interpretation. Ambiguous
 * or unreadable arguments are a problem, never a call without arguments.
 */
export function settleArguments(
  envelope: Envelope,
  parameters: ReadonlySet<string>,
): ArgumentsOrProblem {
  const { given, beside } = envelope;
  if (given.kind === 'unusable') return refused(given.problem);
  const extra = Object.keys(beside);
  const value = objectOf(given);
  if (extra.length === 0) return unnest(envelope, value, parameters);
  if (Object.keys(value).length > 0) {
    return refused(`Beside "arguments" stand ${list(extra)}: put all arguments into "arguments".`);
  }
  const [only = ''] = extra;
  const isRenamed = extra.length === 1 && ARGUMENT_KEYS.includes(only);
  const renamed = isRenamed ? readArguments(beside[only]) : undefined;
  if (extra.every((key) => parameters.has(key))) {
    const names = renamed ? Object.keys(objectOf(renamed)) : [];
    return names.length > 0 && names.every((name) => parameters.has(name))
      ? refused(`"${only}" can be read in two ways: put it into "arguments".`)
      : { ok: true, arguments: beside };
  }
  if (renamed?.kind === 'object') return { ok: true, arguments: renamed.value };
  return refused(`Not parameters of this tool, and not inside "arguments": ${list(extra)}.`);
}

function refused(problem: string): ArgumentsOrProblem {
  return { ok: false, problem };
}

/** Returns the innermost arguments of `{arguments: {arguments: {…}}}` or of an envelope inside `arguments`. */
function unnest(
  envelope: Envelope,
  value: JsonObject,
  parameters: ReadonlySet<string>,
): ArgumentsOrProblem {
  let inner = value;
  while (parameters.size > 0 && !parameters.has('arguments') && Object.hasOwn(inner, 'arguments')) {
    const { arguments: nested, ...beside } = inner;
    const isEnvelope = Object.keys(beside).every(
      (key) => NAME_KEYS.includes(key) && !parameters.has(key) && beside[key] === envelope.target,
    );
    if (!isEnvelope) break;
    const read = readArguments(nested);
    if (read.kind === 'unusable') return refused(read.problem);
    inner = objectOf(read);
  }
  return { ok: true, arguments: inner };
}

/** The object that was read; an empty one if there is none. */
export function objectOf(read: EnvelopeArguments): JsonObject {
  return read.kind === 'object' ? read.value : {};
}

/** The requested names: a list, one name, or either as JSON text. Undefined if there are none. */
export function readNames(value: unknown): string[] | undefined {
  // A text that is not JSON may be the name of a tool.
  const isList = typeof value === 'string' && value.trim().startsWith('[');
  const names = isList ? (parsedJson(value) ?? value) : value;
  const list = Array.isArray(names) ? names : [names];
  const texts = list.flatMap((name) => {
    if (name === undefined || name === null) return [];
    const text = typeof name === 'string' ? name.trim() : JSON.stringify(name);
    return text === '' ? [] : [text];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

function list(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return shown.join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more` : '');
}

type FoundTarget =
  | { readonly kind: 'found'; readonly entry: ToolEntry; readonly tool: Tool }
  | AnswerRoute;

/**
 * Finds the tool of a name and loads it. A name that differs only in case or separators is
 * accepted if it can mean one tool only, and a trusted source says that this tool only reads.
 * `known`: the entry that the host found under this name.
 */
export async function findTarget(
  scope: Scope,
  name: string,
  signal?: AbortSignal,
  known?: ToolEntry,
): Promise<FoundTarget> {
  const { toolbox, view } = scope;
  const { registry } = toolbox;
  const visible = toolbox.visibleTo(view);
  if (known && registry.get(known.name) === known && visible(known)) {
    return loadTarget(scope, name, known, signal);
  }
  const resolution = registry.resolve(name, visible);
  if (resolution.kind === 'found') return loadTarget(scope, name, resolution.entry, signal);
  if (resolution.kind === 'ambiguous') return ambiguousTool(name, resolution.entries);
  if (scope.wasRemoved(name) || isInactive(scope, name)) return unknownTool(scope, name);
  // The server may have a tool that the snapshot lacks.
  for (const { group } of groupsThatMayHave(scope, name)) {
    const failed = await loadGroup(scope, group.groupId, signal);
    if (failed) return loadFailed(name, group.groupId, failed.cause);
    const again = registry.resolve(name, visible);
    if (again.kind === 'found') return loadTarget(scope, name, again.entry, signal);
  }
  const [only, ...others] = namesAlike(scope, name);
  if (only && others.length === 0) {
    const target = await loadTarget(scope, name, only, signal);
    const isReadOnly = toolbox.trustedAnnotationsOf(only.name)?.readOnlyHint === true;
    if (target.kind === 'found' && isReadOnly) return target;
  }
  return unknownTool(scope, name);
}

async function loadTarget(
  scope: Scope,
  requested: string,
  entry: ToolEntry,
  signal: AbortSignal | undefined,
): Promise<FoundTarget> {
  const { toolbox, view } = scope;
  const { name, groupId } = entry;
  if (groupId !== undefined && !toolbox.toolOf(entry)) {
    const failed = await loadGroup(scope, groupId, signal);
    if (failed) return loadFailed(name, groupId, failed.cause);
  }
  // Checked again after loading: the tool's own setting may hide it, and the list of tools may
  // have changed.
  const isThere = toolbox.registry.get(name) !== undefined && toolbox.visibleTo(view)(entry);
  if (!isThere) return unknownTool(scope, requested);
  const tool = toolbox.toolOf(entry);
  return tool ? { kind: 'found', entry, tool } : missingTool(entry);
}

/** Loads a group. Returns the error, if there is one. Rejects only with the reason of the signal. */
export async function loadGroup(
  { toolbox }: Scope,
  groupId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly cause: unknown } | undefined> {
  try {
    await toolbox.load(groupId, signal);
    return;
  } catch (cause) {
    signal?.throwIfAborted();
    return { cause };
  }
}
