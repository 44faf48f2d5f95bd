import { ownProperty } from '../../tools/values/index.ts';
import { Database } from './tables/index.ts';

/**
 * Says that a process has a file of sessions open. It is a shared lock on a second, empty file, which the
 * operating system takes back when the process ends.
 */
export class SharedLock {
  readonly #lock: Database;

  constructor(file: string) {
    this.#lock = new Database(file);
    this.#share();
  }

  /** Runs `work` if no other process has the file open, and returns whether it did. */
  exclusively(work: () => void): boolean {
    this.#lock.execute('ROLLBACK');
    try {
      if (!this.#isExclusive()) return false;
      try {
        work();
      } finally {
        this.#lock.execute('ROLLBACK');
      }
      return true;
    } finally {
      this.#share();
    }
  }

  close(): void {
    this.#lock.close();
  }

  #share(): void {
    // Waits for a process that repairs the file.
    this.#lock.pragma('busy_timeout = 5000');
    this.#lock.execute('BEGIN');
    this.#lock.pragma('schema_version');
  }

  #isExclusive(): boolean {
    // Those that have the file open keep it open. It makes no sense to wait for them.
    this.#lock.pragma('busy_timeout = 200');
    try {
      this.#lock.execute('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (ownProperty(error, 'code') === 'session-unavailable') return false;
      throw error;
    }
  }
}
