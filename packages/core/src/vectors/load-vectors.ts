import { ToolfoldError } from '../errors.ts';
import type { WordVectors } from '../tools/search/index.ts';
import { readVectors } from './read-vectors.ts';

/**
 * Reads the table that is part of the package, trained for tool search; 3.2 MB. Needs a file
 * system: elsewhere, give the bytes of the file `word-vectors.bin` to `readVectors`. Each call
 * reads the file again, so keep the answer. Throws a `ToolfoldError` if the file is damaged.
 */
export async function loadVectors(): Promise<WordVectors> {
  // No import names the module, so that bundles for other platforms can be built.
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (files === undefined)
    throw new ToolfoldError(
      'missing-dependency',
      'The word vectors are a file, and this platform has no file system.',
      'Give the bytes of @toolfold/core/word-vectors.bin to readVectors.',
    );
  return readVectors(await files.readFile(new URL('./word-vectors.bin', import.meta.url)));
}
