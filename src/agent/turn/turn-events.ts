import type { AgentEvent } from '../events/index.ts';

interface Waiting {
  event: AgentEvent;
  /** Whether everything before this event was emitted. */
  readonly isDue: () => boolean;
}

/**
 * Queue of a turn's events that do not come from its stream. Keeps their order, and holds each event
 * until the part of the stream before it was emitted.
 */
export class TurnEvents {
  readonly #waiting: Waiting[] = [];
  /** The latest unread event of each child. */
  readonly #latest = new Map<string, Waiting>();
  #wake: () => void = () => {};

  /** `isDue`: whether the event can be emitted. Default: always. */
  push(event: AgentEvent, isDue: () => boolean = () => true): void {
    const child = childOf(event);
    const last = event.type === 'tool-progress' ? this.#waiting.at(-1) : undefined;
    const latest = child === undefined ? last : this.#latest.get(child);
    const both = latest && joined(latest.event, event);
    if (latest && both) latest.event = both;
    else {
      const waiting = { event, isDue };
      this.#waiting.push(waiting);
      if (child !== undefined) this.#latest.set(child, waiting);
    }
    this.#wake();
  }

  /** The next event, if it is due. */
  shift(): AgentEvent | undefined {
    return this.#waiting[0]?.isDue() ? this.#remove() : undefined;
  }

  /** All remaining events, due or not. */
  *rest(): Iterable<AgentEvent> {
    for (let event = this.#remove(); event; event = this.#remove()) yield event;
  }

  /** Resolves at the next push, or when woken. At once if an event is due. */
  async change(): Promise<void> {
    if (this.#waiting[0]?.isDue()) return;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  #remove(): AgentEvent | undefined {
    const first = this.#waiting.shift();
    const child = first && childOf(first.event);
    if (child !== undefined && this.#latest.get(child) === first) this.#latest.delete(child);
    return first?.event;
  }
}

/** The innermost child of an event. */
function childOf(event: AgentEvent): string | undefined {
  if (event.type !== 'subagent') return;
  return childOf(event.event) ?? event.child;
}

/**
 * Joins unread text of one child to one event, and keeps only the last progress of a call, so that many
 * small pieces do not fill the queue.
 */
export function joined(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  if (last.type === 'subagent' && next.type === 'subagent') {
    if (last.child !== next.child) return;
    const event = joined(last.event, next.event);
    return event && { ...last, event };
  }
  if (last.type === 'tool-progress' && next.type === 'tool-progress') {
    return last.id === next.id ? next : undefined;
  }
  if (last.type === 'call-delta' && next.type === 'call-delta') {
    return last.id === next.id ? { ...next, text: last.text + next.text } : undefined;
  }
  if (last.type !== 'text' && last.type !== 'reasoning') return;
  return next.type === last.type ? { type: last.type, text: last.text + next.text } : undefined;
}
