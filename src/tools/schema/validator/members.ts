import { isRecord, type JsonSchema } from '../../values/index.ts';
import type { Pattern, PatternBook } from './pattern-book.ts';
import type { Run, Spot, Visit } from './run.ts';
import { FORMS, isSchema, NAME_MAPS } from './schema-forms.ts';
import type { Place } from './schema-references.ts';

export type Draft = '4' | '7' | '2019-09' | '2020-12';

/** The work to read a schema, and a keyword or a member of it. */
const SCHEMA = 2;
const READ = 0.3;
/** The size of a literal that is one unit of work. */
const LITERAL_CHARACTERS = 256;
/** With more properties than this, a schema looks them up by name. */
const MANY = 100;

/** What the schemas of one tool share. */
export interface Shared {
  readonly draft: Draft;
  readonly patterns: PatternBook;
  /** Remembers a place in the schema that is not checked, for the warning. */
  leaveOut(why: 'odd' | 'costly', at: string, run: Run): void;
  visitOf(place: Place): Visit;
  /** What a reference at a place leads to. Throws if that is nothing in this schema. */
  target(reference: string, place: Place, run: Run): Visit;
}

/** The schemas of properties by name, and the names if they are few. */
export interface Properties {
  readonly names?: readonly string[];
  readonly visitOf: (name: string, run: Run) => Visit | undefined;
}

/** Does a part of the check of a value. `since` counts the members evaluated before this schema. */
export type Rule<Value> = (value: Value, spot: Spot, since: number) => void;

/** Creates the rule of a keyword; undefined if the schema does not have it. */
export type Make<Value> = (members: Members) => Rule<Value> | undefined;

/** The keywords of one schema, without malformed ones and without patterns that may take too long. */
export class Members {
  readonly shared: Shared;
  /** Whether parts of the schema are left out. */
  isPartial = false;
  readonly #place: Place;
  readonly #kept = new Map<string, unknown>();
  readonly #patterns = new Map<string, Pattern>();

  constructor(shared: Shared, place: Place, source: JsonSchema, run: Run) {
    this.shared = shared;
    this.#place = place;
    run.spend(SCHEMA);
    for (const [keyword, value] of Object.entries(source)) this.#read(keyword, value, run);
    if (source.nullable === true) this.#allowNull();
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

  schema(keyword: string): Visit | undefined {
    const value = this.#kept.get(keyword);
    return value === undefined || Array.isArray(value) ? undefined : this.child(value, keyword);
  }

  schemas(keyword: string): readonly Visit[] | undefined {
    return this.list(keyword)?.map((member, index) => this.child(member, `${keyword}/${index}`));
  }

  /** The members of a keyword that are names. */
  named(keyword: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.#kept.get(keyword);
    return isRecord(value) ? value : undefined;
  }

  /** The schemas of properties. With many, only names that occur in the arguments are looked up. */
  properties(): Properties | undefined {
    const properties = this.named('properties');
    if (!properties) return;
    const names = Object.keys(properties);
    const visits = new Map<string, Visit>();
    const visitOf = (name: string, run: Run) => {
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

  child(source: unknown, at: string): Visit {
    return this.shared.visitOf(this.#place.within(source, `${this.#place.at}/${at}`));
  }

  /** The schema that `$ref` leads to, by its first use. */
  target(reference: string, run: Run): Visit {
    return this.shared.target(reference, this.#place, run);
  }

  /** A pattern that was kept, as a function: undefined if a match may take too long. */
  matcher(source: string, at: string): (text: string, run: Run) => boolean | undefined {
    const pattern = this.#patterns.get(source);
    return (text, run) => {
      const isMatch = pattern?.matches(text, run);
      if (isMatch === undefined) this.shared.leaveOut('costly', `${this.#place.at}/${at}`, run);
      return isMatch;
    };
  }

  #read(keyword: string, value: unknown, run: Run): void {
    run.spend(READ);
    const form = FORMS.get(keyword);
    if (!form || value === undefined) return;
    if (keyword === 'enum' || keyword === 'const' || keyword === 'required')
      run.spend(sizeOf(value) / LITERAL_CHARACTERS);
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
  #namesIn(keyword: string, value: Readonly<Record<string, unknown>>, run: Run): unknown {
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

  #isPattern(pattern: string, at: string, run: Run): boolean {
    const assessed = this.shared.patterns.assess(pattern, run);
    if (typeof assessed === 'object') this.#patterns.set(pattern, assessed);
    else this.#leaveOut(assessed === 'broken' ? 'odd' : 'costly', at, run);
    return typeof assessed === 'object';
  }

  #leaveOut(why: 'odd' | 'costly', at: string, run: Run): undefined {
    this.isPartial = true;
    this.shared.leaveOut(why, `${this.#place.at}/${at}`, run);
  }
}

/** The approximate length of the value as JSON, computed without serializing it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const [key, member] of Object.entries(value)) size += key.length + sizeOf(member);
  return size;
}
