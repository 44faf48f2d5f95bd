import { isToolOf } from '../epoch/index.ts';
import type { Toolbox } from '../registry/index.ts';
import type { BridgeKind, Bridges } from '../strategies/index.ts';
import {
  type Conversation,
  conversationOf,
  type Offer,
  RecordedCalls,
  type RecordedResult,
  readTranscript,
  type TranscriptCall,
  type TranscriptMessage,
  type TranscriptState,
} from '../transcript/index.ts';

/** What was read of some messages, and under which meaning of the bridge tools' names. */
interface Reading {
  readonly messages: readonly TranscriptMessage[];
  readonly kinds: string;
  readonly state: TranscriptState;
}

/** Reads a session's messages, on top of the calls that were recorded, once for each request. */
export class TranscriptReader {
  readonly #toolbox: Toolbox;
  readonly #bridges: readonly Bridges[];
  #recorded = new RecordedCalls();
  /** Readings of requests that are being prepared, by the list of messages that the host gave. */
  readonly #readings = new WeakMap<readonly TranscriptMessage[], Reading>();

  /** `bridges`: in all forms they have in this session; the last one knows every name. */
  constructor(toolbox: Toolbox, bridges: readonly Bridges[]) {
    this.#toolbox = toolbox;
    this.#bridges = bridges;
  }

  /** `keep`: the same messages are going to be read once more, for the same request. */
  read(
    messages: readonly TranscriptMessage[],
    offer: Offer | 'all' | undefined,
    { keep = false }: { readonly keep?: boolean } = {},
  ): Conversation {
    const beside = new Set(offer && offer !== 'all' ? offer.beside : []);
    const kindOf = (name: string) => this.#kindOf(name, beside);
    const kinds = JSON.stringify(this.#bridges.flatMap((each) => each.names().map(kindOf)));
    const state =
      this.#take(messages, kinds) ?? readTranscript(messages, kindOf, this.#recorded.state);
    // A copy of the list: the host's own may grow before it is read again.
    if (keep) this.#readings.set(messages, { messages: [...messages], kinds, state });
    const { registry } = this.#toolbox;
    return conversationOf(state, messages, (name, groupId) => isToolOf(registry, name, groupId));
  }

  /** Takes in a call of a conversation that has no messages. */
  record(call: TranscriptCall, result: RecordedResult): void {
    this.#recorded.record(call, result, (name) => this.#kindOf(name, new Set()));
  }

  /** For a fork: what was recorded so far, and nothing of what is recorded later. */
  copyFrom(reader: TranscriptReader): void {
    this.#recorded = reader.#recorded.copy();
  }

  #take(messages: readonly TranscriptMessage[], kinds: string): TranscriptState | undefined {
    const kept = this.#readings.get(messages);
    this.#readings.delete(messages);
    // Loading may give a tool a name that a bridge tool had earlier.
    if (kept?.kinds !== kinds || kept.messages.length !== messages.length) return;
    return messages.every((message, index) => message === kept.messages[index])
      ? kept.state
      : undefined;
  }

  /** The bridge tool that a name stands for. A tool of the host's may have a name that one had earlier. */
  #kindOf(name: string, beside: ReadonlySet<string>): BridgeKind | undefined {
    const kind = this.#toolbox.registry.get(name) ? undefined : this.#bridges.at(-1)?.kind(name);
    const isNow = this.#bridges.some(
      (bridges) => kind !== undefined && bridges.name(kind) === name,
    );
    return isNow || !beside.has(name) ? kind : undefined;
  }
}
