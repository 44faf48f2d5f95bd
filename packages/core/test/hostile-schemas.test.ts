// test: slow, harm
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CheckableSchema } from '../src/schema/checkable-schema.ts';
import { checkJson } from '../src/schema/json-check.ts';
import { CheckState } from '../src/schema/run.ts';
import type { CheckResult } from '../src/tool/tool.ts';
import type { JsonSchema } from '../src/values/json.ts';

/** As a name of its own, so that no object looks like a promise. */
const THEN = 'then';
/** A budget for tests: the work stops at any. */
const SMALL = 4_000;
/** What one look may cost at most in these tests. */
const LAST = 30_000;

type Value = unknown;
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const record = (count: number, make: (index: number) => Value): Record<string, Value> =>
  Object.fromEntries(list(count, (index) => [`p${index}`, make(index)]));

/** `$defs` of which each asks twice for the next, so that the last one is asked for 2^40 times. */
const doubling = (ask: (next: object) => object) =>
  Object.fromEntries(
    list(40, (i) => [`d${i}`, i === 39 ? { type: 'string' } : ask({ $ref: `#/$defs/d${i + 1}` })]),
  );
const deep = (levels: number, wrap: (inner: object) => object, leaf: object): object =>
  list(levels, () => 0).reduce<object>((inner) => wrap(inner), leaf);

/** A schema that makes work, what stands beside it at the root, and the value that it makes it for. */
interface Way {
  readonly schema: object;
  readonly value: Value;
  readonly beside?: object;
}

const twice = (ask: (next: object) => object, value: Value = 1): Way => ({
  schema: { $ref: '#/$defs/d0' },
  beside: { $defs: doubling(ask) },
  value,
});

