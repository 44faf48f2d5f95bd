import type { Toolbox } from '../registry/index.ts';
import type { BridgeKind, Bridges } from '../tool/index.ts';
import { areSameLists } from '../values/index.ts';
import type { Offer } from './active.ts';
import {
  conversationOf,
  isToolOf,
  readTranscript,
  type TranscriptSummary,
} from './conversation.ts';
import { type KindOf, settleResults } from './reduce.ts';
import {
  copyState,
  emptyState,
  type TranscriptCall,
  type TranscriptMessage,
  type TranscriptState,
} from './transcript.ts';

/** A state that was read from messages, and the names that meant bridge tools then. */
interface ReaderState {
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
  #readings = new WeakMap<readonly TranscriptMessage[], ReaderState>();

  constructor(toolbox: Toolbox, meanings: BridgeMeanings) {
    this.#toolbox = toolbox;
    this.#meanings = meanings;
  }

  /** `keep`: the same messages are read once more for the same request. */
  read(
    messages: readonly TranscriptMessage[],
    { offer, read }: ReadingOptions = {},
    keep?: boolean,
  ): TranscriptSummary {
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
    kinds: ReaderState['kinds'],
  ): TranscriptState | undefined {
    const kept = this.#readings.get(messages);
    this.#readings.delete(messages);
    // Loading may give a tool a name that a bridge tool had earlier.
    if (kept?.kinds !== kinds) return;
    return areSameLists(messages, kept.messages) ? kept.state : undefined;
  }
}

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
class RecordedCalls {
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

/**
 * Returns the bridge tools by the names that mean them in messages, present and former; the same map where
 * no tool has taken one. `beside`: tools of the host. They may have a name that a bridge tool had earlier.
 */
export type BridgeMeanings = (beside: readonly string[]) => ReadonlyMap<string, BridgeKind>;

/**
 * `forms`: the bridge tools in all their forms; the last form knows every name. `reserved`: names that no
 * tool of the toolbox has.
 */
export function bridgeMeanings(
  toolbox: Toolbox,
  forms: readonly Bridges[],
  reserved: ReadonlySet<string>,
): BridgeMeanings {
  const kinds = [...(forms.at(-1)?.kinds ?? [])];
  const all = new Map(kinds);
  const free = kinds.flatMap(([name]) => (reserved.has(name) ? [] : name));
  const former = new Set(
    kinds.flatMap(([name, kind]) => (forms.some((form) => form.names[kind] === name) ? [] : name)),
  );
  return (beside) => {
    const taken = [
      ...free.filter((name) => toolbox.registry.get(name)),
      ...beside.filter((name) => former.has(name)),
    ];
    return taken.length === 0 ? all : new Map(kinds.filter(([name]) => !taken.includes(name)));
  };
}
