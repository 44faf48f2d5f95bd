import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds without a further change after which a file is read. Editors write in several steps. */
const QUIET = 100;

/**
 * Calls `onChange` after a file was written, created, replaced or removed. Several changes in a short
 * time are one call. Watches the folders, because editors replace files. Returns a function that ends
 * this. Does not keep the process alive.
 */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
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
