import { ToolfoldError } from '../../errors.ts';

/**
 * Imports an optional package; throws `missing-dependency` with how to install it where it is
 * absent. `load` holds the import itself, so that bundlers and the compiler see it.
 */
export async function importOptional<T>(
  name: string,
  what: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ToolfoldError(
      'missing-dependency',
      `${what} needs the package ${name}.`,
      `Install it: npm install ${name}.`,
      error,
    );
  }
}
