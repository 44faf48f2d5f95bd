import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** A file or folder without links. One that does not exist has the path by which it was named. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}
