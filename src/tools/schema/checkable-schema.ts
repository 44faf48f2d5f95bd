import type { SchemaDraft } from '@cfworker/json-schema';
import { isRecord, type JsonSchema } from '../values/index.ts';
import { BUDGET_SPENT, Meter } from './meter.ts';
import { PatternBook } from './pattern-book.ts';
import type { Steps } from './pattern-steps.ts';
import { FORMS, NAME_MAPS } from './schema-forms.ts';
import { type Place, References } from './schema-references.ts';

/** All that the validator reads of a schema, but `format`: 2020-12 makes that an annotation. */
const KEYWORDS = (
  '$ref type const enum required not anyOf allOf oneOf if then else ' +
  'additionalProperties unevaluatedProperties minProperties maxProperties propertyNames ' +
  'dependentRequired dependentSchemas dependencies prefixItems items additionalItems ' +
  'unevaluatedItems contains minContains maxContains minItems maxItems uniqueItems minimum maximum ' +
  'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength'
).split(' ');
const READ = new Set([...KEYWORDS, 'pattern', 'properties', 'patternProperties', '$recursiveRef']);
const LITERAL = new Set(['enum', 'const', 'required']);

/** Units of work (see `Meter`) of a visit; and what one unit stands for, beside that. */
const VISIT = 2;
const CHARACTERS = 200;
const STEPS = 50;
const LITERAL_CHARACTERS = 256;
const MEMBERS = 2;
/** Exact division of numbers of any size. */
const DIVISION = 4;
/** Making a regular expression, which the validator does for each text anew. */
const EXPRESSION = 5;
/** Schemas visited inside each other: each hands on the errors of those below it. */
const MAX_DEPTH = 400;
/** One pattern gets no more than this, so that one long text does not end the whole check. */
const MAX_MATCH = 20_000;

/** Properties of one schema beyond which they are looked up by name. */
const MANY = 100;

/** Places that are remembered for warnings. */
const MAX_PLACES = 10;

/** What of a schema is not checked, by place. */
export interface Flaws {
  readonly odd: Set<string>;
  readonly costly: Set<string>;
}

/** What the schemas of one tool share. */
export class SchemaReader {
  readonly draft: SchemaDraft;
  readonly flaws: Flaws = { odd: new Set(), costly: new Set() };
  readonly patterns: PatternBook = new PatternBook();
  readonly references: References;
  /** Counts the check under way. */
  meter: Meter = new Meter();
  /** Of the schema visited last: a reference is followed by the one that holds it. */
  depth = 0;
  /** Whether the check under way came to schemas inside too many others. */
  isTooDeep = false;
  /** Whether it came to a schema of which something is left out. */
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

  /** As the validator takes it: a schema becomes a node, one for each depth, with nothing read yet. */
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

  /** What a reference in the schema visited last leads to, by its whole address. */
  find(address: string): unknown {
    if (!this.#found.has(address))
      this.#found.set(address, this.references.find(address, this.meter));
    const place = this.#found.get(address);
    return place && this.at(place, this.depth + 1);
  }
}

/**
 * A schema to validate with, read when a check first comes to it. Each visit counts on the meter of
 * the check: references can lead to one schema any number of times. What has the wrong form is left
 * out, as are patterns that may take too long; OpenAPI's `nullable` is honoured.
 */
export class SchemaNode {
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

  /** The validator asks for it on each visit, and for nothing else that is not there. */
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

  /** Of many properties only those that the arguments name somewhere: the others cannot matter. */
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
    // A check that ended in the midst of this may have counted some members already.
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
    // Limits that another keyword makes exclusive are draft-04's alone.
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

  /** Members by name, as far as they have the right form. */
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

/** About how long the value is as JSON, without writing it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const [key, member] of Object.entries(value)) size += key.length + sizeOf(member);
  return size;
}
