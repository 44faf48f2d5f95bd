import { type Entry, MISSING_ENTRY } from '../../sessions/index.ts';
import { type Kinds, LOST, restored, unpacked } from '../entries/index.ts';
import type { AgentEvent, SentRequest } from '../events/index.ts';
import { plainEvent } from '../subagents/engine/index.ts';
import { type ReadEntry, ReadTurn, type RebuiltEvent, type Seen } from './read-turn.ts';

/** The entries of the session of a subagent, by its name. Empty if there is none. */
export type ChildEntries = (child: string) => Iterable<Entry>;

/**
 * The events that a screen needs, from the entries of a session: with its subagents if their entries are given.
 * Each has the number and the time of its entry. Texts are whole. What is only shown while it happens is not among
 * them: progress, log messages, arguments that are being written.
 */
export function* eventsOf(
  entries: Iterable<Entry>,
  children: ChildEntries = () => [],
): Generator<RebuiltEvent> {
  const reader = new Reader(children);
  let turn: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'turn' && turn.length > 0) {
      yield* reader.turn(turn);
      turn = [];
    }
    turn.push(entry);
  }
  yield* reader.turn(turn);
}

/** What is carried from turn to turn. */
class Reader {
  readonly #children: ChildEntries;
  readonly #shown = new Set<string>();
  #segments: SentRequest['segments'] = [];
  #number = 0;
  readonly #seen: Seen = { runs: new Map(), answered: undefined, interrupted: undefined };

  constructor(children: ChildEntries) {
    this.#children = children;
  }

  *turn(entries: readonly Entry[]): Generator<RebuiltEvent> {
    const read = entries.map((entry): ReadEntry => ({ ...entry, body: restored(entry.body) }));
    const begin = read[0]?.kind === 'turn' ? (read[0].body as Kinds['turn']) : undefined;
    if (begin) this.#number = begin.number;
    const parts = {
      seen: this.#seen,
      request: (body: Kinds['request']) => {
        const event = unpacked(body, this.#segments);
        this.#segments = event.segments;
        return event;
      },
      child: (call: string, task: string, child: string) => this.#child(call, task, child),
      isShown: (child: string) => this.#shown.has(child),
    };
    const turn = new ReadTurn(read, parts);
    const stamped = (event: AgentEvent, { seq, at }: ReadEntry): RebuiltEvent => {
      return { ...event, seq, at, turn: this.#number, step: turn.step };
    };
    let last: ReadEntry | undefined;
    for (const [index, entry] of read.entries()) {
      if (entry.kind === MISSING_ENTRY && last?.kind !== MISSING_ENTRY)
        yield stamped({ type: 'warning', text: LOST }, entry);
      for (const event of turn.of(entry, index)) yield stamped(event, entry);
      last = entry;
    }
    if (last) for (const event of turn.end()) yield stamped(event, last);
  }

  /** The events of a subagent, nested, unless they were there before. */
  *#child(call: string, task: string, child: string): Generator<AgentEvent> {
    if (this.#shown.has(child)) return;
    const below = (name: string) => this.#children(`${child}/${name}`);
    for (const event of eventsOf(this.#children(child), below)) {
      this.#shown.add(child);
      yield { type: 'subagent', call, child, task, event: plainEvent(event) };
    }
  }
}
