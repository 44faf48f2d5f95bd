import type { ToolDefinition } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
import type { ActiveNote } from './active.ts';

/**
 * What Toolfold needs to see of a conversation, whatever the host's own message format. One entry
 * per message, in order: positions of inserts count these.
 */
export type TranscriptMessage =
  | { readonly role: 'system' | 'user' }
  | {
      readonly role: 'assistant';
      readonly calls?: readonly TranscriptCall[];
      /** Notes that an earlier `present` asked to be kept with this message. */
      readonly notes?: readonly Note[];
    }
  | { readonly role: 'tool'; readonly results: readonly TranscriptResult[] };

/** A tool call as the model wrote it: the wire name, and the input parsed or as raw text. */
export interface TranscriptCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** `callSignature` of the call, if the host keeps it. */
  readonly signature?: string;
}

export interface TranscriptResult {
  readonly id: string;
  /** The result as parsed JSON where it is JSON, else its text. */
  readonly output: unknown;
  readonly isError: boolean;
}

/**
 * What travels with an assistant message because calls cannot carry it: the epoch it was made in,
 * and texts that stood before it. Plain JSON, short keys, never system text.
 */
export interface Note {
  readonly epoch?: EpochNote;
  /** Texts inserted as user messages just before this assistant message. */
  readonly inserts?: readonly string[];
  /** The id of the tool list that is announced after those texts. */
  readonly announced?: string;
  /** The tools that the host offers, if a change of them was announced. */
  readonly active?: ActiveNote;
  /** Tools whose schemas were declared without a load call (forced choice), canonical names. */
  readonly declared?: readonly string[];
  /** Tools whose schemas one of those texts shows, canonical names. */
  readonly shown?: readonly string[];
  /**
   * Schemas in results that were shown as text, as no tool here had them: `id/name`, by the latest call
   * of the id, or `id/*` for all of a call. They stay text, so that the prefix holds where the tool
   * comes back.
   */
  readonly asText?: readonly string[];
  /** Schemas appended just before this assistant message without a load call. */
  readonly appended?: readonly ToolDefinition[];
}

export interface EpochNote {
  readonly strategy: string;
  readonly fingerprint: string;
  /** Role and model: a change of either begins a new epoch. */
  readonly scope: string;
  /** The tools the host offered when the epoch began, where it left some out. */
  readonly active?: ActiveNote;
  /** The strategy that was asked for and that the endpoint would not take. */
  readonly insteadOf?: string;
}

/** One event for every call, whether anything ran or not. */
export interface CallEvent {
  readonly id: string;
  /** The real tool's name where the call reached one, else the name used. */
  readonly name: string;
  readonly wireName: string;
  readonly outcome: 'run' | 'answered' | 'refused';
  readonly error?: string;
  /** What was repaired in the arguments of a call that runs. */
  readonly repairs?: readonly string[];
  /** What was thrown, where that is why: a loader's error. */
  readonly cause?: unknown;
}

/** One successful load, as its result showed it to the model. */
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

/** A name that a result shows. `claimedBy`: the group that the result speaks of, if it names one. */
export interface ClaimedName extends LoadedName {
  readonly claimedBy?: string | undefined;
}

/** Definitions in one result, or in one note, before anybody asked whether the group has these tools. */
interface ShownTools {
  /** Index of the message that holds them; of the message ahead of it, for a note. */
  readonly after: number;
  readonly tools: readonly ToolDefinition[];
  readonly claimedBy?: string | undefined;
  /** The call whose result holds them, and that result; absent for a note. */
  readonly callId?: string;
  readonly result?: JsonObject;
}

/** A schema that a bridge tool showed: whole, or only the parameters of a search hit. */
export interface ShownSchema {
  readonly name: string;
  readonly definition: unknown;
  readonly isWhole: boolean;
  readonly claimedBy: string | undefined;
  /** Index of the message that holds it; negative for a recorded call, of which nobody knows whether the model still sees it. */
  readonly position: number;
}

/** The answers to one call of a bridge tool, in messages. */
export interface Answered {
  /** How often the call was answered without an error, since the answer had other schemas. */
  readonly times: number;
  /** The last answer that was given in full. */
  readonly output: unknown;
}

/** A call and where it stands. */
export interface PositionedCall {
  readonly call: TranscriptCall;
  readonly askedAt: number;
  readonly order: number;
}

/** The calls that were read so far, by id: results belong to them. */
export type PositionedCalls = Map<string, PositionedCall>;

/**
 * What a conversation says about its tools, as far as it has been read. It depends on the messages
 * alone, and on no tool that has loaded; `TranscriptSummary` is what follows from it for the tools there are.
 */
export interface TranscriptState {
  readonly expansions: Expansion[];
  readonly loaded: ClaimedName[];
  readonly inserts: Insert[];
  readonly shownTools: ShownTools[];
  /** In order: all that messages hold; of recorded calls the first, by tool, claim and completeness. */
  readonly shownSchemas: Map<string, ShownSchema>;
  /** `Note.asText`, each with how many of `shownTools` stood before it. */
  readonly asText: { readonly key: string; readonly before: number }[];
  /** How often each call (see `callSignature`) has failed since it last succeeded. */
  readonly failures: Map<string, number>;
  /** The answers of bridge tools, by bridge tool and input; see `callSignature`. */
  readonly answered: Map<string, Answered>;
  readonly preloaded: Set<string>;
  epoch: EpochNote | undefined;
  announced: string | undefined;
  active: ActiveNote | undefined;
  searches: number;
}

export function emptyState(): TranscriptState {
  return {
    expansions: [],
    loaded: [],
    inserts: [],
    shownTools: [],
    shownSchemas: new Map(),
    asText: [],
    failures: new Map(),
    answered: new Map(),
    preloaded: new Set(),
    epoch: undefined,
    announced: undefined,
    active: undefined,
    searches: 0,
  };
}

export function copyState(state: TranscriptState): TranscriptState {
  return {
    ...state,
    expansions: [...state.expansions],
    loaded: [...state.loaded],
    inserts: [...state.inserts],
    shownTools: [...state.shownTools],
    shownSchemas: new Map(state.shownSchemas),
    asText: [...state.asText],
    failures: new Map(state.failures),
    answered: new Map(state.answered),
    preloaded: new Set(state.preloaded),
  };
}
