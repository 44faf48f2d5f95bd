import type { ModelMessage } from 'ai';
import type { Turn } from '../tools/calls/index.ts';
import type { TranscriptMessage } from '../tools/transcript/index.ts';
import { toTranscript } from './request/index.ts';

interface Kept {
  readonly length: number;
  readonly last: ModelMessage | undefined;
  readonly turn: Turn;
}

/** The turns that tools run in, each made once for the messages that led to them. */
export class Turns {
  readonly #make: (messages: readonly TranscriptMessage[]) => Turn;
  readonly #turns = new WeakMap<object, Kept>();

  constructor(make: (messages: readonly TranscriptMessage[]) => Turn) {
    this.#make = make;
  }

  of(messages: readonly ModelMessage[]): Turn {
    const kept = this.#turns.get(messages);
    const { length } = messages;
    const last = messages.at(-1);
    // An app may hand the same list in again, grown.
    if (kept?.length === length && kept.last === last) return kept.turn;
    const turn = this.#make(toTranscript(messages));
    this.#turns.set(messages, { length, last, turn });
    return turn;
  }
}
