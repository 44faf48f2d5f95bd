import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import type { InputSchema } from '../tool/tool.ts';
import { checkArguments } from './check.ts';

function check(inputSchema: unknown, value: unknown) {
  return checkArguments({ name: 't', inputSchema: inputSchema as InputSchema }, value);
}

const tree = {
  type: 'object',
  properties: { children: { type: 'array', items: { $ref: '#' } } },
  additionalProperties: false,
};
const address = {
  type: 'object',
  properties: { street: { type: 'string' } },
  required: ['street'],
};
const draft07 = 'http://json-schema.org/draft-07/schema#';
const enum10k = Array.from({ length: 10_000 }, (_, i) => `value_${i}`);
const one = (schema: object) => ({ type: 'object', properties: { a: schema } });

const cases: readonly (readonly [string, object, good: unknown, bad: unknown])[] = [
  ['no dialect', { type: 'object', required: ['a'] }, { a: 1 }, {}],
  [
    'draft-07 with a list of items',
    { $schema: draft07, ...one({ items: [{ type: 'string' }], additionalItems: false }) },
    { a: ['x'] },
    { a: ['x', 1] },
  ],
  [
    'draft-07, where $ref stands alone',
    {
      $schema: draft07,
      definitions: { b: { type: 'number' } },
      ...one({ $ref: '#/definitions/b', type: 'string' }),
    },
    { a: 1 },
    { a: 'x' },
  ],
  [
    '2020-12 with prefixItems',
    one({ prefixItems: [{ type: 'string' }], items: false }),
    { a: ['x'] },
    { a: ['x', 1] },
  ],
  [
    '2020-12, where $ref has company',
    { $defs: { b: { type: 'number' } }, ...one({ $ref: '#/$defs/b', minimum: 3 }) },
    { a: 3 },
    { a: 2 },
  ],
  [
    'draft-04, where a limit may be exclusive',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...one({ minimum: 3, exclusiveMinimum: true }),
    },
    { a: 4 },
    { a: 3 },
  ],
  [
    '$defs by $ref',
    { $defs: { address }, ...one({ $ref: '#/$defs/address' }) },
    { a: { street: 's' } },
    { a: {} },
  ],
  ['recursion', tree, { children: [{ children: [] }] }, { children: [{ other: 1 }] }],
  ['a list of types', one({ type: ['string', 'null'] }), { a: null }, { a: 1 }],
  ['anyOf', one({ anyOf: [{ type: 'string' }, { type: 'number' }] }), { a: 1 }, { a: true }],
  ['oneOf with const', one({ oneOf: [{ const: 1 }, { const: 2 }] }), { a: 2 }, { a: 3 }],
  ['a huge enum', one({ enum: enum10k }), { a: 'value_9999' }, { a: 'value_10000' }],
  ["OpenAPI's nullable", one({ type: 'string', nullable: true }), { a: null }, { a: 1 }],
  [
    "OpenAPI's nullable with an enum",
    one({ type: 'string', enum: ['x'], nullable: true }),
    { a: null },
    { a: 'y' },
  ],
  [
    'a parameter called nullable or pattern',
    { type: 'object', properties: { pattern: { type: 'string' }, nullable: { type: 'boolean' } } },
    { pattern: 'x' },
    { pattern: 1 },
  ],
  [
    'patternProperties',
    { type: 'object', patternProperties: { '^x_': { type: 'number' } } },
    { x_a: 1 },
    { x_a: 'y' },
  ],
  ['a pattern', one({ type: 'string', pattern: '^[a-z]+$' }), { a: 'abc' }, { a: 'A' }],
];

