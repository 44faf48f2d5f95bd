import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { exactJson, truncate } from '@toolfold/core/internal/tools/values';
import { usageError } from '../../app/terminal/index.ts';

export const EXPECTED_ARGUMENTS =
  'Give the arguments as a JSON object, such as \'{ "path": "." }\', or as name=value.';

/**
 * The value of a JSON text. Integers that no number holds are bigints, so that the server gets them as they were
 * written. Throws `invalid-option` for another number that cannot be held, and for a text that is not JSON.
 */
export function exactValue(text: string, source: string): unknown {
  let read: ReturnType<typeof exactJson>;
  try {
    read = exactJson(text);
  } catch (error) {
    throw usageError(`${source} is not JSON: ${errorMessage(error)}.`, EXPECTED_ARGUMENTS, error);
  }
  if (!('lost' in read)) return read.value;
  throw usageError(
    `The number ${truncate(read.lost, 60)} has more digits than a number can hold.`,
    'Write it as a string, if the tool takes one.',
  );
}
