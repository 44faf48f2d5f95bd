import { type BridgeKind, isDispatcher, isLegalName, type ToolDefinition } from '../tool/index.ts';
import {
  canonicalJson,
  isRecord,
  type JsonObject,
  listIn,
  ownProperties,
  ownProperty,
} from '../values/index.ts';
import { type ActiveNote, isAll } from './active.ts';
import type {
  EpochNote,
  Expansion,
  Note,
  PositionedCall,
  PositionedCalls,
  ShownSchema,
  TranscriptMessage,
  TranscriptResult,
  TranscriptState,
} from './transcript.ts';

/** The bridge tool that a wire name stands for, or stood for earlier. */
export type KindOf = (name: string) => BridgeKind | undefined;

/**
 * Takes one message into the state, and its calls into `calls`. What is known of schemas comes from bridge
 * tools that show them, and from nothing that a real tool returns, called through a bridge tool or not.
 */
export function readMessage(
  state: TranscriptState,
  calls: PositionedCalls,
  message: TranscriptMessage,
  position: number,
  kindOf: KindOf,
): void {
  if (message.role === 'tool') settleResults(state, calls, message.results, position, kindOf);
  if (message.role !== 'assistant') return;
  for (const note of listIn(message, 'notes')) takeNote(state, readNote(note), position);
  for (const call of message.calls ?? [])
    calls.set(call.id, { call, askedAt: position, order: calls.size });
}

function takeNote(state: TranscriptState, note: Note, position: number): void {
  const { epoch, announced, active, shown, asText, declared, inserts, appended } = note;
  if (epoch) noteEpoch(state, epoch);
  if (announced !== undefined) state.announced = announced;
  if (active) state.active = active;
  for (const name of shown ?? []) state.preloaded.add(name);
  const before = state.shownTools.length;
  for (const key of asText ?? []) state.asText.push({ key, before });
  for (const text of inserts ?? []) state.inserts.push({ position, text });
  if (appended) state.shownTools.push({ after: position - 1, tools: appended });
  const names = [...(declared ?? []), ...(appended ?? []).map(({ name }) => name)];
  for (const name of names) state.loaded.push({ groupId: undefined, name });
}

function noteEpoch(state: TranscriptState, epoch: EpochNote): void {
  const continues =
    epoch.fingerprint === state.epoch?.fingerprint && epoch.scope === state.epoch.scope;
  // What was announced in an earlier epoch is in the catalog of the new one.
  if (state.epoch && !continues) state.inserts.length = 0;
  state.epoch = epoch;
  state.active = epoch.active;
}

/** Results are read in the order of their calls, whichever way they came back. */
export function settleResults(
  state: TranscriptState,
  calls: PositionedCalls,
  results: readonly TranscriptResult[],
  position: number,
  kindOf: KindOf,
): void {
  const asked: { result: TranscriptResult; call: PositionedCall }[] = [];
  for (const result of results) {
    const call = calls.get(result.id);
    if (call) asked.push({ result, call });
  }
  asked.sort((one, other) => one.call.order - other.call.order);
  for (const { result, call } of asked) settleResult(state, call, result, position, kindOf);
}

function settleResult(
  state: TranscriptState,
  asked: PositionedCall,
  result: TranscriptResult,
  position: number,
  kindOf: KindOf,
): void {
  countFailure(state, asked, result);
  const kind = kindOf(asked.call.name);
  state.searches = kind === 'tool_search' ? state.searches + 1 : 0;
  if (result.isError || kind === undefined || isDispatcher(kind)) return;
  noteSchemas(state, kind, result.output, position);
  noteAnswer(state, kind, asked.call.input, result.output, position);
  if (kind === 'load_tools' || kind === 'tool_search') noteLoad(state, asked, result, position);
  if (kind === 'request_tool') noteRequest(state, result.output);
}

