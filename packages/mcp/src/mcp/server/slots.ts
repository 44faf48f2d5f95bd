/** A limit of what runs at once. Further ones wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that gives the slot back. Rejects with the signal's reason. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const free = this.takeFree();
    if (free) return free;
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const onAbort = (): void => {
      this.#waiting.delete(next);
      reject(signal?.reason);
    };
    const next = (): void => {
      this.#waiting.delete(next);
      signal?.removeEventListener('abort', onAbort);
      resolve(this.#held());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(next);
    return promise;
  }

  /** A function that gives the slot back, if one is free. */
  takeFree(): (() => void) | undefined {
    if (this.#free === 0) return;
    this.#free -= 1;
    return this.#held();
  }

  #held(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }
}
