/** Counts running work. A test can wait for a count. */
export class Gauge {
  now = 0;
  /** The highest count so far. */
  most = 0;
  /** Number of increments. */
  begun = 0;
  readonly #waiting = new Set<() => void>();

  add(change: 1 | -1): void {
    this.now += change;
    if (change > 0) this.begun++;
    this.most = Math.max(this.most, this.now);
    for (const check of this.#waiting) check();
  }

  /** Resolves when the count has this value, also if it has it already. */
  async at(count: number): Promise<void> {
    if (this.now === count) return;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (this.now !== count) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }
}
