/** Reads the events of a turn one after the other, and knows when it has read all that there are. */
export class TurnReader<EVENT> {
  #isWaiting = true;
  #wake: () => void = () => {};

  /** Reads all events. Each one is taken before the next. Rejects as `take` and the events do. */
  async read(
    events: AsyncIterable<EVENT>,
    take: (event: EVENT) => Promise<void>,
  ): Promise<EVENT | undefined> {
    const iterator = events[Symbol.asyncIterator]();
    let last: EVENT | undefined;
    try {
      for (;;) {
        this.#wait(true);
        const next = await iterator.next();
        this.#wait(false);
        if (next.done) return last;
        last = next.value;
        await take(last);
      }
    } finally {
      this.#wait(true);
      // Ends the turn if an event could not be taken.
      await iterator.return?.();
    }
  }

  /**
   * Resolves when all events that have happened are taken. A question about a call waits for this, so that
   * it comes behind what was said before.
   */
  async caughtUp(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#isWaiting) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #wait(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    if (isWaiting) this.#wake();
  }
}
