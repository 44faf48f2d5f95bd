/** How long something is waited for, once it ought to have ended. */
export class Patience {
  /** Rejects when it is lost. */
  readonly lost: Promise<never>;
  readonly #reject: (error: unknown) => void;
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(milliseconds: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    // Nobody need wait for it.
    promise.catch(() => {});
    this.lost = promise;
    this.#reject = reject;
    this.#milliseconds = milliseconds;
  }

  begin(): void {
    if (this.#isOver) return;
    const lose = () => this.lose(new Error('it did not end what was to end'));
    this.#timer ??= setTimeout(lose, this.#milliseconds);
  }

  /** There is nothing to wait for. */
  lose(error: unknown): void {
    this.#reject(error);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
