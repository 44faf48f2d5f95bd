import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { commitNumberAfter, isBetween } from './commit-number.ts';
import { identitiesOf, type LastChange, LiveFiles, OVERWRITTEN, realOf } from './live-files.ts';
import { fileError, sqliteError, unavailable } from './sqlite-error.ts';

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

/** A file that another process has changed more often meanwhile is another one, which has numbers of its own. */
const MOST_CHANGES = 2 ** 24;

/** One open SQLite file. The only user of `node:sqlite`. All errors are those of a store. */
export class Database {
  readonly file: string;
  readonly #path: string;
  /** The path without links. */
  readonly #real: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The identities of the opened file and of its log. Their names can be given to other ones. */
  #identities: string;
  readonly #files: LiveFiles;
  /** It is opened early: SQLite removes the log beside a file that was emptied. */
  #other: Database | undefined;
  /** The number of the last change when this one looked last. */
  #number = 0;

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
    try {
      if (isDamaged) this.pragma('writable_schema = ON');
      this.#real = realOf(file);
      this.#identities = identitiesOf(file, this.#real);
      this.#files = LiveFiles.join(file);
    } catch (error) {
      this.#database.close();
      throw error;
    }
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
      const last = this.#lastChange();
      const what =
        identitiesOf(this.#path, this.#real) === this.#identities
          ? this.#overwritten(last)
          : 'the file or the log beside it was removed or replaced while it was open';
      const hint = 'Restart to use the file that is there now.';
      if (what !== undefined) throw unavailable(this.file, what, { hint });
      this.#number = last.number;
      const result = work(this, ...args);
      // So that the log of another file, or of another state of this one, is known as such.
      this.execute(`PRAGMA application_id = ${commitNumberAfter(last.number) | 0}`);
      return result;
    });
  }

  #lastChange(): LastChange {
    const sql = `SELECT application_id AS number, schema_version AS schema
      FROM pragma_application_id, pragma_schema_version`;
    const { number = 0, schema = 0 } = this.get<LastChange>(sql) ?? {};
    return { number: number >>> 0, schema };
  }

  /** What was overwritten in place. The next write of the log would damage what stands there now. */
  #overwritten(last: LastChange): string | undefined {
    const known = this.#number;
    const isLater = known === 0 || isBetween(known, last.number, known + MOST_CHANGES);
    return isLater ? this.#files.overwritten(() => last) : OVERWRITTEN;
  }

  /** Opens the log, in mode WAL, and notes which one it is. What is written to a log without a name is lost. */
  openLog(): void {
    this.#number = this.#lastChange().number;
    this.#identities = identitiesOf(this.#path, this.#real);
    if (this.pragma('journal_mode') !== 'wal') return;
    try {
      this.#files.hold(this.#real);
    } catch (error) {
      throw fileError(error, this.file);
    }
    this.#other = this.#openOther();
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
    if (!this.#database.isOpen) return;
    let other = this.#other;
    try {
      other ??= this.#openOther();
    } finally {
      this.#end();
      other?.close();
    }
  }

  /** Opens another connection. As long as it is open, this one is not the last. */
  #openOther(): Database {
    const other = new Database(this.#path, { readOnly: true });
    try {
      // It has its lock where it cannot read what is there, too.
      other.get('SELECT 1 FROM sqlite_schema');
      return other;
    } catch (error) {
      this.#end();
      other.#end();
      throw error;
    }
  }

  /** Closes the file. The log is not written into one that was overwritten. */
  close(): void {
    if (!this.#database.isOpen) return;
    if (this.#isOwn()) this.#other?.close();
    this.#end();
    this.#other?.close();
  }

  /** Whether the log may be written into the file. */
  #isOwn(): boolean {
    try {
      return this.#files.overwritten(() => this.#lastChange()) === undefined;
    } catch {
      // The log cannot be read, so it is left as it is.
      return false;
    }
  }

  #end(): void {
    this.#statements.clear();
    if (!this.#database.isOpen) return;
    this.#database.close();
    this.#files.leave();
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
