import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import type { ToolfoldConfig } from '../config/index.ts';
import type { ServerStatus } from '../server/index.ts';
import type { PoolOptions, ServerPool } from './contract.ts';
import { POOL_OPTIONS, Pool } from './pool.ts';

/** Options of `connectServers`. */
const CONNECT_SERVERS_OPTIONS: KnownOptions<ConnectServersOptions> = {
  ...POOL_OPTIONS,
  signal: true,
  onProgress: true,
};

export interface ConnectServersOptions extends PoolOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when each server starts to connect, and again when it is ready or has failed. */
  readonly onProgress?: ((status: ServerStatus) => void) | undefined;
}

/**
 * Starts all servers and lists their tools, for hosts that need the lists as they are now. Resolves
 * when each server is ready or has failed. A failed server is a failed row and an unavailable group.
 * Throws `missing-dependency` without the SDK, and the signal's reason when the signal aborts. Nothing
 * is left running then. Lists are kept for later runs only with the option `manifests`.
 */
export async function connectServers(
  config: Pick<ToolfoldConfig, 'servers' | 'settings'>,
  given: ConnectServersOptions = {},
): Promise<ServerPool> {
  checkKnown('connectServers()', given, CONNECT_SERVERS_OPTIONS);
  const { signal, onProgress, manifests = false, onEvent, ...options } = given;
  signal?.throwIfAborted();
  const pool = new Pool({
    ...options,
    manifests: manifests && { save: manifests.save, load: async () => undefined },
    onEvent: (event) => {
      onEvent?.(event);
      if (event.kind === 'state') onProgress?.(event.status);
    },
  });
  try {
    await pool.update(config);
    for (const status of pool.servers) {
      // An unusable entry has failed from the beginning.
      if (status.state === 'failed' && config.servers.get(status.name)?.kind === 'unusable') {
        onProgress?.(status);
      }
    }
    await pool.ready({ signal });
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}
