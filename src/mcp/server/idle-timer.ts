/** Runs an action after a time in which nothing was used. It does not keep the process alive. */
export class IdleTimer {
  readonly #time: number | undefined;
  readonly #action: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `time` in milliseconds; `undefined`: never. */
  constructor(time: number | undefined, action: () => void) {
    this.#time = time;
    this.#action = action;
  }

  /** Begins the time anew. */
  start(): void {
    this.stop();
    if (this.#time === undefined) return;
    this.#timer = setTimeout(this.#action, this.#time);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
