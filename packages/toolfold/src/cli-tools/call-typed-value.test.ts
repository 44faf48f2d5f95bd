import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readPairs, typedValue } from './call-arguments.ts';

const root = {
  $defs: { count: { type: 'integer' }, loop: { $ref: '#/$defs/loop' }, 'a/b': { type: 'boolean' } },
};

suite('typedValue', () => {
  const cases: readonly (readonly [object | undefined, string, unknown])[] = [
    [{ type: 'string' }, '5', '5'],
    [{ type: 'number' }, '-2.5e3', -2500],
    [{ type: 'number' }, '0x10', '0x10'],
    [{ type: 'integer' }, 'five', 'five'],
    [{ type: 'integer' }, '"5"', '"5"'],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'yes', 'yes'],
    [{ type: 'null' }, 'null', null],
    [{ type: 'object' }, '{"a":[1]}', { a: [1] }],
    [{ type: 'object' }, '{a}', '{a}'],
    [{ type: 'array' }, '[1,"x"]', [1, 'x']],
    [{ type: ['string', 'null'] }, 'null', 'null'],
    [{ type: ['integer', 'null'] }, 'null', null],
    [{ enum: ['1', '2'] }, '1', '1'],
    [{ enum: [1, 2] }, '1', 1],
    [{ const: true }, 'true', true],
    [{ $ref: '#/$defs/count' }, '7', 7],
    [{ $ref: '#/$defs/a~1b' }, 'false', false],
    [{ $ref: '#/$defs/loop' }, '7', 7],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, '7', '7'],
    [{ anyOf: [{ type: 'integer' }, {}] }, 'x', 'x'],
    [{}, '7', 7],
    [undefined, 'seven', 'seven'],
    [{ type: 'mystery' }, '7', 7],
  ];
  for (const [schema, text, expected] of cases) {
    test(`${text} for ${JSON.stringify(schema)}`, () =>
      assert.deepEqual(typedValue(text, schema, root), expected));
  }
});

test('readPairs: names like any other, lists by item or as JSON', () => {
  const items = { type: 'integer' };
  const schema = { properties: { ids: { type: 'array', items }, text: { type: 'string' } } };
  const read = (...pairs: string[]): unknown => readPairs(pairs, schema);
  assert.deepEqual(read('ids=1', 'ids=2', 'text='), { ids: [1, 2], text: '' });
  assert.deepEqual(read('ids=1'), { ids: [1] });
  assert.deepEqual(read('ids= [1, 2]'), { ids: [1, 2] });
  assert.deepEqual(Object.entries(read('__proto__=1', 'constructor=x') as object), [
    ['__proto__', 1],
    ['constructor', 'x'],
  ]);
  assert.throws(() => read('text=a', 'text=b'), { code: 'invalid-option' });
});
