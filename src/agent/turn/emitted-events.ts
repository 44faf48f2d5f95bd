import type { AgentEvent } from '../events/index.ts';

type Discarded = Extract<AgentEvent, { type: 'discarded' }>;

/** Records the text and the calls that were emitted for one step. */
export class EmittedEvents {
  /** Names of calls, by id. */
  readonly calls: Map<string, string>;
  #text = '';

  /** `calls`: emitted before the step began. */
  constructor(calls: readonly { readonly id: string; readonly name: string }[] = []) {
    this.calls = new Map(calls.map(({ id, name }) => [id, name]));
  }

  record(event: AgentEvent): void {
    if (event.type === 'text') this.#text += event.text;
    if (event.type === 'call') this.calls.set(event.id, event.name);
  }

  /** The event that withdraws all recorded text and calls; undefined if there are none. */
  discarded(): Discarded | undefined {
    return discardedOf(
      this.#text,
      [...this.calls].map(([id, name]) => ({ id, name })),
    );
  }

  /**
   * Compares what was emitted to the kept text and to the ids of the kept calls. `failed` is the text of
   * failed attempts. Returns the event that withdraws what was emitted of failed attempts, and the `rest`
   * of the kept text, which was not emitted yet.
   */
  compare(
    kept: string,
    failed: string,
    ids: ReadonlySet<string>,
  ): { readonly discarded: Discarded | undefined; readonly rest: string } {
    const text = this.#text;
    let at = failed === '' ? 0 : Math.min(text.length, failed.length);
    while (at > 0 && !(failed.startsWith(text.slice(0, at)) && kept.startsWith(text.slice(at))))
      at--;
    this.#text = kept;
    const calls = [...this.calls].flatMap(([id, name]) => (ids.has(id) ? [] : [{ id, name }]));
    for (const { id } of calls) this.calls.delete(id);
    return { discarded: discardedOf(text.slice(0, at), calls), rest: kept.slice(text.length - at) };
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
