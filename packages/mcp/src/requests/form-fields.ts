import * as z from '@toolfold/config/internal/schemas.ts';
import type { Choice, FormField, FormProblem } from '@toolfold/core/internal/tool';
import {
  formatNumber,
  isRecord,
  ownProperties,
  ownProperty,
  pick,
} from '@toolfold/core/internal/values';
import type { SafeTexts } from './calls-in-flight.ts';

const MAX_FIELDS = 50;
const MAX_SCHEMA = 20_000;
const MAX_NAME = 100;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1000;

/** A schema that is none of a form. The message says why, and may be shown. */
export class FormError extends Error {}

/** An object with these keys and no others. `error`: what another value is. */
function only<S extends z.core.$ZodShape>(shape: S, error = 'is no schema'): z.ZodMiniObject<S> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `uses "${issue.keys[0]?.slice(0, 40)}", which forms do not have`
        : error,
  });
}

const NO_LENGTH = 'has a length that is no whole number of at least 0';
const NO_LIST = 'has choices that are no list of texts';
const NO_TITLE = 'has a choice without a value and a title';

const unread = z.optional(z.unknown());
const limit = z.optional(z.number('has a limit that is no number'));
const length = z.pipe(limit, z.optional(z.int(NO_LENGTH).check(z.minimum(0, NO_LENGTH))));
const plain = z.optional(z.array(z.string(NO_LIST), NO_LIST));
const titled = z.optional(
  z.array(only({ const: z.string(NO_TITLE), title: z.string(NO_TITLE) }, NO_TITLE), NO_LIST),
);
const basis = { type: unread, title: unread, description: unread, default: unread };
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
const NO_FORMAT = 'has a format that the protocol does not have';

const KINDS = {
  text: only({
    ...{ ...basis, minLength: length, maxLength: length },
    format: z.optional(z.enum(FORMATS, NO_FORMAT)),
  }),
  choice: only({ ...basis, enum: plain, enumNames: unread, oneOf: titled }),
  number: only({ ...basis, minimum: limit, maximum: limit }),
  boolean: only(basis),
  choices: only({
    ...{ ...basis, minItems: length, maxItems: length, uniqueItems: unread },
    items: only({ type: unread, enum: plain, anyOf: titled }, 'is a list of no choices'),
  }),
};

const form = only(
  {
    ...{ ...basis, $schema: unread, additionalProperties: unread },
    type: z.literal('object', 'is no object with properties'),
    properties: z.custom<Record<string, unknown>>(isRecord, 'is no object with properties'),
    required: z.optional(z.array(z.string())),
  },
  'has no schema',
);

/**
 * The fields of a `requestedSchema`, which is untrusted: only the shapes that the protocol names, and no
 * more than 50 fields and 20,000 characters. Throws `FormError` for anything else. A default that does
 * not fit its field is left out.
 */
export function formFields(schema: unknown, texts: SafeTexts): FormField[] {
  if ((JSON.stringify(schema) ?? '').length > MAX_SCHEMA)
    throw new FormError(
      `the schema of its form has more than ${formatNumber(MAX_SCHEMA)} characters`,
    );
  const { properties, required = [] } = read(form, schema, 'its form');
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS)
    throw new FormError(`its form has more than ${MAX_FIELDS} fields`);
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    throw new FormError(`its form requires the field ${texts.line(unknown, 60)}, which it has not`);
  return entries.map(([name, value]) => field(name, value, required.includes(name), texts));
}

function read<T>(schema: z.ZodMiniType<T>, value: unknown, what: string): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  if (issue?.path[0] === 'required')
    throw new FormError('"required" of its form is no list of names');
  throw new FormError(`${what} ${issue?.message}`);
}

function field(name: string, value: unknown, isRequired: boolean, texts: SafeTexts): FormField {
  const shown = texts.line(name, 60);
  if (name.trim() === '' || name.length > MAX_NAME || texts.line(name, MAX_NAME) !== name.trim())
    throw new FormError(`a field of its form has a name that cannot be shown: "${shown}"`);
  const what = `its field ${shown}`;
  if (!isRecord(value)) throw new FormError(`${what} is no schema`);
  const { default: start, title, description } = ownProperties(value);
  const kind = { name, isRequired, ...kindOf(value, what, texts) } as FormField;
  const isSet = start !== undefined && start !== null;
  const isRight = isSet && fieldProblem({ ...kind, isRequired: false }, start) === undefined;
  return {
    ...kind,
    ...(isRight && { default: start }),
    ...(typeof title === 'string' && { title: texts.line(title, MAX_TITLE) }),
    ...(typeof description === 'string' && {
      description: texts.line(description, MAX_DESCRIPTION),
    }),
  } as FormField;
}

function kindOf(value: Readonly<Record<string, unknown>>, what: string, texts: SafeTexts): object {
  const { type, ...others } = ownProperties(value);
  switch (type) {
    case 'string': {
      if (others.enum === undefined && others.oneOf === undefined) {
        const text = read(KINDS.text, value, what);
        return { ...pick(text, 'minLength', 'maxLength', 'format'), type: 'text' };
      }
      const { enum: values, enumNames, oneOf } = read(KINDS.choice, value, what);
      return { type: 'choice', choices: choicesOf(values, enumNames, oneOf, what, texts) };
    }
    case 'number':
    case 'integer':
      return { type, ...pick(read(KINDS.number, value, what), 'minimum', 'maximum') };
    case 'boolean':
      read(KINDS.boolean, value, what);
      return { type };
    case 'array': {
      const { items, ...limits } = read(KINDS.choices, value, what);
      const choices = choicesOf(items.enum, undefined, items.anyOf, what, texts);
      return { type: 'choices', choices, ...pick(limits, 'minItems', 'maxItems') };
    }
    default:
      throw new FormError(`${what} is no text, number, yes or no, or choice`);
  }
}

