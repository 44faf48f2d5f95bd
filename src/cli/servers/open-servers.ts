import {
  createServerPool,
  manifestFiles,
  type PoolEvent,
  type PoolOptions,
  type ServerPool,
  type ToolfoldConfig,
} from '../../mcp/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { Progress } from './progress.ts';

/** Milliseconds that a turn or a call waits for servers whose tools are not known yet. */
export const PATIENCE = 2000;

/** A pool whose servers start when needed, and the names of those whose tools are not known yet. */
export interface OpenedServers {
  readonly pool: ServerPool;
  readonly missing: readonly string[];
}

/** How the servers of a command start, besides the options of the pool. */
export interface OpenOptions extends Pick<PoolOptions, 'starts' | 'timeout' | 'requests'> {
  /** Do not use the lists of earlier runs. */
  readonly refresh?: boolean;
  /** Milliseconds to wait for servers whose tools are not known yet. */
  readonly patience: number;
  readonly verbose?: boolean;
  /** Gets what happens after the waiting. */
  readonly onEvent?: (event: PoolEvent) => void;
}

/**
 * Opens a pool with the lists of earlier runs, and waits within the time limit for the servers that
 * start. Shows the progress on the terminal.
 */
export async function openServers(
  config: Pick<ToolfoldConfig, 'servers' | 'settings'>,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  { refresh = false, patience, verbose = false, onEvent = () => {}, ...options }: OpenOptions,
): Promise<OpenedServers> {
  const progress = new Progress(terminal, verbose);
  const files = manifestFiles({ onWarning: terminal.note });
  let isOpening = true;
  const pool = await createServerPool(config, {
    ...options,
    manifests: refresh ? { ...files, load: async () => undefined } : files,
    onEvent: (event) => {
      if (!isOpening) onEvent(event);
      else if (event.kind === 'state') progress.update(event.status);
    },
  });
  try {
    const within = options.starts === 'none' ? 0 : patience;
    return { pool, missing: await pool.ready({ within, signal }) };
  } catch (error) {
    await pool.close();
    throw error;
  } finally {
    isOpening = false;
    progress.end();
  }
}
