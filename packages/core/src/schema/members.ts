import { isRecord, type JsonSchema } from '../values/index.ts';
import type { Flaw, Matcher, PatternBook } from './patterns.ts';
import type { SchemaLocation } from './references.ts';
import type { CheckState, Spot, Validator } from './run.ts';

type ValueTest = (value: unknown) => boolean;

const TYPES = new Set<unknown>('string number integer boolean object array null'.split(' '));
const isSchema: ValueTest = (value) => isRecord(value) || typeof value === 'boolean';
const isText: ValueTest = (value) => typeof value === 'string';
const isNumber: ValueTest = (value) => typeof value === 'number';
const isAnything: ValueTest = () => true;
const list =
  (isItem: ValueTest, least = 0): ValueTest =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isItem);
const either =
  (...forms: ValueTest[]): ValueTest =>
  (value) =>
    forms.some((form) => form(value));
const isType: ValueTest = (value) => TYPES.has(value);

/** The keywords that are checked, of all drafts of JSON Schema, with the forms of their values. */
const FORMS: ReadonlyMap<string, ValueTest> = new Map(
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
    ] as [string, ValueTest][]
  ).flatMap(([keywords, form]) => keywords.split(' ').map((keyword) => [keyword, form] as const)),
);

/** Keywords whose members are names, with the form of the value under each name. */
const NAME_MAPS: ReadonlyMap<string, ValueTest> = new Map([
  ['properties', isSchema],
  ['patternProperties', isSchema],
  ['dependentSchemas', isSchema],
  ['dependentRequired', list(isText)],
  ['dependencies', either(isSchema, list(isText))],
]);

export type Draft = '4' | '7' | '2019-09' | '2020-12';

/** The work to read a schema, and a keyword or a member of it. */
const SCHEMA = 2;
const READ = 0.3;
/** With more properties than this, a schema looks them up by name. */
const MANY = 100;

/** What the schemas of one tool share. */
export interface SchemaContext {
  readonly draft: Draft;
  readonly patterns: PatternBook;
  /** Remembers a place in the schema that is not checked, for the warning. */
  leaveOut(why: Flaw, at: string, run: CheckState): void;
  visitOf(place: SchemaLocation): Validator;
  /** What a reference at a place leads to. Throws if that is nothing in this schema. */
  target(reference: string, place: SchemaLocation, run: CheckState): Validator;
}

/** The schemas of properties by name, and the names if they are few. */
interface Properties {
  readonly names?: readonly string[];
  readonly visitOf: (name: string, run: CheckState) => Validator | undefined;
}

/** Does a part of the check of a value. `since` counts the members evaluated before this schema. */
export type Rule<Value> = (value: Value, spot: Spot, since: number) => void;

/** Creates the rule of a keyword; undefined if the schema does not have it. */
export type Make<Value> = (members: SchemaKeywords) => Rule<Value> | undefined;

/** The keywords of one schema, without malformed ones and without patterns that may take too long. */
export class SchemaKeywords {
  readonly shared: SchemaContext;
  /** Whether parts of the schema are left out. */
  isPartial = false;
  readonly #place: SchemaLocation;
  #kept = new Map<string, unknown>();

  constructor(shared: SchemaContext, place: SchemaLocation, source: JsonSchema, run: CheckState) {
    this.shared = shared;
    this.#place = place;
    run.spend(SCHEMA);
    for (const [keyword, value] of Object.entries(source)) this.#read(keyword, value, run);
    if (source.nullable === true) this.#allowNull();
    const isOld = shared.draft === '4' || shared.draft === '7';
    const $ref = this.#kept.get('$ref');
    // Up to draft-07, the keywords beside a reference have no effect.
    if (isOld && $ref !== undefined) this.#kept = new Map([['$ref', $ref]]);
  }

  value(keyword: string): unknown {
    return this.#kept.get(keyword);
  }

  number(keyword: string): number | undefined {
    const value = this.#kept.get(keyword);
    return typeof value === 'number' ? value : undefined;
  }

  list(keyword: string): readonly unknown[] | undefined {
    const value = this.#kept.get(keyword);
    return Array.isArray(value) ? value : undefined;
  }

