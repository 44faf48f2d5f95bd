import { join } from 'node:path';
import { readPrivate, removePrivate, userFolder, writePrivate } from '../../files/index.ts';
import type { ServerEntry } from '../../mcp/index.ts';
import { manifestKey } from '../../mcp/manifest/index.ts';

/**
 * The servers to which the user does not want to log in, kept for all processes. An entry that changes is another
 * server. What cannot be read or written counts as not refused: the user is asked again.
 */
export class RefusedLogins {
  readonly #folder: string;

  /** Default: with the user's data. */
  constructor(folder: string = userFolder('data')) {
    this.#folder = join(folder, 'refused-logins');
  }

  async has(server: string, entry: ServerEntry): Promise<boolean> {
    const file = this.#fileOf(server, entry);
    if (file === undefined) return false;
    return (await readPrivate(file).catch(() => undefined)) !== undefined;
  }

  async add(server: string, entry: ServerEntry): Promise<void> {
    const file = this.#fileOf(server, entry);
    if (file !== undefined) await writePrivate(file, '{}\n').catch(() => {});
  }

  async remove(server: string, entry: ServerEntry): Promise<void> {
    const file = this.#fileOf(server, entry);
    if (file !== undefined) await removePrivate(file).catch(() => {});
  }

  #fileOf(server: string, entry: ServerEntry): string | undefined {
    const key = manifestKey(server, entry);
    return key === undefined ? undefined : join(this.#folder, `${key}.json`);
  }
}
