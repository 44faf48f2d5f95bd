/**
 * The outcomes that are being written: results of calls that have run, to a session, to files or to
 * stdout. A first signal does not end the command before they are written.
 */
export class Unwritten {
  #count = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Counts an outcome until `writing` has settled. Returns its result. */
  async during<T>(writing: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await writing();
    } finally {
      this.#count -= 1;
      if (this.isEmpty) this.#empty?.resolve();
    }
  }

  /** Resolves when nothing is being written. What an outcome lets follow, such as the end of its turn, counts too. */
  async settled(): Promise<void> {
    while (!this.isEmpty) {
      this.#empty = Promise.withResolvers();
      await this.#empty.promise;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
