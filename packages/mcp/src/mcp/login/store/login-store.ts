import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { oncePerKey } from '@toolfold/core/internal/tools/values';
import { formatLogin, type LoginOwner, parseLogin, type StoredLogin } from './stored-login.ts';

/** Where logins are kept, and who hears about problems with that. */
export interface StoreOptions {
  /** The folder of the logins. Default: `logins` in the user's data folder. */
  readonly folder?: string;
  /** Called with a text for people when a login cannot be read or saved. It has no secrets. */
  readonly onWarning?: (warning: string) => void;
}

/**
 * Logins of this process that could not be saved, by file. All stores of the process use them, so that a
 * login also works for connections that were made before.
 */
const unsaved = new Map<string, StoredLogin>();

/** The changes by this process, by file. After one, what a store has read is not recent any more. */
const changes = new Map<string, number>();

/** Milliseconds for which a login that was read counts as recent. A server refuses a token that is not valid any more. */
const RECENT = 1000;

/**
 * The login at one server, in a file that only the user can read. What cannot be read counts as no
 * login. What cannot be saved is kept for this process.
 */
export class LoginStore {
  readonly file: string;
  readonly #owner: LoginOwner;
  readonly #once: (key: string, text: string) => void;
  #last: { login: StoredLogin; at: number; change: number | undefined } | undefined;

  constructor(owner: LoginOwner, { folder, onWarning = () => {} }: StoreOptions) {
    const base = folder ?? join(userFolder('data'), 'logins');
    const identity = JSON.stringify([owner.server, owner.url]);
    const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    this.file = join(base, `${name}.json`);
    this.#owner = owner;
    this.#once = oncePerKey(onWarning);
  }

  /** The current login, also if another process has changed it. Empty if there is none. Never rejects. */
  async read(): Promise<StoredLogin> {
    const change = changes.get(this.file);
    const at = performance.now();
    const login = await this.#load();
    this.#last = { login, at, change };
    return login;
  }

  async #load(): Promise<StoredLogin> {
    const kept = unsaved.get(this.file);
    if (kept !== undefined) return kept;
    let text: string | undefined;
    try {
      text = await readPrivate(this.file);
    } catch (error) {
      this.#warn(`cannot be used: its file cannot be read (${errorMessage(error)})`);
    }
    if (text === undefined) return {};
    const parsed = parseLogin(text, this.#owner);
    if ('login' in parsed) return parsed.login;
    this.#warn(`cannot be used: ${parsed.problem} (${this.file})`);
    return {};
  }

  /** As `read`, but the login may be as old as a second if another process has changed it. */
  async readRecent(): Promise<StoredLogin> {
    const change = changes.get(this.file);
    const last = this.#last;
    const isRecent = last?.change === change && performance.now() - (last?.at ?? 0) < RECENT;
    return isRecent && last ? last.login : this.read();
  }

  /** Saves a login. If that fails, keeps it for this process and returns false. Never rejects. */
  async write(login: StoredLogin): Promise<boolean> {
    try {
      await writePrivate(this.file, formatLogin(login, this.#owner));
      unsaved.delete(this.file);
      return true;
    } catch (error) {
      unsaved.set(this.file, login);
      this.#warn(`could not be saved and ends with this process (${errorMessage(error)})`);
      return false;
    } finally {
      this.#changed();
    }
  }

  /** Removes the login. Returns whether there was a file. Rejects if the file cannot be removed. */
  async remove(): Promise<boolean> {
    unsaved.delete(this.file);
    return removePrivate(this.file).finally(() => this.#changed());
  }

  #changed(): void {
    changes.set(this.file, (changes.get(this.file) ?? 0) + 1);
  }

  #warn(problem: string): void {
    const warning = `The login of ${this.#owner.server} ${problem}.`;
    this.#once(warning, warning);
  }
}
