import type { GroupRecord, ResolvedTool, Toolbox, View } from '../registry/index.ts';
import type { Epoch, Presentation } from '../request/index.ts';
import { type Assessed, assessArguments } from '../schema/index.ts';
import type { BridgeKind, Bridges, Limits, TokenCounter, Tool, ToolEntry } from '../tool/index.ts';
import type { CallEvent, TranscriptCall, TranscriptSummary } from '../transcript/index.ts';
import {
  exactJson,
  firstBig,
  isRecord,
  isTooDeep,
  type JsonObject,
  MAX_NESTING,
  ownProperty,
  truncate,
  withBigints,
} from '../values/index.ts';

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
  readonly conversation: TranscriptSummary;
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
  readonly refusal: (entry: ToolEntry) => string | undefined;
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
export function findable({ toolbox, view, declared }: Scope): ToolEntry[] {
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

interface RunRoute {
  readonly kind: 'run';
  readonly tool: ResolvedTool;
  /**
   * The arguments after the tool's schema: a Standard Schema may have changed them. For a tool with `takesBigints`, an
   * integer that a number cannot hold is a bigint.
   */
  readonly arguments: unknown;
  /** The arguments that the model gave, after the repairs, as JSON: `{ "toolfold_integer": digits }` is a bigint. */
  readonly input: JsonObject;
  /** What was repaired in them, for people. Absent if nothing was. */
  readonly repairs?: readonly string[];
  /** Whether the model called the tool directly or through a bridge tool. */
  readonly via: 'native' | 'bridge';
}

/** An answer to the model in place of a result, or as the result. The model can correct errors. */
export interface AnswerRoute {
  readonly kind: 'answer';
  readonly result: JsonObject;
  readonly isError: boolean;
  /** The target of the call, if it is known. */
  readonly target?: string;
  /** The arguments that the model gave, if only the tool's schema refuses them. */
  readonly input?: JsonObject;
  /** The error behind the answer, if there is one: for the host, never for the model. */
  readonly cause?: unknown;
}

/** The decision on a call: run this tool with these arguments, or return this answer. */
export type Route = RunRoute | AnswerRoute;

/** A route with the entry of the tool that runs. */
export type Decided =
  | (RunRoute & { readonly entry: ToolEntry })
  | (AnswerRoute & { readonly entry?: undefined });

export interface RouteOptions {
  readonly signal?: AbortSignal | undefined;
  /** `false` does not check the arguments against the tool's schema. For hosts whose tools check them. */
  readonly check?: boolean | undefined;
}

/** The event for a call: the name that the model used, and the decision. */
export function callEvent({ id, name: wireName }: TranscriptCall, route: Route): CallEvent {
  if (route.kind === 'run') {
    const repairs = route.repairs ? { repairs: route.repairs } : {};
    return { id, name: route.tool.name, wireName, outcome: 'run', ...repairs };
  }
  const { result, isError, target: name = wireName, cause } = route;
  if (!isError) return { id, name, wireName, outcome: 'answered' };
  const error = String(result.error);
  const why = cause === undefined ? {} : { cause };
  return { id, name, wireName, outcome: 'refused', error, ...why };
}

/** The content of a dispatcher call, before the target's schema is known. */
export interface Envelope {
  /** The target, if one is named, even in input that is otherwise malformed. */
  readonly target: string | undefined;
  readonly given: EnvelopeArguments;
  /** Other keys next to name and arguments; they may be flattened arguments. */
  readonly beside: JsonObject;
  /** Set if the envelope itself cannot be read. */
  readonly problem: string | undefined;
}

/** The value of `arguments`, as far as it can be read without a schema. */
export type EnvelopeArguments =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: 'unusable'; readonly problem: string };

/** A call whose input was read, once, for every later step. */
export interface ParsedCall extends TranscriptCall {
  /** The bridge tool that carries the call, or that is called. Undefined for a native call. */
  readonly kind: BridgeKind | undefined;
  /** The target and its arguments. Undefined for bridge tools that answer themselves. */
  readonly envelope: Envelope | undefined;
  /** The tool that the target means, if the host has looked it up. */
  readonly entry?: ToolEntry | undefined;
}

/** Reads a native call, or a call of the bridge tool that its name means. */
export function readCall(call: TranscriptCall, kind: BridgeKind | undefined): ParsedCall {
  const { name, input } = call;
  if (kind === undefined) {
    const envelope = { target: name, given: readArguments(input), beside: {}, problem: undefined };
    return { ...call, kind, envelope };
  }
  const key = nameKeyOf(kind);
  return { ...call, kind, envelope: key === undefined ? undefined : readEnvelope(input, key) };
}

/** The key under which a dispatcher's input names its target; undefined for any other tool. */
export function nameKeyOf(kind: BridgeKind | undefined): string | undefined {
  return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
}

export const NAME_KEYS: readonly string[] = ['tool_name', 'name', 'tool'];

/**
 * Reads the input of a dispatcher: an object, or JSON text of one, even if it is encoded twice.
 * The target stands under `nameKey`, or under another key that models use instead.
 */
