import type { ServerPool } from '../../mcp/index.ts';

/**
 * The connections of one server that are used by one request at a time, by number. A request that waits for its client
 * keeps its connection, and takes the turn of nobody else.
 */
export class Leases {
  /** All but the first, which is the shared one. */
  readonly made: Map<number, Promise<ServerPool>> = new Map();
  readonly #atWork: number;
  readonly #used = new Set<number>();
  /** The open questions of each request that waits for its client. */
  readonly #asking = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /** `atWork`: maximum requests that are worked on at once. */
  constructor(atWork: number) {
    this.#atWork = atWork;
  }

  /**
   * The lowest free one. A client that sends one request after another always gets the same. Rejects with the
   * signal's reason.
   */
  async take(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    while (!this.#hasTurn) {
      // Another request may have taken the turn meanwhile.
      signal.throwIfAborted();
      await this.#turn(signal);
    }
    let lease = 0;
    while (this.#used.has(lease)) lease += 1;
    this.#used.add(lease);
    return lease;
  }

  giveBack(lease: number): void {
    this.#used.delete(lease);
    this.#asking.delete(lease);
    this.#next();
  }

  /** The server of a connection asks the client. Returns a function for the answer. */
  asks(lease: number): () => void {
    // Clients with a session use the shared connection without a turn.
    if (!this.#used.has(lease)) return () => {};
    this.#asking.set(lease, (this.#asking.get(lease) ?? 0) + 1);
    this.#next();
    return () => {
      const open = (this.#asking.get(lease) ?? 0) - 1;
      if (open > 0) this.#asking.set(lease, open);
      else this.#asking.delete(lease);
    };
  }

  get #hasTurn(): boolean {
    return this.#used.size - this.#asking.size < this.#atWork;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || !this.#hasTurn) return;
    this.#waiting.delete(first);
    first();
  }
}
