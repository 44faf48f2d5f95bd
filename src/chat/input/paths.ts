import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** The path as the user typed it, from the folder on. `~` is the home folder. */
export function typedPath(folder: string, typed: string): string {
  return resolve(folder, typed.replace(/^~(?=\/|$)/, homedir()));
}
