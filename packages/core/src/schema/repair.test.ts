import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import type { JsonSchema } from '../values/json.ts';
import { assessArguments, checkArguments } from './check.ts';
import { toJsonSchema } from './schema.ts';

async function read(inputSchema: object, value: unknown, mayDrop = true): Promise<unknown> {
  const tool = { name: 't', inputSchema: inputSchema as JsonSchema };
  const parameters = toJsonSchema('t', tool.inputSchema);
  const accepted = await assessArguments(tool, parameters, value, mayDrop);
  return accepted.check.ok ? accepted.input : 'refused';
}

const inputSchema = {
  type: 'object',
  required: ['q'],
  properties: {
    q: { type: 'string' },
    n: { type: 'integer' },
    price: { type: 'number' },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    body: { type: 'object', properties: { n: { type: 'integer' } } },
    either: { anyOf: [{ type: 'array' }, { type: 'string' }, { type: 'null' }] },
    count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    filter: { $ref: '#/$defs/filter' },
    numbers: { type: 'object', additionalProperties: { type: 'number' } },
    text: { type: 'string' },
  },
  $defs: {
    filter: {
      allOf: [
        { type: 'object', properties: { limit: { type: 'integer' }, by: { type: 'string' } } },
      ],
    },
  },
};

const repaired: readonly (readonly [string, object, object])[] = [
  ['null for an optional number', { n: null }, {}],
  ['an empty text for an optional choice', { mode: '' }, {}],
  ['an empty text for an optional list', { tags: '' }, {}],
  ['a list as JSON text', { tags: '["a","b"]' }, { tags: ['a', 'b'] }],
  ['an object as JSON text', { body: ' {"a":1}' }, { body: { a: 1 } }],
  ['digits for an integer', { n: '3' }, { n: 3 }],
  ['a negative fraction', { price: '-0.5' }, { price: -0.5 }],
  ['digits where null is allowed too', { count: '3' }, { count: 3 }],
  ['digits in a list', { ids: ['1', 2] }, { ids: [1, 2] }],
  ['digits inside JSON text', { body: '{"n":"3"}' }, { body: { n: 3 } }],
  ['nested behind a reference', { filter: { limit: '3', by: null } }, { filter: { limit: 3 } }],
  ['digits under any name', { numbers: { a: '1' } }, { numbers: { a: 1 } }],
  ['several at once', { n: null, tags: '[]', price: '2' }, { tags: [], price: 2 }],
];

const asWritten: readonly (readonly [string, object])[] = [
  ['null where null is allowed', { either: null }],
  ['JSON text where text is allowed', { either: '["a"]' }],
  ['JSON text where only text is allowed', { text: '["a"]' }],
  ['a list where list or text is allowed', { either: ['a'] }],
  ['digits where text is allowed', { text: '3' }],
  ['an empty text where text is allowed', { text: '' }],
];

const refused: readonly (readonly [string, object])[] = [
  ['null for a required field', { q: null }],
  ['null as an item', { tags: [null] }],
  ['null under any name', { numbers: { a: null } }],
  ['a fraction for an integer', { n: '3.5' }],
  ['digits with leading zeros', { n: '007' }],
  ['digits with a sign', { n: '+3' }],
  ['digits with an exponent', { price: '1e3' }],
  ['digits with zeros behind', { price: '1.0' }],
  ['digits that a number cannot hold', { n: '12345678901234567890' }],
  ['digits with space', { n: ' 3' }],
  ['words for a number', { price: 'Infinity' }],
  ['text that is no JSON', { tags: '[a, b]' }],
  ['one text for a list', { tags: 'a' }],
  ['JSON of another type', { tags: '{"a":1}' }],
  ['a choice that there is not', { mode: 'medium' }],
  ['one repair that helps and one that does not', { n: '3', mode: 'medium' }],
];

