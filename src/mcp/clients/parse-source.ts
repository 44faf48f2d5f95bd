import { JsonSource } from '../../config/index.ts';
import { errorMessage } from '../../errors.ts';

/** Parses JSON with comments. The reason of a mistake has its position, and no value of the file. */
export function parseSource(
  file: string,
  text: string,
): { readonly source: JsonSource } | { readonly reason: string } {
  try {
    return { source: new JsonSource(file, text) };
  } catch (error) {
    return { reason: errorMessage(error) };
  }
}
