import type { AgentEvent } from '../events/index.ts';

interface Open {
  readonly name: string;
  /** The text that is not emitted yet. */
  held: string;
}

/**
 * The arguments of calls as they arrive. Each part is held until the next one comes, and the last one is
 * dropped: it may be the whole text of a call that could only be read at its end, and the `call` event
 * follows at once.
 */
export class CallDeltas {
  readonly #open = new Map<string, Open>();

  start(id: string, name: string): void {
    this.#open.set(id, { name, held: '' });
  }

  take(id: string, delta: string): AgentEvent[] {
    const open = this.#open.get(id);
    if (!open) return [];
    const { name, held } = open;
    open.held = delta;
    return held === '' ? [] : [{ type: 'call-delta', id, name, text: held }];
  }

  /** The call is complete. */
  end(id: string): void {
    this.#open.delete(id);
  }

  clear(): void {
    this.#open.clear();
  }
}
