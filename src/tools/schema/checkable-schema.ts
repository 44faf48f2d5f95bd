import type { SchemaDraft } from '@cfworker/json-schema';
import { isRecord, type JsonSchema } from '../values/index.ts';
import { BUDGET_SPENT, Meter } from './meter.ts';
import { PatternBook } from './pattern-book.ts';
import type { Steps } from './pattern-steps.ts';
import { FORMS, NAME_MAPS } from './schema-forms.ts';
import { type Place, References } from './schema-references.ts';

/** All keywords that the validator reads, except `format`, which is an annotation in 2020-12. */
const KEYWORDS = (
  '$ref type const enum required not anyOf allOf oneOf if then else ' +
  'additionalProperties unevaluatedProperties minProperties maxProperties propertyNames ' +
  'dependentRequired dependentSchemas dependencies prefixItems items additionalItems ' +
  'unevaluatedItems contains minContains maxContains minItems maxItems uniqueItems minimum maximum ' +
  'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength'
).split(' ');
const READ = new Set([...KEYWORDS, 'pattern', 'properties', 'patternProperties', '$recursiveRef']);
const LITERAL = new Set(['enum', 'const', 'required']);

/** Units of work (see `Meter`) of a visit. The other constants say how much work is one unit. */
const VISIT = 2;
const CHARACTERS = 200;
const STEPS = 50;
const LITERAL_CHARACTERS = 256;
const MEMBERS = 2;
/** The work of an exact division of numbers of any size. */
const DIVISION = 4;
/** The work to create a regular expression. The validator does this again for each text. */
const EXPRESSION = 5;
/** The maximum depth of nested schemas: each one passes on the errors of those below it. */
const MAX_DEPTH = 400;
/** The limit of work for one pattern, so that one long text does not end the whole check. */
const MAX_MATCH = 20_000;

/** With more properties than this, a schema looks them up by name. */
const MANY = 100;

/** The maximum number of places that are kept for warnings. */
const MAX_PLACES = 10;

/** The places in a schema that are not checked. */
export interface Flaws {
  readonly odd: Set<string>;
  readonly costly: Set<string>;
}

/** The state shared by all schemas of one tool. */
export class SchemaReader {
  readonly draft: SchemaDraft;
  readonly flaws: Flaws = { odd: new Set(), costly: new Set() };
  readonly patterns: PatternBook = new PatternBook();
  readonly references: References;
  /** Counts the work of the current check. */
  meter: Meter = new Meter();
  /** The depth of the last visited schema, which is the one that contains the reference to follow. */
  depth = 0;
  /** Whether the current check reached a schema that is nested too deeply. */
  isTooDeep = false;
  /** Whether the current check reached a schema with parts left out. */
  isPartial = false;
  readonly #nodes = new WeakMap<object, SchemaNode[]>();
  readonly #found = new Map<string, Place | undefined>();

  constructor(schema: JsonSchema, draft: SchemaDraft) {
    this.draft = draft;
    this.references = new References(schema);
  }

  begin(meter: Meter): void {
    this.meter = meter;
    this.depth = 0;
    this.isTooDeep = false;
    this.isPartial = false;
  }

  /** Converts a value for the validator: a schema becomes one node for each depth, and is read later. */
  at(place: Place, depth: number): unknown {
    const { source } = place;
    if (!isRecord(source)) return source;
    if (depth > MAX_DEPTH) {
      this.isTooDeep = true;
      throw BUDGET_SPENT;
    }
    const nodes = this.#nodes.get(source) ?? [];
    this.#nodes.set(source, nodes);
    nodes[depth] ??= new SchemaNode(this, place, source, depth);
    return nodes[depth];
  }

  /** The target of a reference in the last visited schema, by its full address. */
  find(address: string): unknown {
    if (!this.#found.has(address))
      this.#found.set(address, this.references.find(address, this.meter));
    const place = this.#found.get(address);
    return place && this.at(place, this.depth + 1);
  }
}

/**
 * A schema for the validator, read when a check first reaches it. The meter of the check counts each
 * visit, because references can lead to one schema any number of times. Malformed parts and patterns
 * that may take too long are left out. OpenAPI's `nullable` is supported.
 */
class SchemaNode {
  readonly #reader: SchemaReader;
  readonly #place: Place;
  readonly #source: JsonSchema;
  readonly #depth: number;
  #members: ReadonlyMap<string, unknown> | undefined;
  readonly #patterns = new Map<string, Steps>();
  #weight = VISIT;
  #hasMany = false;
  #isPartial = false;

  constructor(reader: SchemaReader, place: Place, source: JsonSchema, depth: number) {
    this.#reader = reader;
    this.#place = place;
    this.#source = source;
    this.#depth = depth;
  }

