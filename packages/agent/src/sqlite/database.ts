import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { commitNumberAfter } from './commit-number.ts';
import { sqliteError, unavailable } from './sqlite-error.ts';

export type Value = string | number | null;

/** What is done with the database in one transaction. */
export type Transaction<ARGS extends readonly unknown[], T> = (
  database: Database,
  ...args: ARGS
) => T;

interface DatabaseOptions {
  /** A connection that only reads changes neither the file nor the log beside it. */
  readonly readOnly?: boolean;
  /** A damaged description of one table, or a file that is too short, does not hide the rest. */
  readonly isDamaged?: boolean;
  /** The file that errors name. */
  readonly name?: string;
}

/** The files that this process has open by SQLite, with the number of their connections. */
const OPEN = new Map<bigint, number>();

/**
 * Whether this process has a file open by SQLite. To open and close it beside SQLite would then end the locks of
 * SQLite, because POSIX locks belong to a process (sqlite.org/howtocorrupt.html, 2.2).
 */
export function isOpenHere(file: string): boolean {
  const identity = identityOf(file);
  return identity !== 0n && OPEN.has(identity);
}

/** One open SQLite file. The only user of `node:sqlite`. All errors are those of a store. */
export class Database {
  readonly file: string;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The identities of the opened file and of its log. Their names can be given to other ones. */
  #identities: string;
  readonly #identity: bigint;

  /** Opens a file, or creates it. An empty path is a temporary file of its own, which is gone when it is closed. */
  constructor(
    file: string,
    { readOnly = false, isDamaged = false, name = file }: DatabaseOptions = {},
  ) {
    this.file = name;
    this.#path = file;
    const { DatabaseSync } = library();
    this.#database = this.#translated(
      () => new DatabaseSync(file, { defensive: !isDamaged, readOnly }),
    );
    this.#identities = identitiesOf(file);
    this.#identity = identityOf(file);
    OPEN.set(this.#identity, (OPEN.get(this.#identity) ?? 0) + 1);
    if (isDamaged) this.pragma('writable_schema = ON');
  }

  /** Runs one statement. Returns how many rows it changed, and the number of the row that was inserted last. */
  run(
    sql: string,
    ...values: readonly Value[]
  ): { readonly changes: number; readonly row: number } {
    const done = this.#translated(() => this.#statement(sql, values).run(...values));
    return { changes: Number(done.changes), row: Number(done.lastInsertRowid) };
  }

  /** The first row of a query. The type is what the query selects. */
  get<ROW>(sql: string, ...values: readonly Value[]): ROW | undefined {
    return this.#translated(() => this.#statement(sql, values).get(...values)) as ROW | undefined;
  }

  /** All rows of a query. The type is what the query selects. */
  all<ROW>(sql: string, ...values: readonly Value[]): readonly ROW[] {
    return this.#translated(() => this.#statement(sql, values).all(...values)) as unknown as ROW[];
  }

  /** The rows of a query, one after the other. The type is what the query selects. */
  *each<ROW>(sql: string, ...values: readonly Value[]): Generator<ROW, void> {
    const rows = this.#translated(() => this.#statement(sql, values).iterate(...values));
    for (;;) {
      const { done, value } = this.#translated(() => rows.next());
      if (done) return;
      yield value as ROW;
    }
  }

  /** Runs statements without values, separated by semicolons. */
  execute(sql: string): void {
    this.#translated(() => this.#database.exec(sql));
  }

  /** The value of a pragma, or what it is after it was set: `pragma('journal_mode = WAL')`. */
  pragma(text: string): Value | undefined {
    const row = this.#translated(() => this.#database.prepare(`PRAGMA ${text}`).get());
    const value = Object.values(row ?? {})[0];
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }

  /** Runs `work` in a transaction that sees one state of the file. */
  read<ARGS extends readonly unknown[], T>(work: Transaction<ARGS, T>, ...args: ARGS): T {
    return this.#transaction('DEFERRED', () => work(this, ...args));
  }

  /**
   * Runs `work` in a transaction without another writer in between, which is durable when this returns. Throws
   * `session-unavailable` if the file, or the log beside it, is not the one that was opened.
   */
  write<ARGS extends readonly unknown[], T>(work: Transaction<ARGS, T>, ...args: ARGS): T {
    return this.#transaction('IMMEDIATE', () => {
      if (identitiesOf(this.#path) !== this.#identities) {
        const what = 'the file or the log beside it was removed or replaced while it was open';
        const hint = 'Restart to use the file that is there now.';
        throw unavailable(this.file, what, { hint });
      }
      const result = work(this, ...args);
      this.#numberCommit();
      return result;
    });
  }

  /** Numbers the change, so that the log of another file, or of another state of this one, is known as such. */
  #numberCommit(): void {
    const number = Number(this.pragma('application_id')) >>> 0;
    this.execute(`PRAGMA application_id = ${commitNumberAfter(number) | 0}`);
  }

  /** Opens the log, in mode WAL, and notes which one it is. What is written to a log without a name is lost. */
  openLog(): void {
    this.pragma('schema_version');
    this.#identities = identitiesOf(this.#path);
  }

  #transaction<T>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => T): T {
    this.execute(`BEGIN ${kind}`);
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Takes a transaction back. SQLite ends it by itself after some errors. */
  rollback(): void {
    if (this.#translated(() => this.#database.isTransaction)) this.execute('ROLLBACK');
  }

  /** Closes the file, and leaves it and the log beside it as they are, which `close` of the last connection does not. */
  closeUnwritten(): void {
    try {
      const other = new Database(this.#path, { readOnly: true });
      try {
        // As long as this one reads, the other one is not the last.
        other.read(() => other.get('SELECT 1 FROM sqlite_schema'));
        this.close();
      } finally {
        other.close();
      }
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#statements.clear();
    if (!this.#database.isOpen) return;
    this.#database.close();
    const others = (OPEN.get(this.#identity) ?? 1) - 1;
    if (others === 0) OPEN.delete(this.#identity);
    else OPEN.set(this.#identity, others);
  }

  #statement(sql: string, values: readonly Value[]): StatementSync {
    const wrong = values.find((value) => typeof value === 'number' && !Number.isSafeInteger(value));
    if (wrong !== undefined) {
      const hint = 'Times, numbers of entries and limits are safe integers.';
      throw new ToolfoldError('invalid-option', `A session cannot have the number ${wrong}.`, hint);
    }
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, this.file);
    }
  }
}

/** The number of a file in its file system; 0 if there is no such file. */
function identityOf(file: string): bigint {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
}

/** The numbers of a file and of what SQLite keeps beside it in mode WAL. */
function identitiesOf(file: string): string {
  return ['', '-wal', '-shm'].map((end) => identityOf(file + end)).join();
}

type Library = typeof import('node:sqlite');

/** `node:sqlite`. Node 22 warns that it is experimental; this one warning is left out. */
function library(): Library {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...others: [never]) => {
    if (/^SQLite is an experimental feature/.test(String(warning))) return;
    emitWarning.call(process, warning, ...others);
  }) as typeof process.emitWarning;
  try {
    const found: Library | undefined = process.getBuiltinModule('node:sqlite');
    if (found) return found;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new ToolfoldError(
    'missing-dependency',
    'This Node.js has no "node:sqlite".',
    'Use Node.js 22.19 or later, built with SQLite and started without --no-experimental-sqlite.',
  );
}
