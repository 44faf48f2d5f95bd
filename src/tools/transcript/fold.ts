import { isLegalName } from '../names/index.ts';
import { type BridgeKind, isDispatcher } from '../strategies/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import { canonicalJson, isRecord, type JsonObject, listIn, own } from '../values/index.ts';
import { type ActiveNote, isAll, readActive } from './active.ts';
import type {
  EpochNote,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript.ts';

/** One successful load, as its result told the model. */
export interface Expansion {
  readonly groupId: string;
  readonly toolNames: readonly string[];
  /** Index of the assistant message that asked for it. */
  readonly askedAt: number;
  /** Nothing of the group is left to load. */
  readonly whole: boolean;
  /** Index of the message after which it was known. */
  readonly position: number;
}

/** A tool by the name it has under its group, or by its canonical name alone. */
export interface LoadedName {
  readonly groupId: string | undefined;
  readonly name: string;
}

export interface Insert {
  /** The text stands before the message at this index; at the tail, where it equals their number. */
  readonly position: number;
  readonly text: string;
}

/** Schemas that came into the conversation at one place. */
export interface Brought {
  /** Index of the assistant message that first knew them; the number of messages, where none does yet. */
  readonly position: number;
  /** Index of the message right behind the results they came with. */
  readonly behind: number;
  readonly tools: readonly ToolDefinition[];
  /** Names of those that were shown as text and stay it, `*` for all; see `Note.asText`. */
  readonly asText: ReadonlySet<string>;
  /** The call whose result holds them, and that result; a note brought them where there is none. */
  readonly callId?: string;
  readonly result?: JsonObject;
}

/** Everything a conversation says about its tools. A pure function of the transcript. */
export interface Folded {
  readonly expansions: readonly Expansion[];
  /** Every tool whose schema was asked for, in that order. */
  readonly loaded: readonly LoadedName[];
  readonly epoch: EpochNote | undefined;
  readonly announced: string | undefined;
  /** The tools that were active when this was last told. */
  readonly active: ActiveNote | undefined;
  readonly inserts: readonly Insert[];
  /** Whole definitions in results and notes, in order; whatever strategy they came by. */
  readonly brought: readonly Brought[];
  /** How often each call (see `callSignature`) has failed since it last succeeded. */
  readonly failures: ReadonlyMap<string, number>;
  /** The first whole schema shown for each tool, by canonical name; else a search hit's parameters. */
  readonly served: ReadonlyMap<string, unknown>;
  /** Tools whose schemas were handed over in a text, by canonical name. */
  readonly handed: ReadonlySet<string>;
  /** Searches since anything else was called. */
  readonly searches: number;
}

/** A call and where it stands. */
interface Asked {
  readonly call: TranscriptCall;
  readonly askedAt: number;
  readonly order: number;
}

/** Schemas as they are found: behind which message. */
interface Found extends Omit<Brought, 'position' | 'behind' | 'asText'> {
  readonly after: number;
  readonly asText: Set<string>;
}

/** `key`: as in `Note.asText`. */
function keepAsText(brought: readonly Found[], key: string): void {
  const at = key.lastIndexOf('/');
  const [id, name] = [key.slice(0, at), key.slice(at + 1)];
  const isMeant = ({ callId = '', tools }: Found) =>
    callId === id && (name === '*' || tools.some((tool) => tool.name === name));
  brought.findLast(isMeant)?.asText.add(name);
}

/** Equal for calls of one name with inputs equal as JSON. */
export function callSignature(name: string, input: unknown): string {
  if (typeof input === 'string') return `${name}\0${input}`;
  try {
    return `${name}\0${canonicalJson(input)}`;
  } catch {
    // Nested deeper than the stack: told apart from what can be read, not from its like.
    return `${name}\0\0`;
  }
}

/**
 * Reads a transcript; `kindOf` tells bridge tools by any name they ever had. What is known of schemas
 * comes from bridge tools that show them, and from nothing that a real tool returns, called through a
 * bridge or not; a load speaks of the tools for which `isOf` says that they are of its group.
 */
export function foldTranscript(
  messages: readonly TranscriptMessage[],
  kindOf: (name: string) => BridgeKind | undefined,
  isOf: (name: string, groupId: string) => boolean = () => true,
): Folded {
  const expansions: Expansion[] = [];
  const loaded: LoadedName[] = [];
  const inserts: Insert[] = [];
  const brought: Found[] = [];
  const failures = new Map<string, number>();
  const served = new Map<string, unknown>();
  const handed = new Set<string>();
  const calls = new Map<string, Asked>();
  let epoch: EpochNote | undefined;
  let announced: string | undefined;
  let active: ActiveNote | undefined;
  let searches = 0;

  const read = ({ call, askedAt }: Asked, result: TranscriptResult, position: number) => {
    // Inputs may be large: most conversations never need to tell them apart.
    if (result.isError || failures.size > 0) {
      const signature = callSignature(call.name, call.input);
      if (result.isError) failures.set(signature, (failures.get(signature) ?? 0) + 1);
      else failures.delete(signature);
    }
    const kind = kindOf(call.name);
    searches = kind === 'tool_search' ? searches + 1 : 0;
    if (result.isError || kind === undefined || isDispatcher(kind)) return;
    const speaker = own(result.output, 'group_id');
    const speaksOf = (name: string) => typeof speaker !== 'string' || isOf(name, speaker);
    for (const schema of schemasIn(kind, result.output)) {
      if (!speaksOf(schema.name)) continue;
      const known = served.get(schema.name);
      const isWhole = own(schema.definition, 'name') !== undefined;
      const onlyHit = known === undefined || (own(known, 'name') === undefined && isWhole);
      if (onlyHit) served.set(schema.name, schema.definition);
    }
    if (kind === 'load_tools' || kind === 'tool_search') {
      const shown = listIn(result.output, 'schemas').flatMap(definitionIn);
      const tools = shown.filter(({ name }) => speaksOf(name));
      if (tools.length > 0 && isRecord(result.output)) {
        const output = result.output as JsonObject;
        const asText = new Set<string>();
        brought.push({ after: position, tools, callId: call.id, result: output, asText });
      }
      // Told apart by what they say: a form of `native` may lend one bridge the other's name.
      const isNarrowed = active !== undefined && !isAll(active);
      const expansion = expansionIn(result.output, askedAt, position, isNarrowed);
      if (!expansion) {
        loaded.push(...tools.map(({ name }) => ({ groupId: undefined, name })));
        return;
      }
      expansions.push(expansion);
      const { groupId } = expansion;
      loaded.push(...expansion.toolNames.map((name) => ({ groupId, name })));
    } else if (kind === 'request_tool') {
      const name = own(result.output, 'name');
      const isDeclared = own(result.output, 'declared') === true;
      if (typeof name === 'string' && isDeclared) loaded.push({ groupId: undefined, name });
    }
  };

  messages.forEach((message, position) => {
    if (message.role === 'assistant') {
      for (const note of listIn(message, 'notes')) {
        const begun = epochIn(note);
        if (begun) {
          // What was announced in an earlier epoch is in the catalog of the new one.
          const goesOn = begun.fingerprint === epoch?.fingerprint && begun.scope === epoch.scope;
          if (epoch && !goesOn) inserts.length = 0;
          epoch = begun;
          active = begun.active;
        }
        const list = own(note, 'announced');
        if (typeof list === 'string') announced = list;
        active = readActive(own(note, 'active')) ?? active;
        for (const name of textsIn(note, 'shown')) handed.add(name);
        for (const key of textsIn(note, 'asText')) keepAsText(brought, key);
        for (const name of textsIn(note, 'declared')) loaded.push({ groupId: undefined, name });
        for (const text of textsIn(note, 'inserts')) inserts.push({ position, text });
        const tools = listIn(note, 'appended').flatMap(definitionIn);
        if (tools.length > 0) brought.push({ after: position - 1, tools, asText: new Set() });
        loaded.push(...tools.map(({ name }) => ({ groupId: undefined, name })));
      }
      for (const call of message.calls ?? [])
        calls.set(call.id, { call, askedAt: position, order: calls.size });
    } else if (message.role === 'tool') {
      // In the order of the calls, whichever way the results came back.
      const answered = message.results
        .flatMap((result) => ({ result, asked: calls.get(result.id) }))
        .sort((a, b) => (a.asked?.order ?? 0) - (b.asked?.order ?? 0));
      for (const { result, asked } of answered) if (asked) read(asked, result, position);
    }
  });
  const assistant = nextOf(messages, (role) => role === 'assistant');
  const noResult = nextOf(messages, (role) => role !== 'tool');
  return {
    expansions,
    loaded,
    epoch,
    announced,
    active,
    inserts,
    brought: brought.map(({ after, ...found }) => ({
      ...found,
      position: assistant(after),
      behind: noResult(after),
    })),
    failures,
    served,
    handed,
    searches,
  };
}

/** Gives the index of the first message after one whose role fits; their number, where there is none. */
function nextOf(
  messages: readonly TranscriptMessage[],
  fits: (role: TranscriptMessage['role']) => boolean,
): (after: number) => number {
  const next: number[] = [];
  let found = messages.length;
  for (let index = messages.length - 1; index >= 0; index--) {
    next[index] = found;
    const message = messages[index];
    if (message && fits(message.role)) found = index;
  }
  // Schemas of a note on the first message come before everything.
  return (after) => (after < 0 ? found : (next[after] ?? messages.length));
}

/** Notes come back through whatever keeps the messages, a browser perhaps: junk is passed over. */
function epochIn(note: unknown): EpochNote | undefined {
  const epoch = own(note, 'epoch');
  const [strategy, fingerprint, scope] = ['strategy', 'fingerprint', 'scope'].map((key) => {
    const value = own(epoch, key);
    return typeof value === 'string' ? value : undefined;
  });
  if (strategy === undefined || fingerprint === undefined || scope === undefined) return;
  const insteadOf = own(epoch, 'insteadOf');
  const active = readActive(own(epoch, 'active'));
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

function textsIn(record: unknown, key: string): string[] {
  return listIn(record, key).filter((text) => typeof text === 'string');
}

function expansionIn(
  output: unknown,
  askedAt: number,
  position: number,
  isNarrowed: boolean,
): Expansion | undefined {
  const groupId = own(output, 'group_id');
  const names = own(output, 'tool_names');
  if (own(output, 'expanded') !== true || typeof groupId !== 'string' || !Array.isArray(names))
    return;
  const toolNames = names.filter((name) => typeof name === 'string');
  // Of tools that were not active nothing was shown, nor were they counted.
  const whole = own(output, 'remaining') === 0 && !isNarrowed;
  return { groupId, toolNames, whole, askedAt, position };
}

/** A definition as it was served, without what was said beside it. */
function definitionIn(item: unknown): ToolDefinition[] {
  const name = own(item, 'name');
  const description = own(item, 'description');
  const parameters = own(item, 'parameters');
  if (typeof name !== 'string' || !isLegalName(name) || !isRecord(parameters)) return [];
  return [{ name, ...(typeof description === 'string' ? { description } : {}), parameters }];
}

/** The schemas that a bridge tool of this kind shows. */
function* schemasIn(
  kind: BridgeKind,
  output: unknown,
): Iterable<{ name: string; definition: unknown }> {
  if (kind === 'request_tool') return;
  // Told apart by what they say: a form of `native` may lend one bridge the other's name.
  const shows = kind === 'tool_describe' ? 'tools' : 'schemas';
  yield* listIn(output, shows).flatMap(named);
  if (kind === 'tool_describe') return;
  const parts = [output, ...listIn(output, 'results')];
  // A hit's description is cut: only its parameters tell whether the schema has changed.
  for (const { name, definition } of parts
    .flatMap((part) => listIn(part, 'matches'))
    .flatMap(named))
    yield { name, definition: { parameters: own(definition, 'parameters') } };
}

function named(item: unknown): { name: string; definition: unknown }[] {
  const name = own(item, 'name');
  const isSchema = isRecord(own(item, 'parameters'));
  return typeof name === 'string' && isSchema ? [{ name, definition: item }] : [];
}
