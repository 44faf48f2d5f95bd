/** Counts what is under way, and lets one wait until it is so many. */
export class Gauge {
  now = 0;
  /** The highest count there has been. */
  most = 0;
  /** How often it has gone up. */
  begun = 0;
  readonly #waiting = new Set<() => void>();

  add(change: 1 | -1): void {
    this.now += change;
    if (change > 0) this.begun++;
    this.most = Math.max(this.most, this.now);
    for (const check of this.#waiting) check();
  }

  /** Resolves when the count is that, at once where it is. */
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
