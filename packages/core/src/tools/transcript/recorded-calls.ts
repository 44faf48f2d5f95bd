import { type KindOf, settleResults } from './reduce.ts';
import type { TranscriptCall } from './transcript.ts';
import { copyState, emptyState, type TranscriptState } from './transcript-state.ts';

/** Calls that failed, remembered at most; the oldest are forgotten first. */
const FAILURES = 1_000;

/** Recorded calls stand before all messages. */
const FIRST_POSITION = -(2 ** 31);

/** A result that a host has given its client. */
export interface RecordedResult {
  /** As parsed JSON where it is JSON, else its text. */
  readonly output: unknown;
  readonly isError: boolean;
}

/** What a conversation without messages has said so far: its size is bounded by the tools there are. */
export class RecordedCalls {
  #state: TranscriptState | undefined;
  #position = FIRST_POSITION;
  readonly #names = new Set<string>();

  /** Undefined where nothing was recorded. */
  get state(): TranscriptState | undefined {
    return this.#state;
  }

  record(call: TranscriptCall, { output, isError }: RecordedResult, kindOf: KindOf): void {
    this.#state ??= emptyState();
    const state = this.#state;
    const position = this.#position++;
    const expansions = state.expansions.length;
    const loaded = state.loaded.length;
    const calls = new Map([[call.id, { call, askedAt: position, order: 0 }]]);
    settleResults(state, calls, [{ id: call.id, output, isError }], position, kindOf);
    // Nothing is appended between messages where there are none.
    state.shownTools.length = 0;
    this.#forgetOldFailures(state);
    this.#keepWhatIsNew(state, expansions, loaded);
  }

  copy(): RecordedCalls {
    const copy = new RecordedCalls();
    copy.#state = this.#state && copyState(this.#state);
    copy.#position = this.#position;
    for (const name of this.#names) copy.#names.add(name);
    return copy;
  }

  #forgetOldFailures({ failures }: TranscriptState): void {
    for (const signature of failures.keys()) {
      if (failures.size <= FAILURES) return;
      failures.delete(signature);
    }
  }

  /** A tool that is loaded again changes nothing. */
  #keepWhatIsNew(state: TranscriptState, expansions: number, loaded: number): void {
    for (const expansion of state.expansions.splice(expansions)) {
      const { groupId, toolNames, whole } = expansion;
      const known = state.expansions.filter((earlier) => earlier.groupId === groupId);
      const names = new Set(known.flatMap((earlier) => earlier.toolNames));
      const isNew = whole && !known.some((earlier) => earlier.whole);
      if (isNew || toolNames.some((name) => !names.has(name))) state.expansions.push(expansion);
    }
    for (const entry of state.loaded.splice(loaded)) {
      const key = JSON.stringify([entry.groupId ?? null, entry.name, entry.claimedBy ?? null]);
      if (this.#names.has(key)) continue;
      this.#names.add(key);
      state.loaded.push(entry);
    }
  }
}
