import { statSync, truncateSync } from 'node:fs';
import { ownProperty } from '../../tools/values/index.ts';
import { orUnavailable, prepareFile } from './open-file.ts';
import { Database } from './tables/index.ts';

/** SQLite's result code where another connection holds a lock. A full disk is no reason to believe that. */
const BUSY = 5;

/**
 * Says that a process has a file of sessions open. It is a shared lock on a second, empty file, which the
 * operating system takes back when the process ends.
 */
export class SharedLock {
  readonly #lock: Database;

  constructor(file: string) {
    prepareFile(file);
    // Damage may have written into it.
    orUnavailable(file, () => {
      if (statSync(file).size > 0) truncateSync(file);
    });
    this.#lock = new Database(file);
    // Those that have the file open keep it open. It makes no sense to wait for them.
    this.#lock.pragma('busy_timeout = 200');
  }

  /** Throws `session-unavailable` while another process repairs the file. */
  share(): void {
    this.#begin('DEFERRED');
    this.#lock.pragma('schema_version');
  }

  /** Runs `work` if no other process has the file open, and returns whether it did. Then it is open nowhere. */
  exclusively(work: () => void): boolean {
    try {
      this.#begin('EXCLUSIVE');
    } catch (error) {
      if (ownProperty(ownProperty(error, 'cause'), 'errcode') === BUSY) return false;
      throw error;
    }
    try {
      work();
    } finally {
      this.#lock.rollback();
    }
    return true;
  }

  close(): void {
    this.#lock.close();
  }

  /** Begins to hold the lock in another way. */
  #begin(kind: 'DEFERRED' | 'EXCLUSIVE'): void {
    this.#lock.rollback();
    this.#lock.execute(`BEGIN ${kind}`);
  }
}
