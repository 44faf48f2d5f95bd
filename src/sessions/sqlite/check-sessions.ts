import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { checkEntries, checkIntegrity, checkParents, checkUnused } from './check-content.ts';
import { checkDamagedFiles, checkPermissions } from './check-files.ts';
import type { Finding } from './finding.ts';
import { versionIn } from './open-file.ts';
import { startOf } from './place.ts';
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
    return checkFolder(options);
  } catch (error) {
    // Such as a file in place of the folder, or one that may not be read.
    if (typeof ownProperty(error, 'syscall') !== 'string') throw error;
    const text = `${options.folder} cannot be read: ${errorMessage(error)}.`;
    return [{ check: 'folder', state: 'problem', text, remedy: 'Check the folder.' }];
  }
}

function checkFolder({ folder, repair = false }: CheckOptions): readonly Finding[] {
  const file = join(folder, 'sessions.db');
  const aside = checkDamagedFiles(folder);
  if (!existsSync(file)) {
    return [
      { check: 'file', state: 'ok', text: `There are no sessions in ${folder} yet.` },
      ...aside,
    ];
  }
  const findings: Finding[] = [checkPermissions(folder, repair)];
  try {
    findings.push(...checkFile(file, repair));
  } catch (error) {
    if (!(error instanceof ToolfoldError)) throw error;
    findings.push({ check: 'file', state: 'problem', text: error.message });
  }
  return [...findings, ...aside];
}

function checkFile(file: string, repair: boolean): readonly Finding[] {
  // A newer file is not even opened by SQLite, which could change it.
  const newer = newerVersion(file);
  if (newer) return [newer];
  const database = new Database(file);
  try {
    const version = versionOf(database);
    const findings = [modeOf(database), checkIntegrity(database)];
    if (version < KNOWN_VERSION) {
      const text = `The file has version ${version}. It gets version ${KNOWN_VERSION} when it is used next.`;
      return [...findings, { check: 'version', state: 'note', text }];
    }
    return [
      { check: 'version', state: 'ok', text: `The file has version ${version}.` },
      ...findings,
      checkEntries(database),
      checkUnused(database, repair),
      checkParents(database),
    ];
  } finally {
    database.close();
  }
}

function newerVersion(file: string): Finding | undefined {
  const check = 'version';
  let version: number;
  try {
    version = versionIn(startOf(file, 'r'));
  } catch (error) {
    return { check, state: 'problem', text: `${file} cannot be read: ${errorMessage(error)}.` };
  }
  if (version <= KNOWN_VERSION) return;
  const text = `A newer version of Toolfold wrote the file: ${version}, known up to ${KNOWN_VERSION}.`;
  return { check, state: 'problem', text, remedy: 'Update Toolfold. The file was not changed.' };
}

function modeOf(database: Database): Finding {
  const mode = String(database.pragma('journal_mode') ?? '').toUpperCase();
  if (mode === 'WAL') return { check: 'mode', state: 'ok', text: 'Changes are kept in mode WAL.' };
  const text = `Changes are kept in mode ${mode}, which is slower. File systems on a network need it.`;
  return { check: 'mode', state: 'note', text };
}