  schema(keyword: string): Validator | undefined {
    const value = this.#kept.get(keyword);
    return value === undefined || Array.isArray(value) ? undefined : this.child(value, keyword);
  }

  schemas(keyword: string): readonly Validator[] | undefined {
    return this.list(keyword)?.map((member, index) => this.child(member, `${keyword}/${index}`));
  }

  /** The members of a keyword that are names: no other form of these keywords is kept. */
  named(keyword: string): Readonly<Record<string, unknown>> | undefined {
    return this.#kept.get(keyword) as Readonly<Record<string, unknown>> | undefined;
  }

  /** The schemas of properties. With many, only names that occur in the arguments are looked up. */
  properties(): Properties | undefined {
    const properties = this.named('properties');
    if (!properties) return;
    const names = Object.keys(properties);
    const visits = new Map<string, Validator>();
    const visitOf = (name: string, run: CheckState) => {
      const known = visits.get(name);
      if (known || !Object.hasOwn(properties, name)) return known;
      const at = `properties/${name}`;
      if (!isSchema(properties[name])) return this.#leaveOut('odd', at, run);
      const visit = this.child(properties[name], at);
      visits.set(name, visit);
      return visit;
    };
    return names.length > MANY ? { visitOf } : { names, visitOf };
  }

  child(source: unknown, at: string): Validator {
    return this.shared.visitOf(this.#place.within(source, at));
  }

  /** The schema that `$ref` leads to, by its first use. */
  target(reference: string, run: CheckState): Validator {
    return this.shared.target(reference, this.#place, run);
  }

  /** How to match a pattern that was kept. */
  matcher(pattern: string, at: string): Matcher {
    let matches: Matcher | Flaw | undefined;
    return (text, run) => {
      matches ??= this.shared.patterns.assess(pattern, run);
      const isMatch = typeof matches === 'function' ? matches(text, run) : undefined;
      if (isMatch === undefined) this.shared.leaveOut('costly', `${this.#place.at}/${at}`, run);
      return isMatch;
    };
  }

  #read(keyword: string, value: unknown, run: CheckState): void {
    run.spend(READ);
    const form = FORMS.get(keyword);
    if (!form || value === undefined) return;
    if (Array.isArray(value)) run.spend(READ * value.length);
    // Draft-04 has flags there that make other limits exclusive.
    const isFlag = keyword.startsWith('exclusive') && this.shared.draft === '4';
    if (isFlag ? typeof value !== 'boolean' : !form(value)) {
      this.#leaveOut('odd', keyword, run);
      return;
    }
    if (keyword === 'pattern' && !this.#isPattern(String(value), keyword, run)) return;
    const isMap = NAME_MAPS.has(keyword) && isRecord(value);
    this.#kept.set(keyword, isMap ? this.#namesIn(keyword, value, run) : value);
  }

  /** The names whose values have the right form. Many properties are judged when they are looked up. */
  #namesIn(keyword: string, value: Readonly<Record<string, unknown>>, run: CheckState): unknown {
    const isFine = NAME_MAPS.get(keyword);
    const names = Object.keys(value);
    if (keyword === 'properties' && names.length > MANY) return value;
    run.spend(READ * names.length);
    const kept = Object.entries(value).filter(([name, member]) => {
      const at = `${keyword}/${name}`;
      if (!isFine?.(member)) this.#leaveOut('odd', at, run);
      else return keyword !== 'patternProperties' || this.#isPattern(name, at, run);
      return false;
    });
    return Object.fromEntries(kept);
  }

  /** Supports `nullable` of OpenAPI. */
  #allowNull(): void {
    const type = this.#kept.get('type');
    if (typeof type === 'string') this.#kept.set('type', [type, 'null']);
    const values = this.list('enum');
    if (values) this.#kept.set('enum', [...values, null]);
  }

  #isPattern(pattern: string, at: string, run: CheckState): boolean {
    const assessed = this.shared.patterns.assess(pattern, run);
    if (typeof assessed === 'string') this.#leaveOut(assessed, at, run);
    return typeof assessed === 'function';
  }

  #leaveOut(why: Flaw, at: string, run: CheckState): undefined {
    this.isPartial = true;
    this.shared.leaveOut(why, `${this.#place.at}/${at}`, run);
  }
}