  /** Counts a visit: the validator reads this member once on each visit. */
  get format(): undefined {
    const members = this.#read();
    const { meter } = this.#reader;
    const measures = members.has('minLength') || members.has('maxLength');
    this.#reader.depth = this.#depth;
    if (this.#isPartial) this.#reader.isPartial = true;
    meter.visit(this.#depth, this.#weight + (measures ? meter.reach / CHARACTERS : 0));
    return undefined;
  }

  get pattern(): string | undefined {
    const pattern = this.#read().get('pattern');
    if (typeof pattern !== 'string') return undefined;
    return this.#canMatch(pattern, this.#reader.meter.reach, 1) ? pattern : undefined;
  }

  /** If there are many properties, only those whose names occur in the arguments. The others have no effect. */
  get properties(): unknown {
    const properties = this.#read().get('properties');
    if (!isRecord(properties) || !this.#hasMany) return properties;
    const { meter } = this.#reader;
    meter.spend(meter.names.size / MEMBERS);
    const names = [...meter.names].filter((name) => Object.hasOwn(properties, name));
    const named = names.map((name) => [name, properties[name]] as const);
    return this.#children('properties', Object.fromEntries(named));
  }

  get patternProperties(): unknown {
    const patterns = this.#read().get('patternProperties');
    if (!isRecord(patterns)) return undefined;
    const { meter } = this.#reader;
    const names = Object.entries(patterns);
    return Object.fromEntries(
      names.filter(([name]) => this.#canMatch(name, meter.longestName, meter.mostNames)),
    );
  }

  get __absolute_ref__(): string | undefined {
    return this.#addressIn('$ref');
  }

  member(keyword: string): unknown {
    return this.#read().get(keyword);
  }

  #addressIn(keyword: string): string | undefined {
    const reference = this.#read().get(keyword);
    if (typeof reference !== 'string') return;
    return this.#reader.references.addressOf(reference, this.#place);
  }

  #canMatch(pattern: string, length: number, texts: number): boolean {
    const steps = this.#patterns.get(pattern)?.(length) ?? Infinity;
    const units = EXPRESSION + (steps * texts) / STEPS;
    const isFine = units <= MAX_MATCH && this.#reader.meter.afford(units);
    if (!isFine) this.#leaveOut('costly', `${this.#place.at}/pattern`);
    return isFine;
  }

  #read(): ReadonlyMap<string, unknown> {
    if (this.#members) return this.#members;
    // A check that ended during this loop may have counted some members already.
    this.#weight = VISIT;
    const entries = Object.entries(this.#source).filter(([key]) => READ.has(key));
    const members = new Map<string, unknown>();
    for (const [key, value] of entries) {
      const member = this.#memberOf(key, value, `${this.#place.at}/${key}`);
      if (member !== undefined) members.set(key, member);
    }
    // 2019-09: the schema itself, unless another one extends it.
    if (members.has('$recursiveRef') && !members.has('$ref')) members.set('$ref', '#');
    this.#members = members;
    return members;
  }

  #memberOf(key: string, value: unknown, at: string): unknown {
    const { draft } = this.#reader;
    // Only draft-04 has limits that another keyword makes exclusive.
    const isFlag = draft === '4' && key.startsWith('exclusive') && typeof value === 'boolean';
    const form = isFlag ? undefined : FORMS.get(key);
    if (form && !form(value)) {
      this.#leaveOut('odd', at);
      return;
    }
    const allowsNull = this.#source.nullable === true;
    if (key === 'multipleOf') this.#weight += DIVISION;
    if (LITERAL.has(key)) {
      this.#weight += sizeOf(value) / LITERAL_CHARACTERS;
      return key === 'enum' && allowsNull && Array.isArray(value) ? [...value, null] : value;
    }
    if (key === 'type') return allowsNull && typeof value === 'string' ? [value, 'null'] : value;
    if (key === 'pattern') return this.#keepPattern(String(value), at) ? value : undefined;
    if (Array.isArray(value)) {
      this.#weigh(value.length);
      return value.map((item, index) => this.#child(item, `${at}/${index}`));
    }
    if (!NAME_MAPS.has(key) || !isRecord(value)) return this.#child(value, at);
    this.#hasMany = key === 'properties' && Object.keys(value).length > MANY;
    if (this.#hasMany) return value;
    this.#weigh(Object.keys(value).length);
    return this.#children(key, value);
  }

  /** The members with the right form, by name. */
  #children(key: string, members: Readonly<Record<string, unknown>>): unknown {
    const at = `${this.#place.at}/${key}`;
    const isFine = NAME_MAPS.get(key) ?? (() => true);
    const kept: [string, unknown][] = [];
    for (const [name, member] of Object.entries(members)) {
      const place = `${at}/${name}`;
      if (!isFine(member)) this.#leaveOut('odd', place);
      else if (key !== 'patternProperties' || this.#keepPattern(name, place))
        kept.push([name, this.#child(member, place)]);
    }
    return Object.fromEntries(kept);
  }

  #child(source: unknown, at: string): unknown {
    return this.#reader.at(this.#place.within(source, at), this.#depth + 1);
  }

  #weigh(members: number): void {
    this.#weight += members / MEMBERS;
    this.#reader.meter.spend(members / MEMBERS);
  }

  #leaveOut(why: keyof Flaws, place: string): void {
    this.#isPartial = true;
    this.#reader.isPartial = true;
    const places = this.#reader.flaws[why];
    if (places.size < MAX_PLACES) places.add(place);
  }

  #keepPattern(pattern: string, at: string): boolean {
    const { patterns } = this.#reader;
    const assessed = patterns.assess(pattern, this.#reader.meter);
    if (assessed.kind === 'fine') this.#patterns.set(pattern, assessed.steps);
    else this.#leaveOut(assessed.kind === 'broken' ? 'odd' : 'costly', at);
    return assessed.kind === 'fine';
  }
}

for (const keyword of KEYWORDS) {
  Object.defineProperty(SchemaNode.prototype, keyword, {
    get(this: SchemaNode) {
      return this.member(keyword);
    },
  });
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
