import type { AgentEvent } from '../events/index.ts';

interface Waiting {
  event: AgentEvent;
  /** Whether what the event follows has been told. */
  readonly isDue: () => boolean;
}

/**
 * Events of a turn that come from elsewhere than its stream: in the order in which they are pushed,
 * each behind that part of the stream which it follows.
 */
export class TurnEvents {
  readonly #waiting: Waiting[] = [];
  /** By child, its latest event that nobody has read yet. */
  readonly #latest = new Map<string, Waiting>();
  #wake: () => void = () => {};

  /** `isDue`: what the event has to wait for; nothing if left out. */
  push(event: AgentEvent, isDue: () => boolean = () => true): void {
    const child = childOf(event);
    const latest = child === undefined ? undefined : this.#latest.get(child);
    const joined = latest && joinedText(latest.event, event);
    if (latest && joined) latest.event = joined;
    else {
      const waiting = { event, isDue };
      this.#waiting.push(waiting);
      if (child !== undefined) this.#latest.set(child, waiting);
    }
    this.#wake();
  }

  /** The next event, where one is due. */
  shift(): AgentEvent | undefined {
    return this.#waiting[0]?.isDue() ? this.#remove() : undefined;
  }

  /** All that is left, due or not. */
  *rest(): Iterable<AgentEvent> {
    for (let event = this.#remove(); event; event = this.#remove()) yield event;
  }

  /** Resolves at the next push, or when woken. */
  change(): Promise<void> {
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

/** The innermost child that an event is of. */
function childOf(event: AgentEvent): string | undefined {
  if (event.type !== 'subagent') return;
  return childOf(event.event) ?? event.child;
}

/** Text of one child that nobody has read yet is one text, however small its pieces are. */
function joinedText(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  if (last.type === 'subagent' && next.type === 'subagent') {
    const event = joinedText(last.event, next.event);
    return event && { ...last, event };
  }
  if (last.type !== 'text' && last.type !== 'reasoning') return;
  return next.type === last.type ? { type: last.type, text: last.text + next.text } : undefined;
}
