/**
 * A timer that can be paused. It calls `onPassed` after it has run for the given milliseconds (at most
 * 2³¹ − 1, as for any timer). It starts at once and keeps the process alive while it runs.
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

  /** Pauses the timer until `resume`. */
  pause(): void {
    if (!this.#running) return;
    clearTimeout(this.#running.timer);
    // The system clock may be changed: the time left never grows and never becomes negative.
    const passed = Math.max(0, Date.now() - this.#running.since);
    this.#left = Math.max(0, this.#left - passed);
    this.#running = undefined;
  }

  resume(): void {
    this.#running ??= { timer: setTimeout(this.#onPassed, this.#left), since: Date.now() };
  }
}
