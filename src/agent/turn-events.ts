import type { AgentEvent } from './events.ts';

/** Events of a turn that come from elsewhere than its stream, until they are told. */
export class TurnEvents {
  #events: AgentEvent[] = [];
  #wake: () => void = () => {};

  push(event: AgentEvent): void {
    const last = this.#events.at(-1);
    const joined = last && joinedText(last, event);
    if (joined) this.#events[this.#events.length - 1] = joined;
    else this.#events.push(event);
    this.#wake();
  }

  take(): AgentEvent[] {
    return this.#events.splice(0);
  }

  /**
   * The parts of a stream as they come, and before each what has been pushed. Events do not wait for
   * the next part: a tool may run for long, and tell what it does. Left early, it waits for nothing:
   * the caller aborts the stream.
   */
  async *with<Part>(
    parts: AsyncIterable<Part>,
  ): AsyncGenerator<{ readonly part: Part } | { readonly event: AgentEvent }> {
    const iterator = parts[Symbol.asyncIterator]();
    let isOver = false;
    try {
      while (!isOver) {
        let settled: (() => IteratorResult<Part>) | undefined;
        const settle = (take: () => IteratorResult<Part>) => {
          settled = take;
          this.#wake();
        };
        iterator.next().then(
          (result) => settle(() => result),
          (error) =>
            settle(() => {
              throw error;
            }),
        );
        for (;;) {
          for (const event of this.take()) yield { event };
          if (settled) break;
          // Between here and the promise nothing else runs.
          if (this.#events.length > 0) continue;
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        const result = settled();
        isOver = result.done === true;
        if (result.done !== true) yield { part: result.value };
      }
    } finally {
      if (!isOver) iterator.return?.().catch(() => {});
    }
  }
}

/** Text of one child that nobody has read yet is one text, however small its pieces are. */
function joinedText(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  if (last.type !== 'subagent' || next.type !== 'subagent' || last.child !== next.child) return;
  const [before, after] = [last.event, next.event];
  if (before.type !== 'text' && before.type !== 'reasoning') return;
  if (after.type !== before.type) return;
  return { ...next, event: { type: after.type, text: before.text + after.text } };
}
