/** Reads the events of a turn one after the other, and knows when it has read all that there are. */
export class TurnReader<EVENT> {
  #isWaiting = true;
  #wake: () => void = () => {};

  /** Reads all events. Each one is taken before the next. Rejects as `take` and the events do. */
  async read(
    events: AsyncIterable<EVENT>,
    take: (event: EVENT) => Promise<void>,
  ): Promise<EVENT | undefined> {
    let last: EVENT | undefined;
    try {
      // An event that cannot be taken ends the turn.
      for await (const event of events) {
        this.#wait(false);
        last = event;
        await take(event);
        this.#wait(true);
      }
      return last;
    } finally {
      this.#wait(true);
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