suite('arguments that are repaired', () => {
  for (const [what, given, want] of repaired)
    test(`${what} has one meaning`, async () => {
      assert.deepEqual(await read(inputSchema, { q: 'x', ...given }), { q: 'x', ...want });
    });
  for (const [what, given] of asWritten)
    test(`${what} stays`, async () => {
      assert.deepEqual(await read(inputSchema, { q: 'x', ...given }), { q: 'x', ...given });
    });
  for (const [what, given] of refused)
    test(`${what} is refused`, async () => {
      assert.equal(await read(inputSchema, { q: 'x', ...given }), 'refused');
    });

  test('nothing is left out unless that is allowed, at any depth', async () => {
    for (const given of [
      { n: null },
      { mode: '' },
      { filter: { by: null } },
      { body: '{"n":null}' },
    ])
      assert.equal(await read(inputSchema, { q: 'x', ...given }, false), 'refused');
  });

  test('JSON text with a key twice has no one reading', async () => {
    for (const body of ['{"n":1,"n":2}', '{"n":1,"\\u006e":2}', '{"a":[{"b":1,"b":1}],"n":1}'])
      assert.equal(await read(inputSchema, { q: 'a', body }), 'refused', body);
    for (const body of ['{"n":1,"a":{"n":2}}', '{"n":1,"a":[{"n":1},{"n":"n\\":"}]}'])
      assert.deepEqual(await read(inputSchema, { q: 'a', body }), {
        q: 'a',
        body: JSON.parse(body),
      });
  });

  test('of more readings than are followed, none is chosen: the last one may be valid too', async () => {
    const number = { type: 'number' };
    const names = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
    const branchOf = (name: string) => ({ properties: { [name]: number } });
    const schema = {
      anyOf: names.map(branchOf),
      // The readings of the first branch and of the last one are valid.
      not: { anyOf: names.slice(1, -1).map(branchOf) },
    };
    const given = Object.fromEntries(names.map((name) => [name, '1']));
    assert.equal(await read(schema, given), 'refused');
    const ofFirst = { anyOf: [branchOf('p0')], not: schema.not };
    assert.deepEqual(await read(ofFirst, given), { ...given, p0: 1 });
  });

  test('two valid readings are none', async () => {
    const number = { type: 'integer' };
    const schema = {
      type: 'object',
      anyOf: [{ properties: { a: number } }, { properties: { a: { type: 'string' }, b: number } }],
    };
    assert.equal(await read(schema, { a: '3', b: '4' }), 'refused');
    assert.deepEqual(await read(schema, { a: 3, b: '4' }), { a: 3, b: '4' });
  });

  test('a schema of another library decides about the repaired arguments', async () => {
    const schema = z.object({ n: z.number().optional(), list: z.array(z.string()).default([]) });
    assert.deepEqual(await read(schema, { n: '3', list: '["a"]' }), { n: 3, list: ['a'] });
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'odd') });
    assert.equal(await read(even, { n: '3' }), 'refused');
  });

  test('a name that means something to JavaScript is a name', async () => {
    const schema = { type: 'object', additionalProperties: { type: 'integer' } };
    const value: unknown = JSON.parse('{"__proto__":"3","constructor":"4"}');
    const accepted = await read(schema, value);
    assert.equal(JSON.stringify(accepted), '{"__proto__":3,"constructor":4}');
  });

  test('the work is bounded', async () => {
    const tree = { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }] };
    const nested = (leaf: unknown, levels: number): unknown =>
      levels === 0 ? leaf : [nested(leaf, levels - 1), 1];
    assert.deepEqual(await read(tree, nested('3', 10)), nested(3, 10));
    assert.equal(await read(tree, nested('3', 300)), 'refused');
    const number = { type: 'integer' };
    const wide = Array.from({ length: 60 }, (_, at) => ({
      properties: { n: number, [`m${at}`]: number },
    }));
    const many = Object.fromEntries(wide.map((_, at) => [`m${at}`, String(at)]));
    assert.equal(await read({ anyOf: wide, allOf: wide }, { n: 'x', ...many }), 'refused');
  });

  const leaf = fc.constantFrom<JsonSchema>(
    { type: 'integer' },
    { type: 'string' },
    { type: 'array', items: { type: 'integer' } },
    { type: 'object', properties: { a: { type: 'integer' } } },
    { anyOf: [{ type: 'integer' }, { type: 'array' }] },
    { type: ['integer', 'null'] },
    { enum: [1, 2, 'a'] },
  );
  const damaged = fc.oneof(
    fc.constantFrom<unknown>(null, '', '3', '007', '[1]', '["1"]', '{"a":"1"}', 'x', 3, [1], {
      a: 1,
    }),
    fc.jsonValue({ maxDepth: 2 }),
  );

  test('what is accepted is valid, what is valid is not changed, and a repair is stable', async () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const schemas = fc.record({
      properties: fc.dictionary(names, leaf),
      required: fc.uniqueArray(names),
    });
    await fc.assert(
      fc.asyncProperty(
        schemas,
        fc.dictionary(names, damaged, { noNullPrototype: true }),
        fc.boolean(),
        async (schema, value, mayDrop) => {
          const before = JSON.stringify(value);
          const tool = { name: 't', inputSchema: { type: 'object', ...schema } };
          const wasValid = (await checkArguments(tool, value)).ok;
          const accepted = await assessArguments(tool, tool.inputSchema, value, mayDrop);
          assert.equal(JSON.stringify(value), before);
          if (!accepted.check.ok) return assert.equal(wasValid, false);
          assert.ok((await checkArguments(tool, accepted.input)).ok);
          assert.equal(accepted.changes.length > 0, !wasValid);
          if (wasValid) assert.equal(accepted.input, value);
          if (!mayDrop) assert.deepEqual(Object.keys(accepted.input as object), Object.keys(value));
        },
      ),
      { numRuns: 500 },
    );
  });
});
