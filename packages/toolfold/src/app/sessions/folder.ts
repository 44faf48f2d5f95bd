import { join, resolve } from 'node:path';
import { userFolder } from '@toolfold/config/internal/files';

/** The folder of the sessions: that of the variable `TOOLFOLD_SESSIONS`, else one of the user's data. */
export function sessionsFolder(): string {
  const { TOOLFOLD_SESSIONS: folder = '' } = process.env;
  return folder.trim() === '' ? join(userFolder('data'), 'sessions') : resolve(folder);
}
