import type { Choice, FormField } from '../../tools/tool/index.ts';
import {
  formatNumber,
  isRecord,
  ownProperties,
  ownProperty,
  pick,
} from '../../tools/values/index.ts';
import { fieldProblem } from './field-problem.ts';
import type { Texts } from './texts.ts';

const MAX_FIELDS = 50;
const MAX_SCHEMA = 20_000;
const MAX_NAME = 100;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1000;

/** A schema that is none of a form. The message says why, and may be shown. */
export class FormError extends Error {}

/**
 * The fields of a `requestedSchema`, which is untrusted: only the shapes that the protocol names, and no
 * more than 50 fields and 20,000 characters. Throws `FormError` for anything else. A default that does
 * not fit its field is left out.
 */
export function formFields(schema: unknown, texts: Texts): FormField[] {
  if (!isRecord(schema)) throw new FormError('its form has no schema');
  if ((JSON.stringify(schema) ?? '').length > MAX_SCHEMA)
    throw new FormError(
      `the schema of its form has more than ${formatNumber(MAX_SCHEMA)} characters`,
    );
  checkKeys(schema, ROOT_KEYS, 'its form');
  const { type, properties, required = [] } = ownProperties(schema);
  if (type !== 'object' || !isRecord(properties))
    throw new FormError('its form is no object with properties');
  if (!isTexts(required)) throw new FormError('"required" of its form is no list of names');
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS)
    throw new FormError(`its form has more than ${MAX_FIELDS} fields`);
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    throw new FormError(`its form requires the field ${texts.line(unknown, 60)}, which it has not`);
  return entries.map(([name, value]) => field(name, value, required.includes(name), texts));
}

const ROOT_KEYS = keys('$schema type properties required additionalProperties title description');
const BASIS = 'type title description default';
const KEYS = {
  string: keys(`${BASIS} minLength maxLength format`),
  choice: keys(`${BASIS} enum enumNames oneOf`),
  number: keys(`${BASIS} minimum maximum`),
  boolean: keys(BASIS),
  array: keys(`${BASIS} items minItems maxItems uniqueItems`),
  items: keys('type enum anyOf'),
  titled: keys('const title'),
};

function field(name: string, value: unknown, isRequired: boolean, texts: Texts): FormField {
  const shown = texts.line(name, 60);
  if (name.trim() === '' || name.length > MAX_NAME || texts.line(name, MAX_NAME) !== name.trim())
    throw new FormError(`a field of its form has a name that cannot be shown: "${shown}"`);
  const what = `its field ${shown}`;
  if (!isRecord(value)) throw new FormError(`${what} is no schema`);
  const { default: start, title, description } = ownProperties(value);
  const read = withoutBadDefault(kindOf(value, what, texts), start);
  return {
    name,
    ...(typeof title === 'string' && { title: texts.line(title, MAX_TITLE) }),
    ...(typeof description === 'string' && {
      description: texts.line(description, MAX_DESCRIPTION),
    }),
    ...read,
    isRequired,
  } as FormField;
}

/** The part of a field that depends on its type. */
type Kind = Pick<FormField, 'type'> & Readonly<Record<string, unknown>>;

function kindOf(value: Record<string, unknown>, what: string, texts: Texts): Kind {
  const { type } = value;
  switch (type) {
    case 'string': {
      if (ownProperty(value, 'enum') === undefined && ownProperty(value, 'oneOf') === undefined) {
        checkKeys(value, KEYS.string, what);
        const format = ownProperty(value, 'format');
        if (format !== undefined && !FORMATS.has(format))
          throw new FormError(`${what} has a format that the protocol does not have`);
        return {
          type: 'text',
          ...counts(value, ['minLength', 'maxLength'], what),
          ...pick({ format }, 'format'),
        };
      }
      checkKeys(value, KEYS.choice, what);
      return { type: 'choice', choices: choicesOf(value, 'oneOf', what, texts) };
    }
    case 'number':
    case 'integer':
      checkKeys(value, KEYS.number, what);
      return { type, ...numbers(value, ['minimum', 'maximum'], what) };
    case 'boolean':
      checkKeys(value, KEYS.boolean, what);
      return { type };
    case 'array': {
      checkKeys(value, KEYS.array, what);
      const items = ownProperty(value, 'items');
      if (!isRecord(items)) throw new FormError(`${what} is a list of no choices`);
      checkKeys(items, KEYS.items, what);
      const choices = choicesOf(items, 'anyOf', what, texts);
      return { type: 'choices', choices, ...counts(value, ['minItems', 'maxItems'], what) };
    }
    default:
      throw new FormError(`${what} is no text, number, yes or no, or choice`);
  }
}

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Choices without titles (`enum`, or the older `enumNames` beside it), or with titles. */
function choicesOf(
  value: Record<string, unknown>,
  titled: 'oneOf' | 'anyOf',
  what: string,
  texts: Texts,
): Choice[] {
  const { enum: plain, enumNames: names, [titled]: withTitles } = ownProperties(value);
  if ((plain === undefined) === (withTitles === undefined))
    throw new FormError(`${what} has no choices, or two lists of them`);
  const choices = isTexts(plain)
    ? plain.map((one, at) => [one, isTexts(names) ? (names[at] ?? one) : one] as const)
    : titledChoices(withTitles, what);
  const values = choices.map(([one]) => one);
  if (values.length === 0 || new Set(values).size < values.length)
    throw new FormError(`${what} has no choices, or one of them twice`);
  return choices.map(([one, title]) => ({ value: one, title: texts.line(title, MAX_TITLE) }));
}

function titledChoices(list: unknown, what: string): (readonly [value: string, title: string])[] {
  if (!Array.isArray(list)) throw new FormError(`${what} has choices that are no list of texts`);
  return list.map((one: unknown) => {
    const [value, title] = [ownProperty(one, 'const'), ownProperty(one, 'title')];
    if (!isRecord(one) || typeof value !== 'string' || typeof title !== 'string')
      throw new FormError(`${what} has a choice without a value and a title`);
    checkKeys(one, KEYS.titled, what);
    return [value, title];
  });
}

function withoutBadDefault(kind: Kind, value: unknown): Kind {
  if (value === undefined || value === null) return kind;
  const field = { name: '', isRequired: false, ...kind } as unknown as FormField;
  return fieldProblem(field, value) === undefined ? { ...kind, default: value } : kind;
}

function counts(value: Record<string, unknown>, names: readonly string[], what: string): object {
  const read = numbers(value, names, what);
  for (const count of Object.values(read)) {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new FormError(`${what} has a length that is no whole number of at least 0`);
  }
  return read;
}

function numbers(
  value: Record<string, unknown>,
  names: readonly string[],
  what: string,
): Record<string, number> {
  const read = names.flatMap((name) => {
    const number = ownProperty(value, name);
    if (number === undefined) return [];
    if (typeof number !== 'number') throw new FormError(`${what} has a limit that is no number`);
    return [[name, number] as const];
  });
  return Object.fromEntries(read);
}

function checkKeys(value: object, known: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown === undefined) return;
  throw new FormError(`${what} uses "${unknown.slice(0, 40)}", which forms do not have`);
}

function keys(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