export function readEnvelope(input: unknown, nameKey: string): Envelope {
  const read = readObject(input);
  if (read.kind === 'nothing') return broken('The input is empty.', undefined);
  if (read.kind === 'unusable') {
    return broken(read.problem, typeof input === 'string' ? nameIn(input, nameKey) : undefined);
  }
  const keys = [nameKey, ...NAME_KEYS];
  const found = keys.find((key) => typeof ownProperty(read.value, key) === 'string');
  const target = found === undefined ? '' : String(read.value[found]).trim();
  const argumentsKey = Object.hasOwn(read.value, 'arguments') ? 'arguments' : undefined;
  const named = argumentsKey
    ? readArguments(read.value[argumentsKey])
    : { kind: 'nothing' as const };
  const beside = Object.fromEntries(
    Object.entries(read.value).filter(([key]) => key !== found && key !== argumentsKey),
  );
  const given = isTooDeep(beside) ? TOO_DEEP : named;
  const problem = target === '' ? 'No tool is named.' : undefined;
  return { target: target || undefined, given, beside, problem };
}

/** Why a call does not run whose arguments later readers could not read: these recurse. */
export const NESTED_TOO_DEEP: string = `The arguments are nested more than ${MAX_NESTING} levels deep. Nest them less: a tool takes few levels, and deep data can be a text.`;
const TOO_DEEP: EnvelopeArguments = { kind: 'unusable', problem: NESTED_TOO_DEEP };

/** `readObject` for arguments: they are unusable if they are nested too deeply. */
export function readArguments(input: unknown): EnvelopeArguments {
  const read = readObject(input);
  return read.kind === 'object' && isTooDeep(read.value) ? TOO_DEEP : read;
}

/**
 * An object, JSON text of one (encoded at most twice), or nothing: undefined, null, blank text. In a text,
 * integers that no number holds are read as bigints.
 */
export function readObject(input: unknown): EnvelopeArguments {
  let value = input;
  for (let pass = 0; pass < 2 && typeof value === 'string'; pass++) {
    if (value.trim() === '') return { kind: 'nothing' };
    try {
      const read = exactJson(value);
      if ('lost' in read) return { kind: 'unusable', problem: numberLost(read.lost) };
      value = read.value;
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 120) : '';
      return { kind: 'unusable', problem: `The arguments are not valid JSON: ${why}` };
    }
  }
  if (value === undefined || value === null) return { kind: 'nothing' };
  if (isRecord(value)) return { kind: 'object', value: value as JsonObject };
  const found = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { kind: 'unusable', problem: `The arguments are ${found}; they must be one object.` };
}

/** Why a call does not run: it must not run with another number than the model wrote. */
export function numberLost(number: string): string {
  return `The number ${truncate(number, 60)} has more digits than a number can hold, so the tool would get another one. Write it as a string where the tool takes a string; else tell the user.`;
}

/** The same where the provider does not show how the number was written. */
export function numberRounded(number: string): string {
  return `The number ${truncate(number, 60)} may be another one than you wrote: it is beyond 2^53, and the provider did not pass on its digits. Write it as a string of digits, or use a smaller number.`;
}

function nameIn(text: string, key: string): string | undefined {
  const start = text.slice(0, 2_000);
  const at = start.indexOf(`"${key}"`);
  return at < 0 ? undefined : /^"\w+"\s*:\s*"([^"\\]{1,128})"/.exec(start.slice(at))?.[1];
}

function broken(problem: string, target: string | undefined): Envelope {
  return { target, given: { kind: 'nothing' }, beside: {}, problem };
}

/**
 * The arguments that a tool would get, after repairs and its schema. A tool with `takesBigints` gets integers that no
 * number holds as bigints; for any other tool such arguments are invalid.
 */
export async function assess(
  toolbox: Toolbox,
  entry: ToolEntry,
  tool: Tool,
  given: unknown,
  signal: AbortSignal | undefined,
): Promise<Assessed> {
  const exact = exactFor(tool, given);
  if ('check' in exact) return exact;
  const { parameters } = toolbox.definitionOf(entry, tool);
  // An empty text that is left out of a path would widen what a tool deletes.
  const mayDrop = toolbox.trustedAnnotationsOf(entry.name)?.readOnlyHint === true;
  return assessArguments(tool, parameters, exact.input, mayDrop, signal);
}

/** The same without a check of the schema. */
export function unchecked(tool: Tool, given: unknown): Assessed {
  const exact = exactFor(tool, given);
  if ('check' in exact) return exact;
  return { check: { ok: true, value: exact.input }, input: exact.input, changes: [] };
}

function exactFor(tool: Tool, given: unknown): Assessed | { readonly input: unknown } {
  if (tool.takesBigints) return { input: withBigints(given) };
  const big = firstBig(given);
  if (big === undefined) return { input: given };
  return { check: { ok: false, problems: [numberLost(big)] }, input: given, changes: [] };
}
