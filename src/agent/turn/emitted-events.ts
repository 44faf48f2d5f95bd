import type { AgentEvent } from '../events/index.ts';

type Discarded = Extract<AgentEvent, { type: 'discarded' }>;

/** The words of an answer. */
export interface Words {
  readonly text: string;
  readonly reasoning: string;
}

export const NO_WORDS: Words = { text: '', reasoning: '' };

/** Records what was emitted for one step. */
export class EmittedEvents {
  /** Names of calls, by id. */
  readonly calls: Map<string, string>;
  #words = NO_WORDS;

  /** `calls`: emitted before the step began. */
  constructor(calls: readonly { readonly id: string; readonly name: string }[] = []) {
    this.calls = new Map(calls.map(({ id, name }) => [id, name]));
  }

  record(event: AgentEvent): void {
    if (event.type === 'text' || event.type === 'reasoning')
      this.#words = { ...this.#words, [event.type]: this.#words[event.type] + event.text };
    if (event.type === 'call') this.calls.set(event.id, event.name);
  }

  /** The event that withdraws everything recorded; undefined if there is nothing. */
  discarded(): Discarded | undefined {
    return discardedOf(
      this.#words,
      [...this.calls].map(([id, name]) => ({ id, name })),
    );
  }

  /**
   * Compares what was emitted to the kept words and to the ids of the kept calls. `failed`: the words of
   * failed attempts. Returns the event that withdraws what was emitted of failed attempts, and the `rest`
   * of the kept words, which was not emitted yet. The event is emitted after the rest.
   */
  compare(
    kept: Words,
    failed: Words,
    ids: ReadonlySet<string>,
  ): { readonly discarded: Discarded | undefined; readonly rest: Words } {
    const text = compared(this.#words.text, kept.text, failed.text);
    const reasoning = compared(this.#words.reasoning, kept.reasoning, failed.reasoning);
    this.#words = kept;
    const calls = [...this.calls].flatMap(([id, name]) => (ids.has(id) ? [] : [{ id, name }]));
    for (const { id } of calls) this.calls.delete(id);
    const withdrawn = { text: text.withdrawn, reasoning: reasoning.withdrawn };
    const discarded = discardedOf(withdrawn, calls);
    const count = { text: kept.text.length, reasoning: kept.reasoning.length };
    const stays = count.text + count.reasoning > 0 ? { kept: count } : {};
    return {
      discarded: discarded && { ...discarded, ...stays },
      rest: { text: text.rest, reasoning: reasoning.rest },
    };
  }
}

/** Splits the emitted text into a part of failed attempts and a part of the kept text. */
function compared(
  emitted: string,
  kept: string,
  failed: string,
): { readonly withdrawn: string; readonly rest: string } {
  let at = failed === '' ? 0 : Math.min(emitted.length, failed.length);
  while (at > 0 && !(failed.startsWith(emitted.slice(0, at)) && kept.startsWith(emitted.slice(at))))
    at--;
  return { withdrawn: emitted.slice(0, at), rest: kept.slice(emitted.length - at) };
}

function discardedOf(
  { text, reasoning }: Words,
  calls: Required<Discarded>['calls'],
): Discarded | undefined {
  if (text === '' && reasoning === '' && calls.length === 0) return;
  return {
    type: 'discarded',
    ...(text === '' ? {} : { text }),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}
