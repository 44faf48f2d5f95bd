import type { ActiveNote } from '../active/index.ts';
import type { ToolDefinition } from '../tool/index.ts';

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
