import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { CONTENT_CHECKS, type Finding, REPAIR } from './check-content.ts';
import { versionIn } from './open-file.ts';
import { orUnavailable, startOf } from './place.ts';
import { Database, KNOWN_VERSION, versionOf } from './tables/index.ts';

export interface CheckOptions {
  /** The folder of the file `sessions.db`. */
  readonly folder: string;
  /** Repairs what can be repaired without a loss: permissions and unused rows. */
  readonly repair?: boolean;
}

/**
 * Checks the file of sessions, its folder and its content. Creates nothing, and changes nothing without
 * `repair`. Does not reject for what it finds.
 */
export async function checkSessions(options: CheckOptions): Promise<readonly Finding[]> {
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
  if (existsSync(file)) {
    const files = names.filter((name) => name.startsWith('sessions.db'));
    yield checkPermissions(folder, files, repair);
    try {
      yield* checkFile(file, repair);
    } catch (error) {
      if (!(error instanceof ToolfoldError)) throw error;
      yield { check: 'file', state: 'problem', text: error.message };
    }
  } else yield { check: 'file', state: 'ok', text: `There are no sessions in ${folder} yet.` };
  for (const name of names.filter((name) => name.startsWith('sessions.db.damaged'))) {
    const text = `${join(folder, name)} was damaged and moved aside. Remove it if you do not need it.`;
    yield { check: 'damaged file', state: 'note', text };
  }
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
  const check = 'version';
  // A newer file is not even opened by SQLite, which could change it.
  const newer = versionIn(orUnavailable(file, () => startOf(file, 'r')));
  if (newer > KNOWN_VERSION) {
    const text = `A newer version of Toolfold wrote the file: ${newer}, known up to ${KNOWN_VERSION}.`;
    const remedy = 'Update Toolfold. The file was not changed.';
    return yield { check, state: 'problem', text, remedy };
  }
  const database = new Database(file);
  try {
    const version = versionOf(database);
    const isOlder = version < KNOWN_VERSION;
    const later = isOlder ? ` It gets version ${KNOWN_VERSION} when it is used next.` : '';
    const text = `The file has version ${version}.${later}`;
    yield { check, state: isOlder ? 'note' : 'ok', text };
    yield modeOf(database);
    const checks = isOlder ? CONTENT_CHECKS.slice(0, 1) : CONTENT_CHECKS;
    for (const run of checks) yield run(database, repair);
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
