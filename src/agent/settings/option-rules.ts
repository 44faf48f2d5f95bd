import { invalidOption, ToolfoldError } from '../../errors.ts';
import { nearNames } from '../../tools/near/index.ts';
import { isRecord } from '../../tools/values/index.ts';

/** What an option must be. Throws `invalid-option` with its name, and never its value: that may be secret. */
export type OptionRule = (option: string, value: unknown) => void;

/** What `isFine` says no to is refused, with what was expected instead. */
export function rule(expected: string, isFine: (value: unknown) => boolean): OptionRule {
  return (option, value) => {
    if (!isFine(value)) refuse(option, expected);
  };
}

/** A whole number from `least` to `most`; `note` says what else there is to know. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
  note = '',
): OptionRule {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return rule(
    `a whole number ${range}${note}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  );
}

/** An object with these keys and no others; what is left out, or undefined, is fine. */
export function objectOf(rules: Readonly<Record<string, OptionRule>>): OptionRule {
  const keys = Object.keys(rules);
  const shape = rule(`an object; its keys are ${keys.join(', ')}`, isRecord);
  return (option, value) => {
    shape(option, value);
    if (!isRecord(value)) return;
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined) refuseKey(option, unknown, keys);
    for (const [key, check] of Object.entries(rules)) {
      if (value[key] !== undefined) check(`${option}.${key}`, value[key]);
    }
  };
}

/** Throws `invalid-option` for the value of an option. */
export function refuse(option: string, expected: string): never {
  throw invalidOption(option, expected);
}

function refuseKey(option: string, key: string, keys: readonly string[]): never {
  const [near] = nearNames(key, keys, 1);
  const known = `The keys of "${option}" are ${keys.join(', ')}.`;
  throw new ToolfoldError(
    'invalid-option',
    `There is no option "${option}.${key}".`,
    near === undefined ? known : `Did you mean "${near}"? ${known}`,
  );
}
