import type { AgentEvent } from '../events/index.ts';

type Discarded = Extract<AgentEvent, { type: 'discarded' }>;

/** What the events of one step have told of it: what it said, and its calls. */
export class EmittedEvents {
  /** By id, the names of calls. */
  readonly calls: Map<string, string>;
  #text = '';

  /** `calls`: told before the step began. */
  constructor(calls: readonly { readonly id: string; readonly name: string }[] = []) {
    this.calls = new Map(calls.map(({ id, name }) => [id, name]));
  }

  take(event: AgentEvent): void {
    if (event.type === 'text') this.#text += event.text;
    if (event.type === 'call') this.calls.set(event.id, event.name);
  }

  /** Everything that was told, as the event that withdraws it; undefined where nothing was. */
  discarded(): Discarded | undefined {
    return discardedOf(
      this.#text,
      [...this.calls].map(([id, name]) => ({ id, name })),
    );
  }

  /**
   * How what was told compares to a text that is kept: what is not in it, because it is of an attempt
   * that failed, and what of it is still to be told. `failed`: the text of those attempts.
   */
  compare(
    kept: string,
    failed: string,
  ): { readonly discarded: Discarded | undefined; readonly rest: string } {
    const text = this.#text;
    let at = failed === '' ? 0 : Math.min(text.length, failed.length);
    while (at > 0 && !(failed.startsWith(text.slice(0, at)) && kept.startsWith(text.slice(at))))
      at--;
    this.#text = kept;
    return { discarded: discardedOf(text.slice(0, at), []), rest: kept.slice(text.length - at) };
  }
}

function discardedOf(text: string, calls: Required<Discarded>['calls']): Discarded | undefined {
  if (text === '' && calls.length === 0) return;
  return {
    type: 'discarded',
    ...(text === '' ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}