function countFailure(
  state: TranscriptState,
  { call }: PositionedCall,
  result: TranscriptResult,
): void {
  const { failures } = state;
  // Inputs may be large: most conversations never need to compare them.
  if (!result.isError && failures.size === 0) return;
  const signature = call.signature ?? callSignature(call.name, call.input);
  const times = failures.get(signature) ?? 0;
  // Set anew, so that the oldest stand first.
  failures.delete(signature);
  if (result.isError) failures.set(signature, times + 1);
}

function noteAnswer(
  { answered }: TranscriptState,
  kind: BridgeKind,
  input: unknown,
  output: unknown,
  position: number,
): void {
  // Nobody knows whether the model still sees the result of a recorded call.
  if (position < 0) return;
  const signature = callSignature(kind, input);
  const known = answered.get(signature);
  const isWhole = ownProperty(output, 'repeated') === undefined;
  const last = isWhole ? output : known?.output;
  // Other schemas begin a new count. A search sends only those that the messages do not hold.
  const isOther =
    known !== undefined &&
    kind !== 'tool_search' &&
    schemasIn(kind, last).length > 0 &&
    canonicalJson(last) !== canonicalJson(known.output);
  answered.set(signature, { times: isOther ? 1 : (known?.times ?? 0) + 1, output: last });
}

function noteSchemas(
  { shownSchemas }: TranscriptState,
  kind: BridgeKind,
  output: unknown,
  position: number,
): void {
  const claimedBy = claimIn(output);
  for (const schema of schemasIn(kind, output)) {
    // Of recorded calls, the first of each kind: what they keep is bounded by the tools there are.
    const nth = position < 0 ? -1 : shownSchemas.size;
    const key = JSON.stringify([schema.name, schema.isWhole, claimedBy, nth]);
    if (!shownSchemas.has(key)) shownSchemas.set(key, { ...schema, claimedBy, position });
  }
}

/** A form of `native` may give one bridge tool the name of another one: the content decides. */
function noteLoad(
  state: TranscriptState,
  { call, askedAt }: PositionedCall,
  { output }: TranscriptResult,
  position: number,
): void {
  const claimedBy = claimIn(output);
  const tools = definitionsIn(ownProperty(output, 'schemas'));
  if (tools.length > 0 && isRecord(output)) {
    const result = output as JsonObject;
    state.shownTools.push({ after: position, tools, claimedBy, callId: call.id, result });
  }
  const expansion = expansionIn(output);
  if (!expansion) {
    state.loaded.push(...tools.map(({ name }) => ({ groupId: undefined, name, claimedBy })));
    return;
  }
  const { groupId, toolNames } = expansion;
  // Of tools that were not active nothing was shown, nor were they counted.
  const isNarrowed = state.active !== undefined && !isAll(state.active);
  const whole = expansion.whole && !isNarrowed;
  state.expansions.push({ groupId, toolNames, whole, askedAt, position });
  state.loaded.push(...toolNames.map((name) => ({ groupId, name })));
}

function noteRequest(state: TranscriptState, output: unknown): void {
  const name = ownProperty(output, 'name');
  if (typeof name === 'string' && ownProperty(output, 'declared') === true)
    state.loaded.push({ groupId: undefined, name });
}

/** Equal for calls of one name with inputs equal as JSON. */
export function callSignature(name: string, input: unknown): string {
  if (typeof input === 'string') return `${name}\0${input}`;
  try {
    return `${name}\0${canonicalJson(input)}`;
  } catch {
    // Nested deeper than the stack: it differs from all that can be read, and equals its like.
    return `${name}\0\0`;
  }
}

/** The group and the names that a result says were loaded; undefined where it says nothing of the kind. */
function expansionIn(
  output: unknown,
): Pick<Expansion, 'groupId' | 'toolNames' | 'whole'> | undefined {
  const { group_id: groupId, tool_names: names, expanded, remaining } = ownProperties(output);
  if (expanded !== true || typeof groupId !== 'string' || !Array.isArray(names)) return;
  const toolNames = names.filter((name) => typeof name === 'string');
  return { groupId, toolNames, whole: remaining === 0 };
}

