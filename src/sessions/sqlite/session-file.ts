import { ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { type JournalMode, openFile, refuseNewer } from './open-file.ts';
import { prepareFile } from './place.ts';
import { repair } from './repair.ts';
import { SharedLock } from './shared-lock.ts';
import { closed, type Database, identityOf, type Work } from './tables/index.ts';

interface SessionFileOptions {
  /** Called with what the user must know: that the file was damaged, and where its parts are. */
  readonly onWarning: (message: string) => void;
}

/** The file of sessions while it is open. It is repaired where damage is found. */
export class SessionFile {
  readonly path: string;
  readonly journalMode: JournalMode;
  readonly #onWarning: SessionFileOptions['onWarning'];
  readonly #lock: SharedLock;
  #database: Database;
  /** Whether damage was found since it was opened. The next one who uses it opens it again. */
  #isDamaged = false;
  #isClosed = false;

  constructor(path: string, { onWarning }: SessionFileOptions) {
    this.path = path;
    this.#onWarning = onWarning;
    refuseNewer(path);
    const lock = `${path}-open`;
    prepareFile(lock);
    this.#lock = new SharedLock(lock);
    try {
      this.#database = this.#open();
      this.journalMode = this.#database.pragma('journal_mode') === 'wal' ? 'wal' : 'delete';
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
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
    this.#lock.close();
  }

  #use<T>(work: (database: Database) => T): T {
    if (this.#isClosed) throw closed(this.path);
    if (this.#isDamaged) this.#database = this.#open();
    this.#isDamaged = false;
    const database = this.#database;
    try {
      return work(database);
    } catch (error) {
      if (ownProperty(error, 'code') === 'session-damaged') {
        this.#isDamaged = true;
        database.close();
        this.#repair(error);
      }
      throw error;
    }
  }

  #open(): Database {
    try {
      return openFile(this.path);
    } catch (error) {
      if (ownProperty(error, 'code') !== 'session-damaged') throw error;
      this.#repair(error);
      return openFile(this.path);
    }
  }

  #repair(error: unknown): void {
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
