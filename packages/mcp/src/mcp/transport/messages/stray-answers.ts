/** Maximum different answers that a listener gets of one connection. */
const MAX_TOLD = 3;

/** The answers of one server that belong to no request that waits. */
export class StrayAnswers {
  #count = 0;
  #last = '';
  readonly #told = new Set<string>();
  readonly #untaken: string[] = [];
  #listener: ((text: string) => void) | undefined;

  get count(): number {
    return this.#count;
  }

  /** Adds an answer, described for people, without secrets. */
  add(text: string): void {
    this.#count += 1;
    this.#last = text;
    if (this.#told.has(text) || this.#told.size === MAX_TOLD) return;
    this.#told.add(text);
    if (this.#listener) this.#listener(text);
    else this.#untaken.push(text);
  }

  /** The last answer that was added after the first `count`; `undefined` if there is none. */
  since(count: number): string | undefined {
    return this.#count > count ? this.#last : undefined;
  }

  /** The answers so far that nobody has taken, once for equal ones. */
  take(): string[] {
    return this.#untaken.splice(0);
  }

  /** Calls the listener with those that nobody has taken, and with each further one. */
  follow(listener: (text: string) => void): void {
    this.#listener = listener;
    for (const text of this.take()) listener(text);
  }
}
