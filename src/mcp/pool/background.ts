import { within } from '../../time-limit.ts';
import { type ServerConnection, Slots } from '../server/index.ts';

/** Servers that start in the background at once. */
const AT_ONCE = 8;
/** Milliseconds after which a server that is still starting does not count any more. */
const COUNTS_FOR = 500;

/** Starts servers in the background, a few at once. A server that hangs does not hold up the others. */
export class Background {
  readonly #slots = new Slots(AT_ONCE);
  readonly #starting = new Map<ServerConnection, Promise<void>>();

  /** Starts a server. Callers share one attempt. Rejects only with `missing-dependency`. */
  start(connection: ServerConnection): Promise<void> {
    const known = this.#starting.get(connection);
    if (known) return known;
    const starting = this.#start(connection).finally(() => this.#starting.delete(connection));
    this.#starting.set(connection, starting);
    // Whoever waits gets the error. Without anybody it must not end the process.
    starting.catch(() => {});
    return starting;
  }

  /** The attempt that is under way, if any. */
  of(connection: ServerConnection): Promise<void> | undefined {
    return this.#starting.get(connection);
  }

  async #start(connection: ServerConnection): Promise<void> {
    const giveBack = await this.#slots.take();
    const started = connection.start().then(() => {});
    try {
      await within(COUNTS_FOR, started);
    } finally {
      giveBack();
    }
    await started;
  }
}
