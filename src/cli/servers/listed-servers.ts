import {
  createServerPool,
  manifestFiles,
  type PoolOptions,
  type ToolfoldConfig,
} from '../../mcp/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import type { OpenedServers } from './configured-servers.ts';
import { Progress } from './progress.ts';

/** How lists of tools are obtained. */
export interface ListOptions {
  /** Which servers start at once. */
  readonly starts: NonNullable<PoolOptions['starts']>;
  /** Do not use the lists of earlier runs. */
  readonly refresh?: boolean;
  /** Milliseconds for each server to start. */
  readonly timeout: number;
  /** Milliseconds to wait for all of them together. Default: `timeout`. */
  readonly patience?: number;
  readonly verbose?: boolean;
}

/**
 * Opens a pool with the lists of earlier runs, and waits within the time limit for the servers that
 * start. Shows the progress on the terminal.
 */
export async function openListed(
  config: ToolfoldConfig,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  { starts, refresh = false, timeout, patience = timeout, verbose = false }: ListOptions,
): Promise<OpenedServers> {
  const progress = new Progress(terminal, verbose);
  const files = manifestFiles({ onWarning: terminal.note });
  let isOpening = true;
  const pool = await createServerPool(config, {
    manifests: refresh ? { ...files, load: async () => undefined } : files,
    starts,
    timeout,
    onEvent: (event) => {
      if (isOpening && event.kind === 'state') progress.update(event.status);
    },
  });
  try {
    const within = starts === 'none' ? 0 : patience;
    return { pool, missing: await pool.ready({ within, signal }) };
  } catch (error) {
    await pool.close();
    throw error;
  } finally {
    isOpening = false;
    progress.end();
  }
}
