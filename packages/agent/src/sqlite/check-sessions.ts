import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  checkKnown,
  formatCount,
  type KnownOptions,
  ownProperty,
} from '@toolfold/core/internal/values';
import { checkWhole } from '../sessions/index.ts';
import { Database } from './database.ts';
import { findText, readEntries } from './entries.ts';
import { KNOWN_VERSION, versionOf } from './migrations.ts';
import { checkVersion, damageOf, openDamaged, openToRead, refuseUnopened } from './open-file.ts';
import { UNUSED } from './sessions.ts';
import { recoveryOf } from './sqlite-error.ts';

/** What a check has found. `note`: worth knowing, and nothing is wrong. */
export interface Finding {
  /** What was checked, in one or two words. */
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem' | 'repaired';
  /** One sentence. */
  readonly text: string;
  /** What the user can do about a problem. */
  readonly remedy?: string;
}

/** The remedy of problems that a repair removes without a loss. */
const REPAIR = 'Repair it with --repair.';

/** Most problems of one kind that are named. */
const MOST_NAMED = 5;
const EXPORT = 'Export the sessions that can be read: toolfold sessions export ID.';

export interface CheckOptions {
  /** The folder of the file `sessions.db`. */
  readonly folder: string;
  /** Repairs what can be repaired without a loss: permissions and unused rows. */
  readonly repair?: boolean;
}

const CHECK_SESSIONS_OPTIONS: KnownOptions<CheckOptions> = {
  folder: true,
  repair: true,
};

/**
 * Checks the file of sessions, its folder and its content. Creates nothing, and changes nothing without
 * `repair`. Does not reject for what it finds.
 */
export async function checkSessions(options: CheckOptions): Promise<readonly Finding[]> {
  checkKnown('checkSessions()', options, CHECK_SESSIONS_OPTIONS);
  try {
    return [...checkFolder(options)];
  } catch (error) {
    // Such as a file in place of the folder, or one that may not be read.
    if (typeof ownProperty(error, 'syscall') !== 'string') throw error;
    const text = `${options.folder} cannot be read: ${errorMessage(error)}.`;
    return [{ check: 'folder', state: 'problem', text, remedy: 'Check the folder.' }];
  }
}

function* checkFolder({ folder, repair = false }: CheckOptions): Generator<Finding> {
  const file = join(folder, 'sessions.db');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (existsSync(file) || existsSync(`${file}-wal`)) {
    const files = names.filter((name) => name.startsWith('sessions.db'));
    yield checkPermissions(folder, files, repair);
    try {
      yield* checkFile(file, repair);
    } catch (error) {
      if (!(error instanceof ToolfoldError)) throw error;
      const check = error.code === 'session-newer' ? 'version' : 'file';
      yield { check, state: 'problem', text: problemOf(error), remedy: error.hint };
    }
  } else yield { check: 'file', state: 'ok', text: `There are no sessions in ${folder} yet.` };
}

/** Whether the folder and its files are the user's alone. Windows has no such modes. */
function checkPermissions(folder: string, files: readonly string[], isRepairing: boolean): Finding {
  const check = 'permissions';
  if (process.platform === 'win32') return { check, state: 'ok', text: 'Windows decides them.' };
  const open = [folder, ...files.map((name) => join(folder, name))].filter((path) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status !== undefined && (status.mode & 0o077) !== 0;
  });
  if (open.length === 0)
    return { check, state: 'ok', text: 'Only you can read the folder and its files.' };
  const named = open.join(', ');
  if (!isRepairing) {
    const text = `Other users may be able to read ${named}.`;
    return { check, state: 'problem', text, remedy: REPAIR };
  }
  try {
    for (const path of open) chmodSync(path, path === folder ? 0o700 : 0o600);
    return { check, state: 'repaired', text: `Only you can read ${named} now.` };
  } catch (error) {
    const text = `The permissions of ${named} cannot be changed: ${errorMessage(error)}.`;
    return { check, state: 'problem', text, remedy: 'Ask the owner of the folder.' };
  }
}

function* checkFile(file: string, repair: boolean): Generator<Finding> {
  refuseUnopened(file);
  const damage = damageOf(file);
  if (damage) {
    yield* checkDamaged(file, damage);
    return;
  }
  const database = openToRead(file);
  try {
    const version = versionOf(database);
    checkVersion(version, file);
    const isOlder = version < KNOWN_VERSION;
    const later = isOlder ? ` It gets version ${KNOWN_VERSION} when it is used next.` : '';
    const text = `The file has version ${version}.${later}`;
    yield { check: 'version', state: isOlder ? 'note' : 'ok', text };
    yield modeOf(database);
    const integrity = checkIntegrity(database);
    yield integrity;
    // The other checks need the tables of the present version.
    if (isOlder) return;
    yield checkEntries(database);
    yield checkUnused(database, repair && integrity.state === 'ok');
    yield checkParents(database);
  } finally {
    database.close();
  }
}

