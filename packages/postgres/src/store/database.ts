import { hash } from 'node:crypto';
import { notRetryable } from '@toolfold/agent/internal/sessions';
import { errorMessage, invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';
import { Client, Pool, type PoolConfig, types } from 'pg';

/** What a statement takes. */
export type Value = string | number | null | readonly (string | number | null)[];

/** Runs one statement, and returns its rows. The type is what it selects. In its text, `@` stands for the schema. */
export type Query = <ROW = Readonly<Record<string, unknown>>>(
  sql: string,
  ...values: readonly Value[]
) => Promise<readonly ROW[]>;

/** Milliseconds since 1970 by the clock of the database. */
export const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Waiting for a lock ends after this time, and a transaction in which nothing happens. */
const LIMIT = '5s';

/** A part of a `WITH` that limits how long the rest of the statement waits for locks. It has one row. */
export const LIMITS: string = `limits AS MATERIALIZED (SELECT set_config('lock_timeout', '${LIMIT}', true))`;

/** A pool of connections to one database. The only user of `pg`. All errors are those of a store. */
export class Database {
  /** What it is and where, without credentials. */
  readonly name: string;
  /** The name of the schema, quoted. */
  readonly schema: string;
  /** The number of the lock that a removal takes alone, and that those who share what it removes take together. */
  readonly lock: string;
  readonly #pool: Pool;
  #end: Promise<void> | undefined;

  constructor(connection: PoolConfig, schema: string) {
    const { database, host, port } = placeOf(connection);
    this.name = `PostgreSQL on ${host}:${port}, database ${database}, schema ${schema}`;
    this.schema = `"${schema.replaceAll('"', '""')}"`;
    this.lock = BigInt.asIntN(
      64,
      BigInt(`0x${hash('sha256', `toolfold ${schema}`).slice(0, 16)}`),
    ).toString();
    this.#pool = new Pool({
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
      keepAlive: true,
      ...connection,
      // Whole numbers of 8 bytes. Those of the tables are safe.
      types: {
        getTypeParser: (type, format) =>
          type === 20 ? Number : types.getTypeParser(type, format as 'text'),
      },
    });
    // A connection has failed while nothing used it. The pool opens another one.
    this.#pool.on('error', () => {});
  }

  /** A table of the schema, quoted. */
  nameOf(table: string): string {
    return `${this.schema}.${table}`;
  }

  /** Runs one statement. None is named, so that a pooler may give each to another connection. */
  readonly query: Query = async (sql, ...values) =>
    this.#translated(async () => this.#run(this.#pool, sql, values));

  /** Runs statements in one transaction. Each sees what was committed before it began. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#translated(async () => {
      const client = await this.#pool.connect();
      let failure: Error | undefined;
      // Without a listener, the end of the connection would end the process. The statement rejects, too.
      const onError = (error: Error) => {
        failure = error;
      };
      client.on('error', onError);
      try {
        await client.query(
          `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${LIMIT}'; SET LOCAL idle_in_transaction_session_timeout = '${LIMIT}'`,
        );
        const result = await work((sql, ...values) => this.#run(client, sql, values));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that has failed, or cannot end its transaction, is not used again.
        if (isOfConnection(error)) failure = error;
        else await client.query('ROLLBACK').catch(onError);
        throw error;
      } finally {
        client.off('error', onError);
        client.release(failure);
      }
    });
  }

  close(): Promise<void> {
    this.#end ??= this.#pool.end();
    return this.#end;
  }

  async #run<ROW>(
    client: Pick<Pool, 'query'>,
    sql: string,
    values: readonly Value[],
  ): Promise<readonly ROW[]> {
    const text = sql.replace(/@(?=[a-z])/g, `${this.schema}.`);
    const { rows } = await client.query(text, values.length === 0 ? undefined : [...values]);
    return rows as ROW[];
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ToolfoldError) throw error;
      if (!this.#end) throw databaseError(error, this.name);
      const what = 'the store is closed';
      throw notRetryable(unavailable(this.name, what, 'Open it again.', error));
    }
  }
}

/** Where a connection leads. Throws `invalid-option`, without the address: it may have a password. */
function placeOf(connection: PoolConfig): Pick<Client, 'database' | 'host' | 'port'> {
  try {
    return new Client(connection);
  } catch {
    throw invalidOption('connection', 'an address such as "postgres://user@host/database"');
  }
}

/** The classes of errors that pass: of the connection, of locks, of resources, of a server that starts or ends. */
const MOMENTARY = /^(?:08|40|53|57|55P03|25P03|25006)/;

/** The classes of errors of values that can never be kept. */
const REFUSED = /^(?:22|54)/;

/** Whether the connection has failed, and not a statement. */
function isOfConnection(error: unknown): error is Error {
  return !(error instanceof ToolfoldError) && ownProperty(error, 'severity') === undefined;
}

/** The error of a store for what `pg` has thrown. */
function databaseError(error: unknown, name: string): ToolfoldError {
  const state = isOfConnection(error) ? '' : String(ownProperty(error, 'code'));
  const what = errorMessage(error);
  if (REFUSED.test(state)) {
    const hint = 'Give another value. Nothing was written.';
    return new ToolfoldError('invalid-option', `The store refuses a value: ${what}.`, hint, error);
  }
  const hint = 'Check the address of the database, its user and its rights.';
  const failure = unavailable(name, what, hint, error);
  return state === '' || MOMENTARY.test(state) ? failure : notRetryable(failure);
}

function unavailable(name: string, what: string, hint: string, cause: unknown): ToolfoldError {
  const message = `The sessions in ${name} are not available: ${what}.`;
  return new ToolfoldError('session-unavailable', message, hint, cause);
}

/** The constraint that a row has violated. Undefined for other errors. */
export function violatedBy(error: unknown): string | undefined {
  const cause = error instanceof ToolfoldError ? error.cause : error;
  const constraint = ownProperty(cause, 'constraint');
  return typeof constraint === 'string' ? constraint : undefined;
}

/** What stands before the number of a character that PostgreSQL refuses or changes: "substitute". */
const SUBSTITUTE = '\u001a';
const ODD = new RegExp(`[\0${SUBSTITUTE}]|\\p{Surrogate}`, 'gu');
const REPLACED = new RegExp(`${SUBSTITUTE}(.{4})`, 'g');

/** A text as PostgreSQL can keep it: without NUL and without halves of characters. */
export function kept(text: string): string {
  return text.replace(
    ODD,
    (odd) => `${SUBSTITUTE}${odd.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text that `kept` has changed. */
export function restored(text: string): string {
  return text.replace(REPLACED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