/** The group that a result speaks of. */
function claimIn(output: unknown): string | undefined {
  const groupId = ownProperty(output, 'group_id');
  return typeof groupId === 'string' ? groupId : undefined;
}

/** The definitions in a list, as they were served, without what was said beside them. */
function definitionsIn(list: unknown): ToolDefinition[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const { name, description, parameters } = ownProperties(item);
    if (typeof name !== 'string' || !isLegalName(name) || !isRecord(parameters)) return [];
    return [{ name, ...(typeof description === 'string' ? { description } : {}), parameters }];
  });
}

type UnclaimedSchema = Omit<ShownSchema, 'claimedBy' | 'position'>;

/** The schemas that a bridge tool of this kind shows. */
export function schemasIn(kind: BridgeKind, output: unknown): UnclaimedSchema[] {
  if (kind === 'request_tool') return [];
  // The content decides: a form of `native` may give one bridge tool the name of another one.
  const whole = listIn(output, kind === 'tool_describe' ? 'tools' : 'schemas');
  const shown = whole.flatMap((item) => schemaIn(item, true));
  if (kind === 'tool_describe') return shown;
  const parts = [output, ...listIn(output, 'results')];
  const hits = parts.flatMap((part) => listIn(part, 'matches'));
  return [...shown, ...hits.flatMap((item) => schemaIn(item, false))];
}

/** Of a hit only the parameters: its description is cut, and does not tell whether the schema changed. */
function schemaIn(item: unknown, isWhole: boolean): UnclaimedSchema[] {
  const { name, parameters } = ownProperties(item);
  if (typeof name !== 'string' || !isRecord(parameters)) return [];
  return [{ name, isWhole, definition: isWhole ? item : { parameters } }];
}

type OwnProperties = ReturnType<typeof ownProperties>;

/** Notes that were read: a host that reads the notes of its messages passes them on. */
const known = new WeakSet<Note>();

/**
 * Reads a note. It comes back through whatever keeps the messages, a browser perhaps: members of a
 * wrong shape are left out.
 */
export function readNote(note: unknown): Note {
  if (known.has(note as Note)) return note as Note;
  const members = ownProperties(note);
  const ofEpoch = ownProperties(members.epoch);
  const activeIn = ownProperties(members.active);
  const epoch = readEpoch(ofEpoch, ownProperties(ofEpoch.active));
  const active = readActive(activeIn);
  const { announced } = members;
  const appended = definitionsIn(members.appended);
  const read: Note = {
    ...(epoch ? { epoch } : {}),
    ...textsIn(members, 'inserts'),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(active ? { active } : {}),
    ...textsIn(members, 'declared'),
    ...textsIn(members, 'shown'),
    ...textsIn(members, 'asText'),
    ...(appended.length > 0 ? { appended } : {}),
  };
  known.add(read);
  return read;
}

function readEpoch(members: OwnProperties, activeIn: OwnProperties): EpochNote | undefined {
  const { strategy, fingerprint, scope, insteadOf } = members;
  if (typeof strategy !== 'string' || typeof fingerprint !== 'string') return;
  if (typeof scope !== 'string') return;
  const active = readActive(activeIn);
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

/** Undefined for what is no note of active tools. Names in it can only narrow what is rendered. */
function readActive(lists: OwnProperties): ActiveNote | undefined {
  const only = textsOf(lists.only);
  if (only) return { only };
  const without = textsOf(lists.without);
  return without && { without };
}

function textsOf(list: unknown): string[] | undefined {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : undefined;
}

type TextSource = 'inserts' | 'declared' | 'shown' | 'asText';

function textsIn<K extends TextSource>(members: { readonly [key in K]?: unknown }, key: K) {
  const texts = textsOf(members[key]) ?? [];
  return (texts.length > 0 ? { [key]: texts } : {}) as { readonly [key in K]?: string[] };
}
