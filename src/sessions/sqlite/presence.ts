import { own } from '../../tools/values/index.ts';
import { Database } from './database.ts';

/**
 * Says that a process has a file of sessions open. It is a shared lock on a second, empty file, which the
 * operating system takes back when the process ends.
 */
export class Presence {
  readonly #lock: Database;

  constructor(file: string, vfs?: string) {
    this.#lock = new Database(file, vfs);
    this.#lock.pragma('busy_timeout = 5000');
    this.#share();
  }

  /** Runs `work` if no other process has the file open, and returns whether it did. */
  alone(work: () => void): boolean {
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
    this.#lock.execute('BEGIN');
    this.#lock.pragma('schema_version');
  }

  #isExclusive(): boolean {
    try {
      this.#lock.execute('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (own(error, 'code') === 'session-unavailable') return false;
      throw error;
    }
  }
}
