import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hashText } from '@toolfold/core/internal/tool';
import { ownProperties, parsedJson } from '@toolfold/core/internal/values';
import { REGULAR } from './private-files.ts';
import { userFolder } from './user-folder.ts';

/** An entry of a folder's file that the user has said yes to. */
interface TrustedEntry {
  /** The folder without links. */
  readonly folder: string;
  /** The hash of the whole entry before anything is filled in. */
  readonly hash: string;
  /** For people. */
  readonly name: string;
}

/**
 * What the user trusts, as a file for each entry in the user's data folder (mode 0600). Nothing is read, changed
 * and written back, so processes that write at the same time lose nothing. A file that cannot be read, or that is
 * broken, trusts nothing.
 */
export class TrustedEntries {
  readonly #folder: string;

  constructor(folder: string = join(userFolder('data'), 'trust')) {
    this.#folder = folder;
  }

  has(folder: string, hash: string): boolean {
    return this.#read(this.#fileOf(folder, hash), folder)?.hash === hash;
  }

  /** Throws if it cannot be written. */
  add(entry: TrustedEntry): void {
    const file = this.#fileOf(entry.folder, entry.hash);
    mkdirSync(this.#placeOf(entry.folder), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${randomUUID()}.tmp`;
    try {
      writeFileSync(fresh, JSON.stringify(entry), { flag: 'wx', mode: 0o600 });
      renameSync(fresh, file);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  }

  /** All that is trusted, by folder and name. */
  list(): readonly TrustedEntry[] {
    const files = names(this.#folder).flatMap((place) =>
      names(join(this.#folder, place)).map((name) => join(this.#folder, place, name)),
    );
    const entries = files
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => this.#read(file) ?? []);
    const key = ({ folder, name }: TrustedEntry): string => `${folder}\0${name}`;
    return entries.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  }

  /** Forgets all entries of a folder, broken files too. Returns whether there were any. Throws if they stay. */
  forget(folder: string): boolean {
    const place = this.#placeOf(folder);
    const isThere = names(place).length > 0;
    rmSync(place, { recursive: true, force: true });
    return isThere;
  }

  #placeOf(folder: string): string {
    return join(this.#folder, hashText(folder, 40));
  }

  #fileOf(folder: string, hash: string): string {
    return join(this.#placeOf(folder), `${hash}.json`);
  }

  #read(file: string, folder?: string): TrustedEntry | undefined {
    const found = ownProperties(parsedJson(textOf(file) ?? ''));
    const { folder: of, hash, name } = found;
    if (typeof of !== 'string' || typeof hash !== 'string' || typeof name !== 'string') return;
    const isOwn = file === this.#fileOf(of, hash) && (folder === undefined || folder === of);
    return isOwn ? { folder: of, hash, name } : undefined;
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    const handle = openSync(file, REGULAR);
    try {
      return fstatSync(handle).isFile() ? readFileSync(handle, 'utf8') : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return;
  }
}
