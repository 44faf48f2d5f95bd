import { ownProperty } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import {
  ConnectError,
  type LiveConnection,
  type OpenOptions,
  type openConnection,
} from '../connection/index.ts';

/** Opens connections with the revision that the server had before, as long as it still has it. */
export class KnownOpener {
  readonly #open: typeof openConnection;
  #isOutdated = false;

  constructor(open: typeof openConnection) {
    this.#open = open;
  }

  /** As `openConnection`. A connection that has already ended is a failed attempt. */
  async open(
    entry: Exclude<ServerEntry, { kind: 'unusable' }>,
    options: OpenOptions,
  ): Promise<LiveConnection> {
    const { known: last, ...others } = options;
    const known = this.#isOutdated ? undefined : last;
    try {
      const live = await this.#open(entry, { ...others, known });
      this.#isOutdated = false;
      if (live.failure === undefined) return live;
      throw new ConnectError(await live.ended, undefined, live.close());
    } catch (error) {
      if (known === undefined || !(error instanceof ConnectError) || options.signal?.aborted) {
        throw error;
      }
      // The server may have another revision by now.
      this.#isOutdated = true;
      if (!isAnswer(error.cause)) throw error;
      await error.cleanedUp.catch(() => {});
      return this.open(entry, options);
    }
  }
}

/** Whether the server answered with an error that a wrong revision explains. */
function isAnswer(error: unknown): boolean {
  const status = Number(ownProperty(ownProperty(error, 'data'), 'status'));
  const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 403;
  return isRefusal || typeof ownProperty(error, 'code') === 'number';
}
