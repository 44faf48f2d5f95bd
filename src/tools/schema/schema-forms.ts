import { isRecord } from '../values/index.ts';

export type Form = (value: unknown) => boolean;

const TYPES = new Set<unknown>('string number integer boolean object array null'.split(' '));
const isSchema: Form = (value) => isRecord(value) || typeof value === 'boolean';
const isText: Form = (value) => typeof value === 'string';
const isNumber: Form = (value) => typeof value === 'number';
const list =
  (isItem: Form, least = 0): Form =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isItem);
const either =
  (...forms: Form[]): Form =>
  (value) =>
    forms.some((form) => form(value));

/** The forms of the keywords that the validator reads (JSON Schema 2020-12 and older drafts). */
export const FORMS: ReadonlyMap<string, Form> = new Map(
  (
    [
      [
        'type',
        either(
          (value) => TYPES.has(value),
          list((item) => TYPES.has(item), 1),
        ),
      ],
      ['enum', list(() => true, 1)],
      ['required', list(isText)],
      ['$ref $id id', isText],
      ['pattern', isText],
      ['items', either(isSchema, list(isSchema))],
      ['prefixItems', list(isSchema)],
      ['anyOf allOf oneOf', list(isSchema, 1)],
      ['properties patternProperties $defs definitions', isRecord],
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
  ['$defs', isSchema],
  ['definitions', isSchema],
  ['dependentSchemas', isSchema],
  ['dependentRequired', list(isText)],
  ['dependencies', either(isSchema, list(isText))],
]);
