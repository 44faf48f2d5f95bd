/** Listeners of changes. Several changes at once are one call. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  #isCalling = false;

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(): void {
    if (this.#isCalling) return;
    this.#isCalling = true;
    queueMicrotask(() => {
      this.#isCalling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Work that is under way. */
export class Running {
  readonly #promises = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const promise = work.finally(() => this.#promises.delete(promise));
    this.#promises.add(promise);
  }

  async end(): Promise<void> {
    await Promise.all(this.#promises);
  }
}
