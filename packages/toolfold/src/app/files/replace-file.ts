import { existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { realPath } from './real-path.ts';

/**
 * Replaces a file in one step, so that neither a reader nor a crash sees half a file. A link is written through to its
 * target. Throws if there is something else than a regular file.
 */
export function replaceFile(file: string, text: string): void {
  const target = realPath(file);
  if (statSync(target, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${file} is no regular file`);
  withNewFile(target, text, (fresh) => renameSync(fresh, target));
}

/** Creates a file in one step. Throws `EEXIST` if there is a file. */
export function createFile(target: string, text: string): void {
  withNewFile(target, text, (fresh) => {
    try {
      linkSync(fresh, target);
    } catch (error) {
      if (existsSync(target)) throw error;
      // Some file systems have no links.
      renameSync(fresh, target);
    }
    rmSync(fresh, { force: true });
  });
}

function withNewFile(target: string, text: string, place: (fresh: string) => void): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const fresh = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    place(fresh);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
