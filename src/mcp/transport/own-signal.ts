/**
 * The signal of one request. It fires with the signal of the connection, as long as the request runs.
 * `fetch` leaves a listener on each signal until the next garbage collection, which makes every further
 * listener of a signal with many requests slower.
 */
export class OwnSignal {
  readonly #own = new AbortController();
  readonly #shared: AbortSignal | undefined;
  readonly #abort = (): void => this.#own.abort(this.#shared?.reason);

  constructor(shared: AbortSignal | null | undefined) {
    this.#shared = shared ?? undefined;
    if (shared?.aborted) this.#abort();
    else shared?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Call this when the request has ended, with its body. */
  release(): void {
    this.#shared?.removeEventListener('abort', this.#abort);
  }
}