const ways: Readonly<Record<string, Way>> = {
  'references by allOf': twice((next) => ({ allOf: [next, next] })),
  'references by anyOf': twice((next) => ({ anyOf: [next, next] })),
  'references by oneOf': twice((next) => ({ oneOf: [next, next] })),
  'references by not': twice((next) => ({ not: next, allOf: [next] })),
  'references by if': twice((next) => ({ if: next, [THEN]: next, else: next })),
  'references by dependentSchemas': twice(
    (next) => ({ dependentSchemas: { a: next }, allOf: [next] }),
    { a: 1 },
  ),
  'references by dependencies': twice((next) => ({ dependencies: { a: next }, allOf: [next] }), {
    a: 1,
  }),
  'references by unevaluatedProperties': twice(
    (next) => ({ allOf: [next], unevaluatedProperties: next }),
    record(5, () => 1),
  ),
  'references to anchors': {
    schema: { $ref: '#n0' },
    beside: {
      $defs: record(40, (i) => ({
        $anchor: `n${i}`,
        ...(i < 39
          ? { allOf: [{ $ref: `#n${i + 1}` }, { $ref: `#n${i + 1}` }] }
          : { type: 'string' }),
      })),
    },
    value: 1,
  },
  'many ids': {
    schema: { anyOf: list(50_000, (i) => ({ $id: `https://x.test/${i}` })), $ref: '#gone' },
    value: 1,
  },
  'many branches for many items': {
    schema: { items: { anyOf: list(2_000, (i) => ({ const: i })) } },
    value: list(2_000, () => 'x'),
  },
  'many branches that say nothing': {
    schema: { items: { anyOf: list(50_000, () => true) } },
    value: list(2_000, () => 'x'),
  },
  'items that are all different': { schema: { uniqueItems: true }, value: list(20_000, (i) => i) },
  'items that are alike at length': {
    schema: { uniqueItems: true },
    value: list(2_000, (i) => ({ x: { y: [i] } })),
  },
  'patterns for many names': {
    schema: { patternProperties: Object.fromEntries(list(500, (i) => [`^p${i}x?$`, {}])) },
    value: record(5_000, () => 1),
  },
  'names against many schemas': {
    schema: { propertyNames: { anyOf: list(1_000, (i) => ({ const: i })) } },
    value: record(2_000, () => 1),
  },
  'contains against many schemas': {
    schema: { contains: { anyOf: list(1_000, (i) => ({ const: i })) } },
    value: list(2_000, () => 'x'),
  },
  'a large enum for many items': {
    schema: { items: { enum: list(100_000, (i) => `value${i}`) } },
    value: list(1_000, () => 'none'),
  },
  'a large enum of objects': {
    schema: { items: { enum: list(20_000, (v) => ({ v })) } },
    value: list(1_000, () => ({ v: -1 })),
  },
  'a large constant': {
    schema: { items: { const: list(20_000, (v) => ({ v })) } },
    value: list(50, () => list(20_000, (v) => ({ v }))),
  },
  'many required names': {
    schema: { items: { required: list(20_000, (i) => `r${i}`) } },
    value: list(1_000, () => ({})),
  },
  'many dependent names': {
    schema: { items: { dependentRequired: { a: list(20_000, (i) => `r${i}`) } } },
    value: list(1_000, () => ({ a: 1 })),
  },
  'many additional properties': {
    schema: { items: { additionalProperties: { anyOf: list(500, () => ({ type: 'null' })) } } },
    value: list(500, () => record(100, () => 1)),
  },
  'many unevaluated items': {
    schema: { allOf: list(500, () => ({ unevaluatedItems: { type: 'string' } })) },
    value: list(5_000, () => 1),
  },
  'errors handed up a chain': {
    schema: deep(350, (inner) => ({ allOf: [inner] }), { items: { type: 'string' } }),
    value: list(20_000, () => 1),
  },
  'lengths of a long text': {
    schema: { allOf: list(2_000, () => ({ maxLength: 5 })) },
    value: 'x'.repeat(300_000),
  },
  'many different patterns': {
    schema: { allOf: list(5_000, (i) => ({ pattern: `^[\\p{L}${i}]+$` })) },
    value: 'a'.repeat(100),
  },
  'a pattern for many texts': {
    schema: { items: { pattern: '^[a-z]+$' } },
    value: list(10_000, () => 'a'.repeat(500)),
  },
  'a pattern with much work for many texts': {
    schema: { items: { pattern: '^a*a*b$' } },
    value: list(1_000, () => 'a'.repeat(900)),
  },
  'patterns with much work for long names': {
    schema: { patternProperties: { 'a*a*b$': {}, '[ab]*a*c$': {} }, additionalProperties: false },
    value: Object.fromEntries(list(500, (i) => [`${'a'.repeat(500)}${i}`, 1])),
  },
  'branches of branches': {
    schema: deep(12, (inner) => ({ anyOf: list(4, () => inner) }), { type: 'string' }),
    value: 1,
  },
  'problems handed up branches': {
    schema: deep(190, (inner) => ({ anyOf: [{ oneOf: [inner] }] }), { items: { type: 'string' } }),
    value: list(20_000, () => 1),
  },
  'one problem many times': {
    schema: { anyOf: list(30_000, () => ({ enum: ['x'.repeat(100)] })) },
    value: 1,
  },
  'problems of members with long names': {
    schema: { additionalProperties: { type: 'string', minLength: 2 } },
    value: Object.fromEntries(list(2_000, (i) => [`${'é/'.repeat(2_000)}${i}`, 1])),
  },
  'evaluated members handed up a chain': {
    schema: deep(300, (inner) => ({ allOf: [inner], unevaluatedProperties: true }), {
      properties: record(90, () => true),
      additionalProperties: true,
    }),
    value: record(5_000, () => 1),
  },
  'evaluated items handed up branches': {
    schema: deep(300, (inner) => ({ anyOf: [inner, inner], unevaluatedItems: { const: 1 } }), {
      contains: { type: 'number' },
    }),
    value: list(5_000, (i) => i),
  },
  'items that contain each other': {
    schema: { uniqueItems: true, contains: { uniqueItems: true }, items: { uniqueItems: true } },
    value: list(300, (i) => list(300, (j) => [i, [j]])),
  },
  'long numbers': {
    schema: { items: { allOf: list(50, () => ({ multipleOf: 1e-300 })) } },
    value: list(5_000, (i) => i * 1e300),
  },
  'many conditions': {
    schema: { items: deep(60, (inner) => ({ if: inner, else: inner }), { type: 'string' }) },
    value: list(100, () => 1),
  },
  'many schemas for a large object': {
    schema: { allOf: list(2_000, () => ({ properties: { a: true }, required: ['p1'] })) },
    value: record(50_000, () => 1),
  },
  'many counts of a large object': {
    schema: {
      allOf: list(2_000, () => ({ minProperties: 1, maxProperties: 9, propertyNames: true })),
    },
    value: record(50_000, () => 1),
  },
  'many searches of a large list': {
    schema: { allOf: list(2_000, () => ({ contains: true, unevaluatedItems: false })) },
    value: list(150_000, () => 1),
  },
  'long texts that are equal at length': {
    schema: { uniqueItems: true },
    value: list(300, (i) => [`${'x'.repeat(5_000)}${i + 1_000}`]),
  },
  'many properties of many schemas': {
    schema: { allOf: list(1_000, () => ({ properties: record(90, () => ({ type: 'null' })) })) },
    value: record(90, () => 1),
  },
};

