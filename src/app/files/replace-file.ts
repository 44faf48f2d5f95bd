import { existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step, so that neither a reader nor a crash sees half a file. */
export function replaceFile(target: string, text: string): void {
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
