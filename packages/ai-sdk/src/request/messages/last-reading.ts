import type { BridgeKind } from '@toolfold/core/internal/tools/strategies';
import {
  type AskedCalls,
  copyState,
  emptyState,
  type ReadingOptions,
  readMessage,
  type TranscriptMessage,
  type TranscriptState,
} from '@toolfold/core/internal/tools/transcript';
import { sameStart } from '@toolfold/core/internal/tools/values';

interface Reading {
  readonly messages: readonly TranscriptMessage[];
  /** What names meant. */
  readonly kinds: ReadonlyMap<string, BridgeKind>;
  readonly state: TranscriptState;
  /** Whoever goes on from here takes them. */
  readonly calls: AskedCalls;
}

/**
 * What was read for the last request of a host whose messages never change. The next request of the conversation has
 * the same objects at its beginning, so only what is new is read.
 */
export class LastReading {
  #last: Reading | undefined;

  /** What the messages say. Nobody changes the list or the state. */
  readonly read: NonNullable<ReadingOptions['read']> = (messages, kinds) => {
    const last = this.#last;
    if (last?.messages === messages && last.kinds === kinds) return last.state;
    const known = last?.messages.length ?? 0;
    const isLonger = last?.kinds === kinds && sameStart(last.messages, messages) === known;
    const state = isLonger ? copyState(last.state) : emptyState();
    const calls: AskedCalls = isLonger ? last.calls : new Map();
    this.#last = undefined;
    const from = isLonger ? known : 0;
    for (const [at, message] of messages.slice(from).entries())
      readMessage(state, calls, message, from + at, (name) => kinds.get(name));
    this.#last = { messages, kinds, state, calls };
    return state;
  };
}