/** What can be read of a damaged file. It is not changed, with `repair` too. */
function* checkDamaged(file: string, damage: ToolfoldError): Generator<Finding> {
  const { database, damage: error = damage } = openDamaged(file, damage);
  try {
    const text = problemOf(error);
    yield { check: 'integrity', state: 'problem', text, remedy: error.hint };
    yield checkEntries(database);
  } finally {
    database.close();
  }
}

function modeOf(database: Database): Finding {
  const mode = String(database.pragma('journal_mode') ?? '').toUpperCase();
  if (mode === 'WAL') return { check: 'mode', state: 'ok', text: 'Changes are kept in mode WAL.' };
  const text = `Changes are kept in mode ${mode}, which is slower. File systems on a network need it.`;
  return { check: 'mode', state: 'note', text };
}

/** Whether SQLite finds its own structures whole. */
function checkIntegrity(database: Database): Finding {
  const rows = database.all<Record<string, string>>('PRAGMA integrity_check(20)');
  const problems = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
  const links = database.all('PRAGMA foreign_key_check').length;
  if (links > 0) problems.push(`${formatCount(links, 'row')} without the row they belong to`);
  const check = 'integrity';
  if (problems.length === 0) return { check, state: 'ok', text: 'The file is whole.' };
  const text = `The file is damaged: ${named(problems)}.`;
  return { check, state: 'problem', text, remedy: recoveryOf(database.file) };
}

/** Whether all entries and texts are there as they were written, in order. */
function checkEntries(database: Database): Finding {
  const sessions = database.all<{ id: string }>('SELECT id FROM session ORDER BY number');
  const problems: string[] = [];
  const trying = (work: () => void) => {
    try {
      work();
    } catch (error) {
      problems.push(problemOf(error));
    }
  };
  let count = 0;
  for (const { id } of sessions) {
    trying(() => {
      const entries = readEntries(database, id);
      count += entries.length;
      checkWhole(entries, id);
    });
  }
  for (const { address } of database.all<{ address: string }>('SELECT address FROM text'))
    trying(() => findText(database, address));
  const check = 'entries';
  if (problems.length > 0)
    return { check, state: 'problem', text: `${named(problems)}.`, remedy: EXPORT };
  const text = `${formatCount(sessions.length, 'session')} can be read whole (entries: ${count}).`;
  return { check, state: 'ok', text };
}

/** What is wrong, without the advice of the error. */
function problemOf(error: unknown): string {
  const text = errorMessage(error);
  return error instanceof ToolfoldError ? text.slice(0, -error.hint.length).trimEnd() : text;
}

function named(problems: readonly string[]): string {
  const shown = problems.slice(0, MOST_NAMED).map((text) => text.replace(/[.\s]+$/, ''));
  const rest = problems.length - shown.length;
  return `${shown.join('; ')}${rest === 0 ? '' : `; and ${rest} more`}`;
}

/** What the rows are called that nothing may refer to any more, by table. */
const ROWS = {
  entry: ['entry that no session has', 'entries that no session has'],
  text: ['text that no entry has', 'texts that no entry has'],
} as const;

/** Whether there are rows that no session has. `repair` removes them. */
function checkUnused(database: Database, isRepairing: boolean): Finding {
  const check = 'unused rows';
  const tables = ['entry', 'text'] as const;
  const problems = tables.flatMap((table) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${UNUSED[table]}`;
    const { count = 0 } = database.get<{ count: number }>(sql) ?? {};
    const [noun, nouns] = ROWS[table];
    return count === 0 ? [] : [`${count} ${count === 1 ? noun : nouns}`];
  });
  if (problems.length === 0) return { check, state: 'ok', text: 'There are none.' };
  const text = `There are ${problems.join(' and ')}.`;
  if (!isRepairing) return { check, state: 'problem', text, remedy: REPAIR };
  const writer = new Database(database.file);
  try {
    writer.openLog();
    writer.write(() => {
      for (const table of tables) writer.run(`DELETE FROM ${table} WHERE ${UNUSED[table]}`);
      writer.execute('PRAGMA incremental_vacuum');
    });
  } finally {
    writer.close();
  }
  return { check, state: 'repaired', text: `${text} They were removed.` };
}

/** Whether the parent of each subagent's session is there. `repair` keeps them, because they hold work. */
function checkParents(database: Database): Finding {
  const check = 'parents';
  const orphans = database.all<{ id: string }>(
    `SELECT id FROM session WHERE parent IS NOT NULL
     AND parent NOT IN (SELECT id FROM session) ORDER BY number`,
  );
  if (orphans.length === 0) return { check, state: 'ok', text: 'No session has lost its parent.' };
  const ids = orphans.map(({ id }) => id);
  const text = `The parent of ${formatCount(ids.length, 'session')} is gone: ${ids.join(', ')}.`;
  const remedy = 'Look at it with toolfold sessions show ID, and remove it with rm ID.';
  return { check, state: 'problem', text, remedy };
}
