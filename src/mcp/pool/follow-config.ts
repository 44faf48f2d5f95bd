import { type ToolfoldConfig, watchFiles } from '../config/index.ts';
import type { ServerPool } from './contract.ts';

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

/**
 * Updates a pool whenever its configuration changes. Servers whose entry did not change keep running.
 * Returns a function that ends this.
 */
export function followConfig(pool: ServerPool, options: FollowOptions): () => void {
  const { files, load, onProblem, onUpdate = () => {} } = options;
  let last: Promise<void> = Promise.resolve();
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
  // One after the other, so that the last configuration wins.
  const stop = watchFiles(files, () => {
    last = last.then(reload);
  });
  return () => {
    isFollowing = false;
    stop();
  };
}