/** Choices without titles, or with the older `enumNames` beside them, or with titles. */
function choicesOf(
  values: readonly string[] | undefined,
  names: unknown,
  withTitles: readonly { readonly const: string; readonly title: string }[] | undefined,
  what: string,
  texts: SafeTexts,
): Choice[] {
  if ((values === undefined) === (withTitles === undefined))
    throw new FormError(`${what} has no choices, or two lists of them`);
  const titles = Array.isArray(names) && names.every((one) => typeof one === 'string') ? names : [];
  const choices =
    values?.map((value, at) => ({ value, title: titles[at] ?? value })) ??
    (withTitles ?? []).map((one) => ({ value: one.const, title: one.title }));
  if (choices.length === 0 || new Set(choices.map(({ value }) => value)).size < choices.length)
    throw new FormError(`${what} has no choices, or one of them twice`);
  return choices.map(({ value, title }) => ({ value, title: texts.line(title, MAX_TITLE) }));
}

const MAX_TEXT = 20_000;

/** Why an answer does not fit a form. Empty if it fits. */
export function formProblems(fields: readonly FormField[], content: unknown): FormProblem[] {
  if (!isRecord(content)) return [{ field: '', problem: 'there are no values' }];
  const problems = fields.flatMap((field) => {
    const problem = fieldProblem(field, ownProperty(content, field.name));
    return problem === undefined ? [] : [{ field: field.name, problem }];
  });
  const unknown = Object.keys(content).filter((key) => fields.every(({ name }) => name !== key));
  return [...problems, ...unknown.map((field) => ({ field, problem: 'there is no such field' }))];
}

/** Why a value does not fit a field; `undefined` if it fits. A missing value is `undefined`. */
export function fieldProblem(field: FormField, value: unknown): string | undefined {
  if (value === undefined) return field.isRequired ? 'it is required' : undefined;
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(value, field) : 'it must be a text';
    case 'number':
    case 'integer':
      return numberProblem(value, field);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'it must be yes or no';
    case 'choice':
      return isChoice(field.choices, value) ? undefined : 'it must be one of the choices';
    case 'choices':
      return choicesProblem(value, field);
  }
}

type FieldOfType<T extends FormField['type']> = Extract<FormField, { type: T }>;

function textProblem(value: string, field: FieldOfType<'text'>): string | undefined {
  if (value.length > MAX_TEXT) return `it must have at most ${formatNumber(MAX_TEXT)} characters`;
  const length = [...value].length;
  const { minLength = 0, maxLength = MAX_TEXT, format } = field;
  if (field.isRequired && length === 0) return 'it is required';
  if (length < minLength) return `it must have at least ${formatNumber(minLength)} characters`;
  if (length > maxLength) return `it must have at most ${formatNumber(maxLength)} characters`;
  return format === undefined || isOfFormat(value, format) ? undefined : FORMAT_PROBLEMS[format];
}

const FORMAT_PROBLEMS: Readonly<Record<NonNullable<FieldOfType<'text'>['format']>, string>> = {
  email: 'it must be an email address',
  uri: 'it must be an address such as https://example.org',
  date: 'it must be a date such as 2026-07-28',
  'date-time': 'it must be a time such as 2026-07-28T09:30:00Z',
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function isOfFormat(value: string, format: keyof typeof FORMAT_PROBLEMS): boolean {
  switch (format) {
    case 'email':
      return value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return URL.canParse(value) && !/\s/.test(value);
    case 'date':
      return DATE.test(value) && isDay(value);
    case 'date-time':
      return TIME.test(value) && isDay(value) && !Number.isNaN(Date.parse(value.toUpperCase()));
  }
}

/** Whether the day exists. `Date` accepts the 30th of February. */
function isDay(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function numberProblem(
  value: unknown,
  field: FieldOfType<'number' | 'integer'>,
): string | undefined {
  const { type, minimum, maximum } = field;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'it must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'it must be a whole number';
  if (minimum !== undefined && value < minimum) return `it must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `it must be at most ${maximum}`;
  return;
}

function choicesProblem(value: unknown, field: FieldOfType<'choices'>): string | undefined {
  const { choices, isRequired, minItems = isRequired ? 1 : 0, maxItems = choices.length } = field;
  if (!Array.isArray(value) || !value.every((one) => isChoice(choices, one)))
    return 'each must be one of the choices';
  if (new Set(value).size < value.length) return 'each choice may be there once';
  if (value.length < minItems) return `choose at least ${formatNumber(minItems)}`;
  if (value.length > maxItems) return `choose at most ${formatNumber(maxItems)}`;
  return;
}

function isChoice(choices: FieldOfType<'choice'>['choices'], value: unknown): boolean {
  return choices.some((choice) => choice.value === value);
}
