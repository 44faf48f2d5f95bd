import type { ServerPool } from '../../mcp/index.ts';

/** The connections of one server that are used by one request at a time, by number. */
export class Leases {
  /** All but the first, which is the shared one. */
  readonly made: Map<number, Promise<ServerPool>> = new Map();
  readonly #count: number;
  readonly #used = new Set<number>();
  readonly #waiting: ((lease: number) => void)[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** The lowest free one. A client that sends one request after another always gets the same. */
  async take(): Promise<number> {
    for (let lease = 0; lease < this.#count; lease++) {
      if (this.#used.has(lease)) continue;
      this.#used.add(lease);
      return lease;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(lease: number): void {
    const next = this.#waiting.shift();
    if (next) next(lease);
    else this.#used.delete(lease);
  }
}
