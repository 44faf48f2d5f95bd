import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  checkKnown,
  type KnownOptions,
  type OptionCheck,
  queueOfWork,
} from '@toolfold/core/internal/values';
import type { ToolfoldConfig } from '../config/index.ts';
import type { ServerStatus } from '../server/index.ts';
import type { PoolOptions, ServerPool } from './contract.ts';
import { Pool } from './pool.ts';
import { checkPool, POOL_OPTIONS } from './pool-options.ts';

/** Options of `connectServers`. */
const CONNECT_SERVERS_OPTIONS: Readonly<Record<keyof ConnectServersOptions, OptionCheck>> = {
  ...POOL_OPTIONS,
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  onProgress: [(value) => typeof value === 'function', 'a function'],
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
  checkPool('connectServers()', given, CONNECT_SERVERS_OPTIONS);
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

/** Milliseconds without a further change after which a file is read. Editors write in several steps. */
const QUIET = 100;

/** Options of `followConfig`. */
export interface FollowOptions {
  /** The files to watch. They need not exist yet. */
  readonly files: readonly string[];
  /** Reads the configuration again. */
  readonly load: () => Promise<Pick<ToolfoldConfig, 'servers' | 'settings'>>;
  /** Called when the configuration cannot be read. The servers then stay as they are. */
  readonly onProblem: (error: unknown) => void;
  /** Called when the pool has taken a new configuration. */
  readonly onUpdate?: () => void;
}

const FOLLOW_CONFIG_OPTIONS: KnownOptions<FollowOptions> = {
  files: true,
  load: true,
  onProblem: true,
  onUpdate: true,
};

/**
 * Updates a pool whenever its configuration changes. Servers whose entry did not change keep running.
 * Returns a function that ends this.
 */
export function followConfig(pool: Pick<ServerPool, 'update'>, options: FollowOptions): () => void {
  checkKnown('followConfig()', options, FOLLOW_CONFIG_OPTIONS);
  const { files, load, onProblem, onUpdate = () => {} } = options;
  // One after the other, so that the last configuration wins.
  const inOrder = queueOfWork();
  let isFollowing = true;
  const reload = async (): Promise<void> => {
    if (!isFollowing) return;
    try {
      const config = await load();
      if (!isFollowing) return;
      await pool.update(config);
      onUpdate();
    } catch (error) {
      onProblem(error);
    }
  };
  const stop = watchFiles(files, () => void inOrder(reload));
  return () => {
    isFollowing = false;
    stop();
  };
}

/**
 * Calls `onChange` after a file was written, created, replaced or removed. Several changes in a short
 * time are one call. Watches the folders, because editors replace files. Returns a function that ends
 * this. Does not keep the process alive.
 */
function watchFiles(files: readonly string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const notice = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET).unref();
  };
  const folders = Map.groupBy(files, (file) => dirname(file));
  const watchers = [...folders].flatMap(([folder, inside]) => {
    const names = new Set(inside.map((file) => basename(file)));
    return watchFolder(folder, (name) => {
      if (name === null || names.has(name)) notice();
    });
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** A folder that does not exist is not watched. */
function watchFolder(folder: string, onName: (name: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onName(name));
    // A folder that is removed ends its watcher. There is nothing to read in it then.
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
