import type { Offer } from '../active/index.ts';
import type { Toolbox } from '../registry/index.ts';
import type { BridgeKind } from '../strategies/index.ts';
import { areSameLists } from '../values/index.ts';
import type { BridgeMeanings } from './bridge-meanings.ts';
import { type Conversation, conversationOf, readTranscript } from './conversation.ts';
import { isToolOf } from './expanded.ts';
import { RecordedCalls, type RecordedResult } from './recorded-calls.ts';
import type { TranscriptCall, TranscriptMessage } from './transcript.ts';
import type { TranscriptState } from './transcript-state.ts';

/** A state that was read from messages, and the names that meant bridge tools then. */
interface Reading {
  readonly messages: readonly TranscriptMessage[];
  readonly kinds: ReadonlyMap<string, BridgeKind>;
  readonly state: TranscriptState;
}

export interface ReadingOptions {
  readonly offer?: Offer | 'all' | undefined;
  /** Reads the messages instead, for a host that knows which of them have been read. It records no calls. */
  readonly read?: (
    messages: readonly TranscriptMessage[],
    kinds: ReadonlyMap<string, BridgeKind>,
  ) => TranscriptState;
}

/** Reads the messages of a session on top of its recorded calls, once for each request. */
export class TranscriptReader {
  readonly #toolbox: Toolbox;
  readonly #meanings: BridgeMeanings;
  #recorded = new RecordedCalls();
  /** Readings of requests in preparation, by the list of messages that the host gave. */
  #readings = new WeakMap<readonly TranscriptMessage[], Reading>();

  constructor(toolbox: Toolbox, meanings: BridgeMeanings) {
    this.#toolbox = toolbox;
    this.#meanings = meanings;
  }

  /** `keep`: the same messages are read once more for the same request. */
  read(
    messages: readonly TranscriptMessage[],
    { offer, read }: ReadingOptions = {},
    keep?: boolean,
  ): Conversation {
    const kinds = this.#meanings(offer && offer !== 'all' ? offer.beside : []);
    const state =
      read?.(messages, kinds) ??
      this.#take(messages, kinds) ??
      readTranscript(messages, (name) => kinds.get(name), this.#recorded.state);
    // A copy, because the host may add messages to its list in the meantime.
    if (keep && !read) this.#readings.set(messages, { messages: [...messages], kinds, state });
    const { registry } = this.#toolbox;
    return conversationOf(state, messages, (name, groupId) => isToolOf(registry, name, groupId));
  }

  /** Records a call of a conversation without messages. */
  record(call: TranscriptCall, result: RecordedResult): void {
    const kinds = this.#meanings([]);
    this.#recorded.record(call, result, (name) => kinds.get(name));
    // Earlier readings lack this call.
    this.#readings = new WeakMap();
  }

  /** Copies the calls that another reader has recorded so far. */
  copyFrom(reader: TranscriptReader): void {
    this.#recorded = reader.#recorded.copy();
  }

  #take(
    messages: readonly TranscriptMessage[],
    kinds: Reading['kinds'],
  ): TranscriptState | undefined {
    const kept = this.#readings.get(messages);
    this.#readings.delete(messages);
    // Loading may give a tool a name that a bridge tool had earlier.
    if (kept?.kinds !== kinds) return;
    return areSameLists(messages, kept.messages) ? kept.state : undefined;
  }
}
