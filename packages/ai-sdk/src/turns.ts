import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import type { TranscriptMessage } from '@toolfold/core/internal/tools/transcript';
import type { ModelMessage } from 'ai';
import { transcriptOf } from './request/index.ts';

interface Kept {
  readonly length: number;
  readonly last: ModelMessage | undefined;
  readonly turn: ToolRequest;
}

/** The turns in which tools run. One turn is created for each list of messages. */
export class Turns {
  readonly #make: (messages: readonly TranscriptMessage[]) => ToolRequest;
  readonly #isBridge: (name: string) => boolean;
  readonly #turns = new WeakMap<object, Kept>();

  constructor(
    make: (messages: readonly TranscriptMessage[]) => ToolRequest,
    isBridge: (name: string) => boolean,
  ) {
    this.#make = make;
    this.#isBridge = isBridge;
  }

  of(messages: readonly ModelMessage[]): ToolRequest {
    const kept = this.#turns.get(messages);
    const { length } = messages;
    const last = messages.at(-1);
    // An app may append messages to a list and pass it again.
    if (kept?.length === length && kept.last === last) return kept.turn;
    const turn = this.#make(transcriptOf(messages, this.#isBridge));
    this.#turns.set(messages, { length, last, turn });
    return turn;
  }
}
