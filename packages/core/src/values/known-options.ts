import { invalidOption, ToolfoldError } from '../errors.ts';
import { looseGlobs, mustMatch } from './glob.ts';
import { isRecord, ownProperty } from './json.ts';
import { isPlainJson } from './snapshot.ts';

/** The names of all options of a type. A missing name is a compile error. */
export type KnownOptions<OPTIONS> = Readonly<Record<keyof OPTIONS, true>>;

/**
 * Throws `invalid-option` for the first unknown own option and suggests a similar one. Undefined
 * values are accepted. `owner`: the function that takes the options. `ignored`: accepted, and
 * never suggested.
 */
export function checkKnown(
  owner: string,
  options: unknown,
  known: Readonly<Record<string, unknown>>,
  ignored: readonly string[] = [],
): void {
  if (!isRecord(options)) {
    const hint = 'Give an object, or leave it out.';
    throw new ToolfoldError('invalid-option', `The options of ${owner} are no object.`, hint);
  }
  const isUnknown = (key: string) =>
    !Object.hasOwn(known, key) && !ignored.includes(key) && options[key] !== undefined;
  const unknown = Object.keys(options).find(isUnknown);
  if (unknown === undefined) return;
  const names = Object.keys(known).sort();
  const near = mostSimilar(unknown, names);
  throw new ToolfoldError(
    'invalid-option',
    `${owner} has no option "${unknown}".`,
    near === undefined ? `Its options are ${names.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

/** The rule for the value of one option, and what an error says is expected. It applies if the option is given. */
export type OptionCheck = readonly [isFine: (value: unknown) => boolean, expected: string];

/** Throws `invalid-option` for the first option with a value that it cannot have. `path`: what stands before its name. */
export function checkValues(
  path: string,
  options: object,
  checks: Readonly<Record<string, OptionCheck>>,
): void {
  for (const [option, [isFine, expected]] of Object.entries(checks)) {
    const value = ownProperty(options, option);
    if (value !== undefined && !isFine(value)) throw invalidOption(`${path}${option}`, expected);
  }
}

/**
 * The known name that is most similar to an unknown one: the letters differ in one place, by at most
 * a quarter of them, or one name contains the other.
 */
export function mostSimilar(unknown: string, names: readonly string[]): string | undefined {
  const letters = (name: string) =>
    name
      .slice(0, 64)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
  const wanted = letters(unknown);
  let [best, least] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
  for (const name of names) {
    const known = letters(name);
    const [long, short] = known.length > wanted.length ? [known, wanted] : [wanted, known];
    let start = 0;
    while (start < short.length && long[start] === short[start]) start++;
    let end = 0;
    while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end++;
    const other = long.length - start - end;
    const isNear = other <= long.length / 4 || (short.length > 2 && long.includes(short));
    if (isNear && other < least) [best, least] = [name, other];
  }
  return best;
}

/**
 * The options as they are now: later changes of their objects and lists have no effect. Functions, instances of classes,
 * objects that inherit members and objects with symbols stay the same ones, and so do the values of the options in `asGiven`.
 */
export function fixedOptions<T>(options: T, asGiven: readonly string[] = []): T {
  return fixedValue(options, new Map(), asGiven) as T;
}

/** `known`: the copies by what they were made of, because objects may refer to each other. */
function fixedValue(
  value: unknown,
  known: Map<object, unknown>,
  asGiven: readonly string[] = [],
): unknown {
  if (typeof value !== 'object' || value === null || !isPlainJson(value)) return value;
  if (Object.getOwnPropertySymbols(value).length > 0) return value;
  // Whoever checks it has to see what it inherits.
  for (const key in value) if (!Object.hasOwn(value, key)) return value;
  if (known.has(value)) return known.get(value);
  const copy = Array.isArray(value) ? [] : {};
  known.set(value, copy);
  if (Array.isArray(value) && !mustMatch(value)) looseGlobs(copy as string[]);
  for (const key of Object.getOwnPropertyNames(value)) {
    if (key === 'length' && Array.isArray(value)) continue;
    const member = (value as Readonly<Record<string, unknown>>)[key];
    // An assignment would not make a member of `__proto__`.
    Object.defineProperty(copy, key, {
      value: asGiven.includes(key) ? member : fixedValue(member, known),
      writable: true,
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      configurable: true,
    });
  }
  return copy;
}
