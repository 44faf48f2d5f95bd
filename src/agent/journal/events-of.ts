import type { Entry } from '../../sessions/index.ts';
import type { AgentEvent, SentRequest } from '../events/index.ts';
import { plainEvent } from '../subagents/engine/index.ts';
import type { Kinds } from './kinds.ts';
import { restored } from './plain.ts';
import { type RebuiltEvent, RebuiltTurn } from './rebuilt-turn.ts';
import { unpacked } from './sent-request.ts';

/** The entries of the session of a subagent, by its name. Empty if there is none. */
export type ChildEntries = (child: string) => Iterable<Entry>;

/**
 * The events that a screen needs, rebuilt from the entries of a session: with its subagents if their
 * entries are given. Each has the number and the time of its entry. Texts are whole. What is only shown
 * while it happens is not among them: progress, log messages, arguments that are being written.
 */
export function* eventsOf(
  entries: Iterable<Entry>,
  children: ChildEntries = () => [],
): Generator<RebuiltEvent> {
  const rebuilder = new Rebuilder(children);
  let turn: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'turn' && turn.length > 0) {
      yield* rebuilder.turn(turn);
      turn = [];
    }
    turn.push(entry);
  }
  yield* rebuilder.turn(turn);
}

/** What is carried from turn to turn. */
class Rebuilder {
  readonly #children: ChildEntries;
  readonly #shown = new Set<string>();
  #segments: SentRequest['segments'] = [];
  #number = 0;

  constructor(children: ChildEntries) {
    this.#children = children;
  }

  *turn(entries: readonly Entry[]): Generator<RebuiltEvent> {
    const read = entries.map((entry) => ({ ...entry, body: restored(entry.body) }));
    const [first] = read;
    if (first?.kind === 'turn') this.#number = (first.body as Kinds['turn']).number;
    const turn = new RebuiltTurn(read, {
      number: this.#number,
      request: (body) => {
        const event = unpacked(body, this.#segments);
        this.#segments = event.segments;
        return event;
      },
      child: (call, task, child) => this.#child(call, task, child),
      isShown: (child) => this.#shown.has(child),
    });
    yield* turn.events();
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
