const HOUR = 3_600_000;

/** The clocks of this process, until they are restored: the one that people set, and the one that nobody sets. */
export class Clock {
  readonly #now = Date.now;
  readonly #ticks = process.hrtime.bigint;
  #set = 0;
  #passed = 0;

  /** `now`: what the first clock shows. */
  constructor(now: number) {
    const ticks = this.#ticks.call(process.hrtime);
    Date.now = () => now + this.#set + this.#passed;
    process.hrtime.bigint = () => ticks + BigInt(this.#passed) * 1_000_000n;
  }

  /** Time passes, in milliseconds. */
  pass(time: number): void {
    this.#passed += time;
  }

  /** Somebody sets the clock, by hours from what it was. */
  set(hours: number): void {
    this.#set = hours * HOUR;
  }

  restore(): void {
    Date.now = this.#now;
    process.hrtime.bigint = this.#ticks;
  }
}
