import { isRecord } from '../../values/index.ts';

export type Form = (value: unknown) => boolean;

const TYPES = new Set<unknown>('string number integer boolean object array null'.split(' '));
export const isSchema: Form = (value) => isRecord(value) || typeof value === 'boolean';
const isText: Form = (value) => typeof value === 'string';
const isNumber: Form = (value) => typeof value === 'number';
const isAnything: Form = () => true;
const list =
  (isItem: Form, least = 0): Form =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isItem);
const either =
  (...forms: Form[]): Form =>
  (value) =>
    forms.some((form) => form(value));
const isType: Form = (value) => TYPES.has(value);

/** The keywords that are checked, of all drafts of JSON Schema, with the forms of their values. */
export const FORMS: ReadonlyMap<string, Form> = new Map(
  (
    [
      ['type', either(isType, list(isType, 1))],
      ['enum', list(isAnything, 1)],
      ['const uniqueItems $recursiveRef', isAnything],
      ['required', list(isText)],
      ['$ref pattern', isText],
      ['items', either(isSchema, list(isSchema))],
      ['prefixItems', list(isSchema)],
      ['anyOf allOf oneOf', list(isSchema, 1)],
      ['properties patternProperties', isRecord],
      ['dependentSchemas dependentRequired dependencies', isRecord],
      ['not if then else contains propertyNames additionalItems', isSchema],
      ['additionalProperties unevaluatedItems unevaluatedProperties', isSchema],
      ['minimum maximum minLength maxLength minItems maxItems', isNumber],
      ['minProperties maxProperties minContains maxContains', isNumber],
      ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
      ['exclusiveMinimum exclusiveMaximum', isNumber],
    ] as [string, Form][]
  ).flatMap(([keywords, form]) => keywords.split(' ').map((keyword) => [keyword, form] as const)),
);

/** Keywords whose members are names, with the form of the value under each name. */
export const NAME_MAPS: ReadonlyMap<string, Form> = new Map([
  ['properties', isSchema],
  ['patternProperties', isSchema],
  ['dependentSchemas', isSchema],
  ['dependentRequired', list(isText)],
  ['dependencies', either(isSchema, list(isText))],
]);
