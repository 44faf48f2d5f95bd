/** Questions remembered at most; older ones are forgotten, and asked again. */
const LIMIT = 1_000;

/** What users have been asked about in this process: which call, with which input, of which tool. */
export class Questions {
  readonly #asked = new Map<string, string>();

  /** `binding`: what the tool was known by. */
  keep(key: string, binding: string | undefined): void {
    this.#asked.delete(key);
    if (binding !== undefined) this.#asked.set(key, binding);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > LIMIT && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** What the tool was known by when a user was asked about this very call. */
  bindingOf(key: string): string | undefined {
    return this.#asked.get(key);
  }
}