suite('checking arguments', () => {
  for (const [what, schema, good, bad] of cases) {
    test(`promise 38: ${what}`, async () => {
      const before = JSON.stringify(schema);
      assert.deepEqual(await check(schema, good), { ok: true, value: good });
      const refused = await check(schema, bad);
      assert.ok(!refused.ok);
      assert.ok(refused.problems.length > 0 && refused.problems.length <= 5);
      assert.ok(
        refused.problems.every((problem) => problem.length <= 200 && problem.startsWith('/')),
      );
      assert.equal(JSON.stringify(schema), before);
    });
  }

  test('names each mistake and its place', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'number' } } } },
    };
    const result = await check(schema, { a: { b: 'x' } });
    assert.match(result.ok ? '' : result.problems.join('\n'), /^\/a\/b: .*number/m);
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ['a reference that leads nowhere', one({ $ref: '#/$defs/gone' })],
    ['a broken pattern', one({ pattern: '(' })],
    ['properties that are a list', { type: 'object', properties: ['a'] }],
    ['required that is no list', { type: 'object', required: 7 }],
    ['anyOf that is no list', one({ anyOf: {} })],
    ['null where schemas stand', { type: 'object', properties: { a: null } }],
    ['a type nobody knows', one({ type: 'strnig' })],
    ['no schema at all', null],
    ['a list', [1]],
  ];
  for (const [what, schema] of malformed) {
    test(`promise 38: ${what} throws nothing`, async () => {
      const result = await check(schema, { a: 'x' });
      assert.equal(typeof result.ok, 'boolean');
    });
  }

  test('promise 38: an unusable schema lets arguments through with a warning', async () => {
    for (const schema of [one({ $ref: '#/$defs/gone' }), one({ pattern: '(' })]) {
      const result = await check(schema, { a: 'x' });
      assert.ok(result.ok && result.warning !== undefined, JSON.stringify(schema));
    }
  });

  const oddSchemas: readonly (readonly [odd: object, places: string, bad: unknown])[] = [
    [{ type: 'objekt' }, '/type', undefined],
    [{ type: ['string', 'int'] }, '/type', undefined],
    [one({ type: 'int' }), '/properties/a/type', undefined],
    [{ ...one({ type: 'string' }), required: 'x' }, '/required', { a: 1 }],
    [one({ type: 'string', required: true }), '/properties/a/required', { a: 1 }],
    [{ type: 'object', properties: [] }, '/properties', 1],
    [{ properties: { b: null, a: { type: 'string' } } }, '/properties/b', { a: 1 }],
    [one({ type: 'string', enum: 'a' }), '/properties/a/enum', { a: 1 }],
    [one({ enum: [] }), '/properties/a/enum', undefined],
    [one({ items: 5 }), '/properties/a/items', undefined],
    [one({ anyOf: {} }), '/properties/a/anyOf', undefined],
    [one({ anyOf: [] }), '/properties/a/anyOf', undefined],
    [one({ not: 'x' }), '/properties/a/not', undefined],
    [
      one({ pattern: '(', maxLength: '1' }),
      '/properties/a/pattern, /properties/a/maxLength',
      undefined,
    ],
    [{ patternProperties: { '(': false } }, '/patternProperties/(', undefined],
    [
      one({ exclusiveMinimum: true, minimum: 'y' }),
      '/properties/a/exclusiveMinimum, /properties/a/minimum',
      undefined,
    ],
    [one({ multipleOf: 0 }), '/properties/a/multipleOf', undefined],
    [{ $ref: 7, dependentRequired: { a: 'b' } }, '/$ref, /dependentRequired/a', undefined],
  ];
  for (const [schema, places, bad] of oddSchemas) {
    test(`promise 38: malformed parts are left out with a warning, and the rest is checked: ${JSON.stringify(schema)}`, async () => {
      const warning = `parts of the schema are malformed and not checked: ${places}`;
      for (const value of [{ a: 'a' }, { a: 'a', b: 1 }])
        assert.deepEqual(await check(schema, value), { ok: true, value, warning });
      if (bad === undefined) return;
      const refused = await check(schema, bad);
      assert.deepEqual([refused.ok, refused.warning], [false, warning]);
    });
  }

  test('promise 38: a schema that refers only to itself lets arguments through with a warning', async () => {
    const circle = {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    };
    for (const schema of [{ $ref: '#' }, circle, one({ allOf: [{ $ref: '#/properties/a' }] })]) {
      const result = await check(schema, { a: 1 });
      assert.ok(result.ok && result.warning !== undefined, JSON.stringify(result));
    }
  });

  test('promise 38: members of unknown keywords are not checked', async () => {
    const result = await check({ 'x-ui': { type: 'slider', required: 1 } }, { a: 1 });
    assert.deepEqual(result, { ok: true, value: { a: 1 } });
  });

  test('promise 38: an external reference is never fetched', async (t) => {
    t.mock.method(globalThis, 'fetch', () => assert.fail('something was fetched'));
    for (const $ref of [
      'https://example.com/s.json',
      'http://127.0.0.1:1/s.json#/a',
      'file:///etc/hosts',
      'other.json',
    ]) {
      const result = await check(one({ $ref }), { a: 1 });
      assert.ok(result.ok && result.warning !== undefined);
    }
    assert.ok(
      (
        await check(
          { $schema: 'https://example.com/dialect', ...one({ type: 'number' }) },
          { a: 1 },
        )
      ).ok,
    );
  });

  test("promise 38: a server's pattern cannot hang its host", async () => {
    const bomb = '(a|a)*(b+)+$';
    const text = `${'a'.repeat(40)}!`;
    assert.ok((await check(one({ pattern: bomb }), { a: text })).ok);
    assert.ok(
      (await check({ patternProperties: { [bomb]: { type: 'string' } } }, { [text]: 1 })).ok,
    );
  });

  test('promise 37: properties called constructor and toString are checked like others', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"constructor":{"type":"number"},"toString":{"type":"number"}},"required":["constructor"]}',
    );
    assert.ok((await check(schema, { constructor: 1 })).ok);
    assert.ok(!(await check(schema, {})).ok);
    assert.ok(!(await check(schema, { constructor: 1, toString: 'x' })).ok);
  });

  test('arguments nested deeper than the stack are a problem of the arguments', async () => {
    let deep: unknown = {};
    for (let i = 0; i < 20_000; i++) deep = { children: [deep] };
    const result = await check(tree, deep);
    assert.deepEqual(result, { ok: false, problems: ['nested too deeply'] });
  });
});

suite('Standard Schemas', () => {
  const schemas: readonly (readonly [string, unknown])[] = [
    ['zod', z.object({ title: z.string(), count: z.number().default(1) })],
    [
      'valibot',
      toStandardJsonSchema(v.object({ title: v.string(), count: v.optional(v.number(), 1) })),
    ],
    ['arktype', type({ title: 'string', count: 'number = 1' })],
  ];
  for (const [vendor, schema] of schemas) {
    test(`promise 38: ${vendor} checks, says where, and may change the value`, async () => {
      assert.deepEqual(await check(schema, { title: 'x' }), {
        ok: true,
        value: { title: 'x', count: 1 },
      });
      const refused = await check(schema, { title: 7 });
      assert.match(refused.ok ? '' : refused.problems.join(), /^\/title: /);
    });
  }

  test('a check of the app that throws is a problem, not an exception', async () => {
    const schema = z.object({ day: z.string().transform((day) => new Date(day).toISOString()) });
    const result = await check(schema, { day: 'never' });
    assert.match(result.ok ? '' : result.problems.join(), /Invalid time value/);
  });
});
