/** Milliseconds in which several notices of changes become one. */
const SHORTEST = 200;
const LONGEST = 60_000;

/**
 * Calms a storm of notices: runs the action once for the notices of a short time, and waits longer
 * each time when notices come again soon after.
 */
export class Calm {
  readonly #action: () => Promise<void>;
  readonly #shortest: number;
  #wait: number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isNoticed = false;
  #lastRun = Number.NEGATIVE_INFINITY;

  /** `action` never rejects. */
  constructor(action: () => Promise<void>, shortest: number = SHORTEST) {
    this.#action = action;
    this.#shortest = shortest;
    this.#wait = shortest;
  }

  notice(): void {
    this.#isNoticed = true;
    if (this.#timer !== undefined || this.#isRunning) return;
    const isSoon = performance.now() - this.#lastRun < 2 * this.#wait;
    this.#wait = isSoon ? Math.min(LONGEST, 2 * this.#wait) : this.#shortest;
    this.#timer = setTimeout(() => void this.#run(), this.#wait);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isNoticed = false;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isNoticed = false;
    this.#isRunning = true;
    await this.#action();
    this.#isRunning = false;
    this.#lastRun = performance.now();
    if (this.#isNoticed) this.notice();
  }
}
