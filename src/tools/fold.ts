import { canonicalJson, isRecord, own } from './json.ts';
import type { BridgeKind } from './strategies/strategy.ts';
import type { ToolDefinition } from './tool.ts';
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
  /** Schemas appended in mid-conversation, where the strategy delivers them so. */
  readonly tools?: readonly ToolDefinition[];
}

/** Everything a conversation says about its tools. A pure function of the transcript. */
export interface Folded {
  readonly expansions: readonly Expansion[];
  /** Every tool whose schema was asked for, in that order. */
  readonly loaded: readonly LoadedName[];
  readonly epoch: EpochNote | undefined;
  readonly announced: string | undefined;
  readonly inserts: readonly Insert[];
  /** How often each call (see `callSignature`) has failed since it last succeeded. */
  readonly failures: ReadonlyMap<string, number>;
  /** The first schema shown for each tool, by canonical name. */
  readonly served: ReadonlyMap<string, unknown>;
  /** Searches since anything else was called. */
  readonly searches: number;
}

/** Equal for calls of one name with inputs equal as JSON. */
export function callSignature(name: string, input: unknown): string {
  return `${name}\0${typeof input === 'string' ? input : canonicalJson(input)}`;
}

/** Reads a transcript; `kindOf` tells bridge tools by any name they ever had. */
export function foldTranscript(
  messages: readonly TranscriptMessage[],
  kindOf: (name: string) => BridgeKind | undefined,
): Folded {
  const expansions: Expansion[] = [];
  const loaded: LoadedName[] = [];
  const inserts: Insert[] = [];
  const failures = new Map<string, number>();
  const served = new Map<string, unknown>();
  const calls = new Map<string, TranscriptCall>();
  let epoch: EpochNote | undefined;
  let announced: string | undefined;
  let searches = 0;

  const read = (call: TranscriptCall, result: TranscriptResult, position: number) => {
    const signature = callSignature(call.name, call.input);
    if (result.isError) failures.set(signature, (failures.get(signature) ?? 0) + 1);
    else failures.delete(signature);
    const kind = kindOf(call.name);
    searches = kind === 'tool_search' ? searches + 1 : 0;
    if (result.isError || kind === undefined) return;
    for (const schema of schemasIn(result.output)) {
      if (!served.has(schema.name)) served.set(schema.name, schema.definition);
    }
    if (kind === 'load_tools') {
      const expansion = expansionIn(result.output, position);
      if (!expansion) return;
      expansions.push(expansion);
      const { groupId } = expansion;
      loaded.push(...expansion.toolNames.map((name) => ({ groupId, name })));
    } else if (kind === 'request_tool') {
      const name = own(result.output, 'name');
      if (typeof name === 'string') loaded.push({ groupId: undefined, name });
    }
  };

  messages.forEach((message, position) => {
    if (message.role === 'assistant') {
      for (const note of message.notes ?? []) {
        if (note.epoch) epoch = note.epoch;
        if (note.announced !== undefined) announced = note.announced;
        for (const name of note.declared ?? []) loaded.push({ groupId: undefined, name });
        for (const text of note.inserts ?? []) inserts.push({ position, text });
      }
      for (const call of message.calls ?? []) calls.set(call.id, call);
    } else if (message.role === 'tool') {
      for (const result of message.results) {
        const call = calls.get(result.id);
        if (call) read(call, result, position);
      }
    }
  });
  return { expansions, loaded, epoch, announced, inserts, failures, served, searches };
}

function expansionIn(output: unknown, position: number): Expansion | undefined {
  const groupId = own(output, 'group_id');
  const names = own(output, 'tool_names');
  if (own(output, 'expanded') !== true || typeof groupId !== 'string' || !Array.isArray(names))
    return;
  const toolNames = names.filter((name) => typeof name === 'string');
  return { groupId, toolNames, whole: own(output, 'remaining') === 0, position };
}

function* schemasIn(output: unknown): Iterable<{ name: string; definition: unknown }> {
  for (const key of ['schemas', 'tools', 'matches']) {
    const list = own(output, key);
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      const name = own(item, 'name');
      if (typeof name === 'string' && isRecord(own(item, 'parameters')))
        yield { name, definition: item };
    }
  }
}
