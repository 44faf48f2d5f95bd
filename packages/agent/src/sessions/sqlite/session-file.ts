import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type JournalMode, openDamaged, openFile, prepareFile, refuseNewer } from './open-file.ts';
import { type Database, isFileDamage, type Work } from './tables/index.ts';

/** The file of sessions while it is open. A file in which damage is found is not written from then on. */
export class SessionFile {
  readonly path: string;
  readonly journalMode: JournalMode;
  /** Called with what the user must know: that the file is damaged, and how to recover it. */
  readonly #onWarning: (message: string) => void;
  /** Undefined if nothing of a damaged file can be read. */
  #database: Database | undefined;
  #damage: ToolfoldError | undefined;

  constructor(path: string, { onWarning }: { readonly onWarning: (message: string) => void }) {
    this.path = path;
    this.#onWarning = onWarning;
    prepareFile(path);
    refuseNewer(path);
    const { database, damage } = openFile(path);
    this.#database = database;
    this.#damage = damage;
    if (damage) onWarning(damage.message);
    this.journalMode = database.pragma('journal_mode') === 'wal' ? 'wal' : 'delete';
  }

  /** Whether the file is damaged, so that nothing can be written. */
  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  /** Runs `work`, which sees the file as it is at this moment, or what could be read when damage was found. */
  read<ARGS extends readonly unknown[], T>(work: Work<ARGS, T>, ...args: ARGS): T {
    try {
      return this.#readable().read(work, ...args);
    } catch (error) {
      if (this.#damage || !isFileDamage(error)) throw error;
      this.#stopWriting(error);
      return this.#readable().read(work, ...args);
    }
  }

  /** Runs `work` in one transaction, which is durable when this returns. Throws `session-damaged` for a damaged file. */
  write<ARGS extends readonly unknown[], T>(work: Work<ARGS, T>, ...args: ARGS): T {
    const damage = this.#damage;
    if (damage) throw damage;
    try {
      return this.#readable().write(work, ...args);
    } catch (error) {
      if (isFileDamage(error)) this.#stopWriting(error);
      throw this.#damage ?? error;
    }
  }

  close(): void {
    this.#database?.close();
  }

  #readable(): Database {
    if (this.#database) return this.#database;
    throw this.#damage;
  }

  /** Goes on with what can be read. */
  #stopWriting(damage: ToolfoldError): void {
    const writer = this.#database;
    this.#database = undefined;
    this.#damage = damage;
    try {
      const opened = openDamaged(this.path, damage);
      this.#database = opened.database;
      this.#damage = opened.damage;
    } finally {
      writer?.closeUnwritten();
      this.#onWarning(this.#damage?.message ?? damage.message);
    }
  }
}
