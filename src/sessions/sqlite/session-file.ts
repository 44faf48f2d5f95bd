import { ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { type JournalMode, openFile, prepareFile, refuseNewer } from './open-file.ts';
import { repair } from './repair.ts';
import { SharedLock } from './shared-lock.ts';
import { type Database, identityOf, type Work } from './tables/index.ts';

/** The file of sessions while it is open. It is repaired where damage is found. */
export class SessionFile {
  readonly path: string;
  readonly journalMode: JournalMode;
  /** Called with what the user must know: that the file was damaged, and where its parts are. */
  readonly #onWarning: (message: string) => void;
  readonly #lock: SharedLock;
  /** Undefined after damage was found. The next one who uses it opens it again. */
  #database: Database | undefined;

  constructor(path: string, { onWarning }: { readonly onWarning: (message: string) => void }) {
    this.path = path;
    this.#onWarning = onWarning;
    prepareFile(path);
    refuseNewer(path);
    this.#lock = new SharedLock(`${path}-open`);
    try {
      const mode = this.#use((database) => database.pragma('journal_mode'));
      this.journalMode = mode === 'wal' ? 'wal' : 'delete';
    } catch (error) {
      this.#lock.close();
      throw error;
    }
  }

  /** Runs `work`, which sees the file as it is at this moment. */
  read<ARGS extends readonly unknown[], T>(work: Work<ARGS, T>, ...args: ARGS): T {
    return this.#use((database) => database.read(work, ...args));
  }

  /** Runs `work` in one transaction, which is durable when this returns. */
  write<ARGS extends readonly unknown[], T>(work: Work<ARGS, T>, ...args: ARGS): T {
    return this.#use((database) => database.write(work, ...args));
  }

  close(): void {
    this.#database?.close();
    this.#lock.close();
  }

  #use<T>(work: (database: Database) => T): T {
    this.#database ??= this.#open();
    try {
      return work(this.#database);
    } catch (error) {
      this.#repair(error);
      throw error;
    }
  }

  #open(): Database {
    // Nobody else repairs the file while it is open here.
    this.#lock.share();
    try {
      return openFile(this.path);
    } catch (error) {
      this.#repair(error);
    }
    this.#lock.share();
    return openFile(this.path);
  }

  /** Repairs the file after an error of damage. Throws any other error. */
  #repair(error: unknown): void {
    if (ownProperty(error, 'code') !== 'session-damaged') throw error;
    this.#database?.close();
    this.#database = undefined;
    const { path } = this;
    const before = identityOf(path);
    const isDone = this.#lock.exclusively(() => {
      // Another process may have repaired it meanwhile.
      if (identityOf(path) === before) this.#onWarning(repair(path));
    });
    if (isDone) return;
    throw new ToolfoldError(
      'session-damaged',
      `The file of sessions ${path} is damaged, and other processes have it open.`,
      'End them and try again. The file is then moved aside, and what can be read is kept.',
      error,
    );
  }
}
