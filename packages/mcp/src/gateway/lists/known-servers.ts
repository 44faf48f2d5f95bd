import { within } from '@toolfold/core/internal/time-limit.ts';
import type { ServerConnection, ServerPool } from '../../mcp/index.ts';

/** Milliseconds without a new server after which it waits no more, where only some are known. */
const LONG_QUIET = 400;

/** The same where most are known, until two have come in this run. */
const SHORT_QUIET = 75;

/** The same afterwards: a share of the time that has passed, or a multiple of the mean gap between servers. */
const QUIET_SHARE = 0.05;
const QUIET_GAPS = 2;

const MOST = 0.75;

/** Which servers of a pool are known, from now on. */
export class KnownServers {
  readonly #pool: ServerPool;
  readonly #isKnown: (connection: ServerConnection) => boolean;
  readonly #latest: number;
  readonly #started = performance.now();
  /** When each server became known that was not known at first. */
  readonly #arrivals: number[] = [];

  /** `isKnown`: whether a list can have what it lists of a server. `patience`: milliseconds to wait at most. */
  constructor(
    pool: ServerPool,
    isKnown: (connection: ServerConnection) => boolean,
    patience: number,
  ) {
    this.#pool = pool;
    this.#isKnown = isKnown;
    this.#latest = this.#started + patience;
    let known = pool.connections.filter(isKnown).length;
    pool.onChange(() => {
      const before = known;
      known = pool.connections.filter(isKnown).length;
      if (known > before) this.#arrivals.push(performance.now());
    });
  }

  /**
   * Waits a moment for servers that are not known yet. A list without them would be followed by another one,
   * but one that hangs must not hold up the list of the others.
   */
  async wait(): Promise<void> {
    for (;;) {
      const missing = this.#pool.connections.filter((one) => !this.#isSettled(one));
      if (missing.length === 0) return;
      const left = this.#until(missing) - performance.now();
      if (left <= 0) return;
      const changed = Promise.withResolvers<void>();
      const stop = this.#pool.onChange(() => changed.resolve());
      await within(left, changed.promise);
      stop();
    }
  }

  /** Until when a list waits, as things are. */
  #until(missing: readonly ServerConnection[]): number {
    const { connections } = this.#pool;
    const known = connections.length - missing.length;
    if (known === 0) return this.#latest;
    const last = this.#arrivals.at(-1) ?? this.#started;
    const isMost = known >= MOST * connections.length;
    const quiet = last + (isMost ? this.#quiet(last) : LONG_QUIET);
    return Math.min(
      this.#latest,
      Math.max(quiet, performance.now() + this.#shortOfQuickest(missing)),
    );
  }

  #quiet(last: number): number {
    const [first = last] = this.#arrivals;
    if (this.#arrivals.length < 2) return SHORT_QUIET;
    const gap = (last - first) / (this.#arrivals.length - 1);
    return Math.min(LONG_QUIET, Math.max(QUIET_SHARE * (last - this.#started), QUIET_GAPS * gap));
  }

  /** Milliseconds until each missing server has had as long as the quickest of the others took. Few start at once. */
  #shortOfQuickest(missing: readonly ServerConnection[]): number {
    const taken = this.#pool.connections.filter(this.#isKnown).map(({ startedIn }) => startedIn);
    const quickest = Math.min(...taken.filter((time) => time > 0));
    if (quickest === Number.POSITIVE_INFINITY) return 0;
    const had = missing.map(({ state, startedIn }) => (state.kind === 'idle' ? 0 : startedIn));
    return quickest - Math.min(...had);
  }

  /** Whether nothing of a server is awaited. */
  #isSettled(connection: ServerConnection): boolean {
    const { kind } = connection.state;
    return this.#isKnown(connection) || ['failed', 'needs-auth', 'closed'].includes(kind);
  }
}