/** Where such a schema may stand, and the value that brings a check there. */
const places: Readonly<
  Record<string, (schema: object, value: Value) => { schema: object; value: Value }>
> = {
  'a property': (schema, a) => ({ schema: { properties: { a: schema } }, value: { a } }),
  'one of many properties': (schema, a) => ({
    schema: { properties: { ...record(200, () => ({ type: 'number' })), a: schema } },
    value: { a },
  }),
  items: (schema, a) => ({ schema: { properties: { a: { items: schema } } }, value: { a: [a] } }),
  'items by place': (schema, a) => ({
    schema: { properties: { a: { prefixItems: [true, schema] } } },
    value: { a: [1, a] },
  }),
  'additional properties': (schema, a) => ({
    schema: { additionalProperties: schema },
    value: { a },
  }),
  'properties by pattern': (schema, a) => ({
    schema: { patternProperties: { '^a': schema } },
    value: { a },
  }),
  'a branch': (schema, a) => ({
    schema: { properties: { a: { oneOf: [{ const: 0 }, schema] } } },
    value: { a },
  }),
  'a condition': (schema, a) => ({
    schema: { properties: { a: { if: schema, [THEN]: false } } },
    value: { a },
  }),
  'a reference': (schema, a) => ({
    schema: { properties: { a: { $ref: '#/x-own/there' } }, 'x-own': { there: schema } },
    value: { a },
  }),
};

function check(schema: object, value: Value, draft: '7' | '2020-12', budget?: number) {
  const run = new CheckState(budget);
  const found: CheckResult = checkJson(
    new CheckableSchema(schema as JsonSchema, draft),
    value,
    run,
  );
  return { found, spent: run.spent };
}

