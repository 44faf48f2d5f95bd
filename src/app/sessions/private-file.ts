import { link, open, rename, rm, stat } from 'node:fs/promises';
import { errorMessage, ToolfoldError } from '../../errors.ts';

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
  if (!force && (await isThere(file))) throw taken(file);
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
    if (!force && !isLinked && (await isThere(file))) throw taken(file);
    if (!isLinked) await rename(fresh, file).catch(unwritable(file));
  } finally {
    await rm(fresh, { force: true });
  }
}

const ALWAYS = [() => true, () => false] as const;

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function taken(file: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `There is a file ${file} already.`,
    'Give another file, or replace it with --force.',
  );
}

function unwritable(file: string): (cause: unknown) => never {
  return (cause) => {
    const message = `${file} cannot be written: ${errorMessage(cause)}.`;
    throw new ToolfoldError('invalid-option', message, 'Check the path.', cause);
  };
}
