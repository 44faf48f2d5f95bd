import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { errorMessage, type ToolfoldError } from '../../errors.ts';
import { usageError } from '../terminal/index.ts';

/**
 * Writes texts into a new file that only the user can read (mode 0600), in one step: it is there whole,
 * or not at all. An existing file is replaced only with `force`. Rejects with `invalid-option` if the
 * file is there or cannot be written.
 */
export async function writePrivateFile(
  file: string,
  texts: AsyncIterable<string>,
  { force }: { readonly force: boolean },
): Promise<void> {
  if (!force && existsSync(file)) throw taken(file);
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(fresh, 'wx', 0o600).catch(unwritable(file));
    try {
      for await (const text of texts) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a renamed file, a link replaces no file that has come meanwhile. Some file systems have no links.
    const isLinked = !force && (await link(fresh, file).then(...ALWAYS));
    if (!force && !isLinked && existsSync(file)) throw taken(file);
    if (!isLinked) await rename(fresh, file).catch(unwritable(file));
  } finally {
    await rm(fresh, { force: true });
  }
}

const ALWAYS = [() => true, () => false] as const;

function taken(file: string): ToolfoldError {
  return usageError(
    `There is a file ${file} already.`,
    'Give another file, or replace it with --force.',
  );
}

function unwritable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw usageError(
      `${file} cannot be written: ${errorMessage(cause)}.`,
      'Check the path.',
      cause,
    );
  };
}
