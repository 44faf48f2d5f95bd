import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../errors.ts';
import { type Finding, REPAIR } from './finding.ts';

/** Whether the folder and its files are the user's alone. Windows has no such modes. */
export function checkPermissions(folder: string, isRepairing: boolean): Finding {
  const check = 'permissions';
  if (process.platform === 'win32') return { check, state: 'ok', text: 'Windows decides them.' };
  const files = readdirSync(folder).filter((name) => name.startsWith('sessions.db'));
  const open = [folder, ...files.map((name) => join(folder, name))].filter(isOpen);
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

/** The files that were moved aside because they were damaged. */
export function checkDamagedFiles(folder: string): readonly Finding[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith('sessions.db.damaged'))
    .map((name) => ({
      ...{ check: 'damaged file', state: 'note' },
      text: `${join(folder, name)} was damaged and moved aside. Remove it if you do not need it.`,
    }));
}

function isOpen(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return status !== undefined && (status.mode & 0o077) !== 0;
}
