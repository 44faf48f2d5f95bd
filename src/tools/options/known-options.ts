import { ToolfoldError } from '../../errors.ts';
import { nearNames } from '../names/index.ts';
import { isRecord } from '../values/index.ts';

/** The names of all options of a type: the compiler refuses a list that lacks one. */
export type KnownOptions<OPTIONS> = Readonly<Record<keyof OPTIONS, true>>;

/**
 * Throws `invalid-option` for the first unknown own option and suggests a similar one. Undefined
 * values are accepted. `owner`: the function that takes the options. `ignored`: accepted, and
 * never suggested.
 */
export function checkKnown(
  owner: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
  ignored: Readonly<Record<string, true>> = {},
): void {
  if (!isRecord(options)) {
    const hint = 'Give an object, or leave it out.';
    throw new ToolfoldError('invalid-option', `The options of ${owner} are no object.`, hint);
  }
  const isUnknown = (key: string) =>
    options[key] !== undefined && !Object.hasOwn(known, key) && !Object.hasOwn(ignored, key);
  const unknown = Object.keys(options).find(isUnknown);
  if (unknown === undefined) return;
  const names = Object.keys(known).sort();
  const [near] = nearNames(unknown, names, 1);
  throw new ToolfoldError(
    'invalid-option',
    `${owner} has no option "${unknown}".`,
    near === undefined ? `Its options are ${names.join(', ')}.` : `Did you mean "${near}"?`,
  );
}
