/**
 * A timer that can be halted: calls `onPassed` once it has run for that many milliseconds, at most
 * 2³¹ − 1 as of any timer. Runs from the start, and keeps the process alive while it runs.
 */
export class Deadline {
  #left: number;
  #running: { readonly timer: ReturnType<typeof setTimeout>; readonly since: number } | undefined;
  readonly #onPassed: () => void;

  constructor(milliseconds: number, onPassed: () => void) {
    this.#left = milliseconds;
    this.#onPassed = onPassed;
    this.resume();
  }

  /** Halts it, for a while or for good. */
  pause(): void {
    if (!this.#running) return;
    clearTimeout(this.#running.timer);
    // Clocks are set back and forth: never more time than was left, never less than none.
    const passed = Math.max(0, Date.now() - this.#running.since);
    this.#left = Math.max(0, this.#left - passed);
    this.#running = undefined;
  }

  resume(): void {
    this.#running ??= { timer: setTimeout(this.#onPassed, this.#left), since: Date.now() };
  }
}
