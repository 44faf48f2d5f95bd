import type { WordVectors } from '../tools/search/index.ts';
import { readVectors } from './read-vectors.ts';

/**
 * Reads the table that is part of the package, trained for tool search; 3.1 MB. Needs a file
 * system: elsewhere, give the bytes of the file `word-vectors.bin` to `readVectors`. Each call
 * reads the file again, so keep the answer. Throws a `ToolfoldError` if the file is damaged.
 */
export async function loadVectors(): Promise<WordVectors> {
  const { readFile } = await import('node:fs/promises');
  return readVectors(await readFile(new URL('./word-vectors.bin', import.meta.url)));
}
