/** Records a violation by a server that ends its connection at once. The first violation counts. */
export class Breach {
  #reason: string | undefined;
  readonly #end: () => void;

  /** `end` closes the connection. It is called at most once. */
  constructor(end: () => void) {
    this.#end = end;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  /** Ends the connection. The reason is a text for people. */
  report(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#end();
  }
}
