/** A clock in place of `Date.now`, until it is restored. */
export class Clock {
  readonly #real = Date.now;

  constructor(now: number) {
    this.set(now);
  }

  set(now: number): void {
    Date.now = () => now;
  }

  restore(): void {
    Date.now = this.#real;
  }
}
