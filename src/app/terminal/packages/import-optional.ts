import { ToolfoldError } from '../../../errors.ts';
import { installLine } from './install-line.ts';

/**
 * Imports an optional package. If it is absent, throws `missing-dependency` with the command that
 * installs it where the program was started from.
 * `load` contains the import itself, so that bundlers and the compiler see it. `user` names what needs
 * the package.
 */
export async function importOptional<T>(
  name: string,
  user: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ToolfoldError(
      'missing-dependency',
      `${user} needs the package ${name}.`,
      `Install it: ${installLine(name)}`,
      error,
    );
  }
}
