import type { FormField, FormProblem } from '@toolfold/core/internal/tools/tool';
import { formatNumber, isRecord, ownProperty } from '@toolfold/core/internal/tools/values';

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

type Field<T extends FormField['type']> = Extract<FormField, { type: T }>;

function textProblem(value: string, field: Field<'text'>): string | undefined {
  if (value.length > MAX_TEXT) return `it must have at most ${formatNumber(MAX_TEXT)} characters`;
  const length = [...value].length;
  const { minLength = 0, maxLength = MAX_TEXT, format } = field;
  if (field.isRequired && length === 0) return 'it is required';
  if (length < minLength) return `it must have at least ${formatNumber(minLength)} characters`;
  if (length > maxLength) return `it must have at most ${formatNumber(maxLength)} characters`;
  return format === undefined || isOfFormat(value, format) ? undefined : FORMATS[format];
}

const FORMATS: Readonly<Record<NonNullable<Field<'text'>['format']>, string>> = {
  email: 'it must be an email address',
  uri: 'it must be an address such as https://example.org',
  date: 'it must be a date such as 2026-07-28',
  'date-time': 'it must be a time such as 2026-07-28T09:30:00Z',
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function isOfFormat(value: string, format: keyof typeof FORMATS): boolean {
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

function numberProblem(value: unknown, field: Field<'number' | 'integer'>): string | undefined {
  const { type, minimum, maximum } = field;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'it must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'it must be a whole number';
  if (minimum !== undefined && value < minimum) return `it must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `it must be at most ${maximum}`;
  return;
}

function choicesProblem(value: unknown, field: Field<'choices'>): string | undefined {
  const { choices, isRequired, minItems = isRequired ? 1 : 0, maxItems = choices.length } = field;
  if (!Array.isArray(value) || !value.every((one) => isChoice(choices, one)))
    return 'each must be one of the choices';
  if (new Set(value).size < value.length) return 'each choice may be there once';
  if (value.length < minItems) return `choose at least ${formatNumber(minItems)}`;
  if (value.length > maxItems) return `choose at most ${formatNumber(maxItems)}`;
  return;
}

function isChoice(choices: Field<'choice'>['choices'], value: unknown): boolean {
  return choices.some((choice) => choice.value === value);
}
