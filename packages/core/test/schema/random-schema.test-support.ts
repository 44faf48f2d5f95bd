import { isRecord, type JsonSchema, listIn } from '../../src/values/json.ts';

/** Random choices that a seed decides (mulberry32). */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  list<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }
}

export const DRAFTS: Readonly<Record<string, string>> = {
  '4': 'http://json-schema.org/draft-04/schema#',
  '7': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

const NAMES = ['a', 'b', 'c', 'ab', '__proto__', 'constructor', 'x y', '~/#%', 'é', 'not'];
const TEXTS = ['', 'a', 'b', 'ab', 'abc', '😀', '😀é', '2020-02-30', 'a@b.c', 'https://x.test/'];
const NUMBERS = [0, 1, 2, 3, -1, 1.5, 0.3, 0.1, 1e21, 1e-7, 2 ** 53, -0];
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const PATTERNS = ['^a', 'b$', '^[a-z]+$', '^\\p{L}*$', 'x|a', '^.{2}$', '(?=a)'];
const FORMATS = ['date', 'email', 'uri', 'uuid', 'ipv4', 'regex', 'unknown'];
const TARGETS = ['#/$defs/first', '#/$defs/second', '#/definitions/third', '#named', 'other.json'];

/** A member with any name, which `__proto__` is too. */
function record<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}

export function randomValue(random: Choices, depth = 3): unknown {
  const kinds = depth > 0 ? 9 : 5;
  const kind = random.below(kinds);
  if (kind === 0) return random.one([true, false, null]);
  if (kind < 3) return random.one(NUMBERS);
  if (kind < 5) return random.one(TEXTS);
  if (kind < 7) return random.list(4, () => randomValue(random, depth - 1));
  return record(random.list(5, () => [random.one(NAMES), randomValue(random, depth - 1)] as const));
}

/** Makes a schema with every keyword of a draft. References lead only to definitions, or into a member. */
export class SchemaMaker {
  readonly #random: Choices;
  readonly #draft: string;

  constructor(random: Choices, draft: string) {
    this.#random = random;
    this.#draft = draft;
  }

