import { ownProperty } from '../../tools/values/index.ts';

/** The reason why an entry is unusable. `readServerEntry` returns it as an `unusable` server. */
export class EntryProblem extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** The problem of a value of the wrong type. It does not show the value, which may be secret. */
export function wrong(what: string, expected: string, found: unknown): EntryProblem {
  const kind = Array.isArray(found) ? 'a list' : found === null ? 'null' : `a ${typeof found}`;
  const isBlank = typeof found === 'string' && found.trim() === '';
  const words = isBlank ? 'empty' : kind === 'a object' ? 'an object' : kind;
  return new EntryProblem(`${what} should be ${expected} but is ${words}`, `Correct ${what}.`);
}

/**
 * The value of a key that `isRight` accepts; `undefined` without one. Throws `EntryProblem` for another
 * value. `place`: the key as messages name it.
 */
export function valueIn<T>(
  entry: Record<string, unknown>,
  key: string,
  [expected, isRight]: Expected<T>,
  place: string = key,
): T | undefined {
  const value = ownProperty(entry, key);
  if (value === undefined || isRight(value)) return value;
  throw wrong(`"${place}"`, expected, value);
}

/** What a value should be, in words and as a check. */
export type Expected<T> = readonly [words: string, isRight: (value: unknown) => value is T];

export const STRING: Expected<string> = ['a string', (value) => typeof value === 'string'];

/** The texts of a list; none without one. */
export function textsIn(
  entry: Record<string, unknown>,
  key: string,
  place: string = key,
): readonly string[] {
  const list = valueIn(entry, key, ['a list of strings', (value) => Array.isArray(value)], place);
  return (list ?? []).map((item: unknown, index) => {
    if (typeof item !== 'string') throw wrong(`"${place}[${index}]"`, 'a string', item);
    return item;
  });
}
