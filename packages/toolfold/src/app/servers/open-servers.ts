import {
  createServerPool,
  manifestFiles,
  type PoolEvent,
  type PoolOptions,
  type ServerPool,
  type ServerStatus,
  type ToolfoldConfig,
} from '@toolfold/mcp/internal/mcp';
import {
  type CommandContext,
  formatCount,
  formatNumber,
  type Terminal,
} from '../terminal/index.ts';
import { useProxies } from './proxies.ts';

/** Milliseconds that a turn or a call waits for servers whose tools are not known yet. */
export const PATIENCE = 2000;

/** A pool whose servers start when needed, and the names of those whose tools are not known yet. */
export interface OpenedServers {
  readonly pool: ServerPool;
  readonly missing: readonly string[];
  readonly close: () => Promise<void>;
}

/** How the servers of a command start, besides the options of the pool. */
export interface OpenOptions extends Pick<PoolOptions, 'starts' | 'timeout' | 'requests'> {
  /** Do not use the lists of earlier runs. */
  readonly refresh?: boolean;
  /** Neither lists nor logins are read or kept. */
  readonly isAdHoc?: boolean;
  /** Milliseconds to wait for servers whose tools are not known yet. */
  readonly patience: number;
  readonly verbose?: boolean | undefined;
  /** Gets what happens, also while the command waits. */
  readonly onEvent?: (event: PoolEvent, isWaiting: boolean) => void;
}

/**
 * Opens a pool with the lists of earlier runs, and waits within the time limit for the servers that
 * start. Shows the progress on the terminal.
 */
export async function openServers(
  config: Pick<ToolfoldConfig, 'servers' | 'settings'>,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  { refresh, isAdHoc, patience, verbose = false, onEvent = () => {}, ...options }: OpenOptions,
): Promise<OpenedServers> {
  useProxies(config.servers, terminal.note);
  const progress = progressOn(terminal, verbose);
  const files = manifestFiles({ onWarning: terminal.note });
  let isOpening = true;
  const pool = await createServerPool(config, {
    ...options,
    manifests: !isAdHoc && (refresh ? { ...files, load: async () => undefined } : files),
    ...(isAdHoc ? { logins: false } : {}),
    onEvent: (event) => {
      onEvent(event, isOpening);
      if (isOpening && event.kind === 'state') progress.update(event.status);
    },
  });
  try {
    const missing = await pool.ready({ within: options.starts === 'none' ? 0 : patience, signal });
    return { pool, missing, close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  } finally {
    isOpening = false;
    progress.end();
  }
}

/**
 * Shows the progress of starting servers: one line that is overwritten on a terminal, or with
 * `isVerbose` a line per change.
 */
export function progressOn(
  terminal: Terminal,
  isVerbose: boolean,
): { readonly update: (status: ServerStatus) => void; readonly end: () => void } {
  const waiting = new Set<string>();
  let settled = 0;
  return {
    update: ({ name, state, tools, ms, reason }) => {
      if (state === 'connecting') waiting.add(name);
      else if (waiting.delete(name)) settled += 1;
      if (state === 'closed' || state === 'idle') return;
      if (isVerbose) {
        const result =
          state === 'ready' ? `, ${formatCount(tools, 'tool')}` : reason ? `: ${reason}` : '';
        terminal.note(`${name}: ${state}${result}${ms > 0 ? ` (${formatNumber(ms)} ms)` : ''}`);
      } else if (terminal.isInteractive) {
        const done = `${settled} of ${formatCount(settled + waiting.size, 'server')} done`;
        const names = [...waiting].join(', ');
        terminal.overwrite(names === '' ? done : `${done}; waiting for ${names}`);
      }
    },
    end: () => {
      if (terminal.isInteractive && !isVerbose) terminal.overwrite('');
    },
  };
}