  /** A whole schema with its definitions, each of which refers only to later ones. */
  root(): JsonSchema {
    const { $ref: _, ...schema } = this.#record(4, 0);
    const [first, second, third, named, other] = TARGETS.map((_target, at) =>
      this.#record(2, at + 1, true),
    );
    return {
      $schema: DRAFTS[this.#draft],
      $defs: {
        first,
        second,
        named: { ...named, $anchor: 'named' },
        other: { ...other, $id: 'https://schema.invalid/other.json' },
      },
      definitions: { third },
      ...schema,
      ...(this.#random.below(3) === 0 ? { $ref: this.#random.one(TARGETS) } : {}),
      // A draft before 2019-09 reads no anchors, and this library reads them in each.
      $id: 'https://schema.invalid/root.json',
    };
  }

  /** `target` is the first definition that it may refer to. `isWithin`: for the value of another schema. */
  #schema(depth: number, target: number, isWithin: boolean): unknown {
    if (this.#random.below(9) === 0) return this.#random.below(2) === 0;
    return this.#record(depth - 1, target, isWithin);
  }

  #record(depth: number, target: number, isWithin = false): JsonSchema {
    const random = this.#random;
    const makers = this.#makers(Math.max(depth, 0), target, isWithin);
    const keywords = Object.keys(makers);
    const count = 1 + random.below(depth > 0 ? 4 : 2);
    const entries = Array.from({ length: count }, () => {
      const keyword = random.one(keywords);
      return [keyword, makers[keyword]?.()] as const;
    });
    return record(entries.filter(([, value]) => value !== undefined));
  }

  #makers(
    depth: number,
    target: number,
    isWithin: boolean,
  ): Readonly<Record<string, () => unknown>> {
    const random = this.#random;
    const count = () => random.below(4);
    const number = () => random.one(NUMBERS);
    const names = () => random.list(3, () => random.one(NAMES));
    const isOld = this.#draft === '4' || this.#draft === '7';
    const exclusive = () => (this.#draft === '4' ? random.below(2) === 0 : number());
    const plain = {
      type: () =>
        random.below(3) === 0 ? [random.one(TYPES), random.one(TYPES)] : random.one(TYPES),
      enum: () => [...random.list(4, () => randomValue(random, 1)), 'a', 1],
      const: () => randomValue(random, 1),
      minimum: number,
      maximum: number,
      exclusiveMinimum: exclusive,
      exclusiveMaximum: exclusive,
      multipleOf: () => Math.abs(number()) || 1,
      minLength: count,
      maxLength: count,
      pattern: () => random.one(PATTERNS),
      format: () => random.one(FORMATS),
      minItems: count,
      maxItems: count,
      uniqueItems: () => random.below(4) > 0,
      minProperties: count,
      maxProperties: count,
      required: names,
      dependentRequired: () => record(random.list(2, () => [random.one(NAMES), names()] as const)),
      $ref: () => TARGETS[target + random.below(TARGETS.length)],
    };
    if (depth === 0) return plain;
    const member = () => this.#schema(depth, target, false);
    const same = () => this.#schema(depth, target, true);
    const members = () => random.list(3, member);
    const branches = () => [same(), ...random.list(2, same)];
    const byName = (make: () => unknown) => () =>
      record(random.list(3, () => [random.one(NAMES), make()] as const));
    const nested = {
      properties: byName(member),
      patternProperties: () =>
        record(random.list(2, () => [random.one(PATTERNS), member()] as const)),
      additionalProperties: member,
      propertyNames: member,
      items: () => (random.below(3) === 0 ? members() : member()),
      prefixItems: members,
      additionalItems: member,
      contains: member,
      minContains: count,
      maxContains: count,
      dependentSchemas: byName(same),
      allOf: branches,
      anyOf: branches,
      oneOf: branches,
      not: same,
      if: same,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: same,
      else: same,
    };
    // The library does not resolve references below this keyword.
    const alone = () => this.#schema(depth, TARGETS.length, true);
    const dependencies = byName(() => (random.below(2) === 0 ? names() : alone()));
    if (isOld) return { ...plain, ...nested, dependencies };
    // Where the library differs, `differential.test.ts` has cases of their own.
    if (isWithin) return { ...plain, ...nested };
    const unevaluated = { ...plain, ...nested, unevaluatedProperties: member };
    return this.#draft === '2019-09' ? unevaluated : { ...unevaluated, unevaluatedItems: member };
  }
}

/** A value that mostly follows a schema of a tool, as a model would write it, with some mistakes. */
export function randomArguments(random: Choices, schema: unknown, depth = 4): unknown {
  if (!isRecord(schema) || depth === 0 || random.below(12) === 0) return randomValue(random, 1);
  const { enum: values, const: constant, anyOf, oneOf, properties, items } = schema;
  if (constant !== undefined) return constant;
  const one = [values, anyOf, oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(one)) {
    const chosen: unknown = random.one(one);
    return one === values ? chosen : randomArguments(random, chosen, depth);
  }
  const type: unknown = Array.isArray(schema.type) ? random.one(schema.type) : schema.type;
  if (type === 'array') return random.list(3, () => randomArguments(random, items, depth - 1));
  if (type === 'string') return random.one(TEXTS);
  if (type === 'integer' || type === 'number') return random.one(NUMBERS);
  if (type === 'boolean') return true;
  if (!isRecord(properties)) return randomValue(random, 1);
  const required = new Set(listIn(schema, 'required'));
  const names = Object.keys(properties).filter(
    (name) => random.below(10) < (required.has(name) ? 9 : 3),
  );
  return record(
    names.map((name) => [name, randomArguments(random, properties[name], depth - 1)] as const),
  );
}