suite('schemas made to take long', () => {
  for (const [what, way] of Object.entries(ways)) {
    test(`promise 38: ${what} take no more than a check may, wherever they stand`, () => {
      for (const [where, put] of Object.entries(places)) {
        for (const draft of ['2020-12', '7'] as const) {
          const { schema, value } = put(way.schema, way.value);
          const { found, spent } = check({ ...way.beside, ...schema }, value, draft, SMALL);
          // The last thing looked at may cost more than was left.
          assert.ok(spent <= SMALL + LAST, `${where}: ${spent}`);
          assert.ok(found.ok || found.problems.length <= 5, where);
        }
      }
    });
  }

  test('promise 38: what cannot be finished lets the tool judge, and says so', () => {
    const { schema, beside, value } = twice((next) => ({ allOf: [next, next] }));
    const { found } = check({ ...beside, ...schema }, value, '2020-12');
    assert.ok(found.ok);
    assert.match(found.warning ?? '', /takes too long/);
  });

  test('promise 38: what is left out of a schema never makes it refuse what the whole one takes', () => {
    const costly = { pattern: '(a|a)*b' };
    const a = 'b';
    const fine: readonly object[] = [
      { properties: { a: { not: { type: 'string', ...costly, minLength: 9 } } } },
      { properties: { a: { not: costly } } },
      { properties: { a: { oneOf: [costly, { type: 'string' }] } } },
      { properties: { a: { if: costly, [THEN]: { type: 'number' } } } },
      { properties: { a: { not: { anyOf: {} } } } },
      { patternProperties: { '(a|a)*': {} }, additionalProperties: false },
      { allOf: [{ patternProperties: { '(a|a)*': {} } }], unevaluatedProperties: false },
      { properties: { a: { anyOf: [{ not: costly }, { type: 'number' }] } } },
      { dependentSchemas: { a: { properties: { a: { not: costly } } } } },
    ];
    for (const draft of ['2020-12', '7'] as const) {
      for (const schema of fine) {
        const { found } = check(schema, { a }, draft);
        assert.ok(found.ok && found.warning !== undefined, JSON.stringify(schema));
      }
      const both = { properties: { a: { not: costly }, b: { type: 'number' } } };
      const { found } = check(both, { a, b: 'x' }, draft);
      assert.match(found.ok ? '' : found.problems.join(), /^\/b: /);
    }
  });

  test('promise 38: schemas and arguments that contain themselves are checked in part', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { a: schema, b: { type: 'string' } };
    assert.deepEqual(check(schema, { a: { a: { b: 1 } } }, '2020-12').found, {
      ok: false,
      problems: ['/a/a/b: Instance type "number" is invalid. Expected "string".'],
    });
    const branches: Record<string, unknown> = {};
    branches.allOf = [branches, branches];
    assert.match(check(branches, 1, '2020-12').found.warning ?? '', /takes too long/);
    const value: Record<string, unknown> = {};
    value.a = value;
    const deep = { ok: false, problems: ['nested too deeply'] };
    assert.deepEqual(check(schema, value, '2020-12').found, deep);
    const equal: Record<string, unknown> = {};
    equal.a = equal;
    assert.deepEqual(check({ uniqueItems: true }, [value, equal], '2020-12').found, deep);
    assert.deepEqual(check({ const: equal }, value, '2020-12').found, deep);
  });

  test('promise 38: a schema that throws when it is read lets arguments through with a warning', () => {
    const thrown = () => assert.fail('not readable');
    const getter = Object.defineProperty({}, 'type', { get: thrown, enumerable: true });
    const proxy = new Proxy({}, { ownKeys: thrown, get: thrown });
    for (const schema of [getter, { properties: getter }, { properties: { a: proxy } }]) {
      const { found } = check(schema, { a: 1, type: 1 }, '2020-12');
      assert.ok(found.ok && /not readable/.test(found.warning ?? ''), JSON.stringify(found));
    }
  });

  test('promise 37: names from Object.prototype are ordinary names in schemas and arguments', () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
    for (const name of names) {
      const of = (value: unknown) => Object.fromEntries([[name, value]]);
      const fails = (schema: object, value: object) =>
        assert.equal(check(schema, value, '2020-12').found.ok, false, JSON.stringify(schema));
      const passes = (schema: object, value: object) =>
        assert.deepEqual(check(schema, value, '2020-12').found, { ok: true, value });
      for (const many of [{}, record(200, () => true)]) {
        const typed = { properties: { ...many, ...of({ type: 'string' }) } };
        passes(typed, {});
        passes(typed, of('x'));
        fails(typed, of(1));
        passes({ ...typed, additionalProperties: false }, of('x'));
      }
      fails({ required: [name] }, {});
      passes({ required: [name] }, of(1));
      fails({ properties: {}, additionalProperties: false }, of(1));
      fails({ unevaluatedProperties: false }, of(1));
      passes({ unevaluatedProperties: false, properties: of(true) }, of(1));
      fails({ dependentRequired: of(['a']) }, of(1));
      passes({ dependentRequired: of(['a']) }, {});
      fails({ const: of(1) }, {});
      fails({ const: {} }, of(1));
      passes({ const: of([1]) }, of([1]));
    }
  });

  test('large arguments and schemas that are honest are checked', () => {
    const schema = {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^[a-z ]+$' } },
            required: ['id', 'name'],
          },
        },
      },
    };
    const rows = list<{ id: Value; name: string }>(2_000, (id) => ({ id, name: 'a name' }));
    assert.deepEqual(check(schema, { rows }, '2020-12').found.warning, undefined);
    rows.push({ id: 'x', name: 'a name' });
    assert.equal(check(schema, { rows }, '2020-12').found.ok, false);
    const many = { type: 'object', properties: record(50_000, () => ({ type: 'string' })) };
    assert.ok(check(many, { p7: 'x' }, '2020-12').spent < 1_000);
    assert.equal(check(many, { p7: 1 }, '2020-12').found.ok, false);
    assert.equal(check({ ...many, additionalProperties: false }, { q: 1 }, '7').found.ok, false);
  });
});
