import type { SchemaDraft } from '@cfworker/json-schema';
import { isHazardous } from './hazardous-pattern.ts';
import { isRecord, type JsonSchema } from './json.ts';

type Form = (value: unknown) => boolean;

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
const FORMS: ReadonlyMap<string, Form> = new Map(
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
      ['pattern', isPattern],
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

const LITERAL = new Set(['enum', 'const', 'default', 'examples', 'required']);
/** Keywords whose members are names; what stands under each has this form. */
const NAME_MAPS: ReadonlyMap<string, Form> = new Map([
  ['properties', isSchema],
  ['patternProperties', isSchema],
  ['$defs', isSchema],
  ['definitions', isSchema],
  ['dependentSchemas', isSchema],
  ['dependentRequired', list(isText)],
  ['dependencies', either(isSchema, list(isText))],
]);

/**
 * A copy to validate with. `format` is left out, as 2020-12 makes it an annotation; so are patterns
 * that can take exponential time, since a server's pattern must not hang its host; OpenAPI's
 * `nullable` is honoured. What has the wrong form is left out, and its place added to `odd`.
 */
export function checkable(
  schema: JsonSchema,
  draft: SchemaDraft,
  odd: string[],
  path = '',
): JsonSchema {
  const copy = (value: unknown, at: string, places = odd): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => copy(item, `${at}/${i}`, places));
    return isRecord(value) ? checkable(value, draft, places, at) : value;
  };
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(schema)) {
    const at = `${path}/${key}`;
    if (key === 'format' || (key === 'pattern' && isHazardous(member))) continue;
    // Limits that another keyword makes exclusive are draft-04's alone.
    const isFlag = draft === '4' && key.startsWith('exclusive') && typeof member === 'boolean';
    const form = isFlag ? undefined : FORMS.get(key);
    const names = NAME_MAPS.get(key);
    if (form && !form(member)) odd.push(at);
    else if (LITERAL.has(key)) {
      const literal = structuredClone(member);
      const allowsNull = key === 'enum' && schema.nullable === true && Array.isArray(literal);
      entries.push([key, allowsNull ? [...literal, null] : literal]);
    } else if (key === 'type') {
      const allowsNull = schema.nullable === true && typeof member === 'string';
      entries.push([key, allowsNull ? [member, 'null'] : member]);
    } else if (names && isRecord(member)) {
      const isPatterns = key === 'patternProperties';
      const kept = Object.entries(member).filter(([name, value]) => {
        const isFine = names(value) && (!isPatterns || isPattern(name));
        if (!isFine) odd.push(`${at}/${name}`);
        return isFine && !(isPatterns && isHazardous(name));
      });
      entries.push([
        key,
        Object.fromEntries(kept.map(([name, value]) => [name, copy(value, `${at}/${name}`)])),
      ]);
    }
    // Members of unknown keywords may be referred to; whether they are schemas nobody knows.
    else entries.push([key, copy(member, at, form ? odd : [])]);
  }
  return Object.fromEntries(entries);
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
