/** What a server did that ends its connection at once, whatever else it did; the first counts. */
export class Breach {
  #reason: string | undefined;
  readonly #end: () => void;

  /** `end` closes the connection; called at most once. */
  constructor(end: () => void) {
    this.#end = end;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  /** Ends the connection for a reason, in words for people. */
  report(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#end();
  }
}
