import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOf } from './calls-in-flight.ts';
import { FormError, formFields, formProblems } from './form-fields.ts';

const texts = textsOf(['hunter2-hunter2']);
const form = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const choices = [
  { value: 'r', title: 'Red' },
  { value: 'g', title: 'Green' },
];
const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

test('the shapes of the protocol are read as fields', () => {
  const shapes: [object, object][] = [
    [{ type: 'string' }, { type: 'text' }],
    [
      { type: 'string', format: 'email', minLength: 3, maxLength: 9, default: 'a@b' },
      { type: 'text', format: 'email', minLength: 3, maxLength: 9, default: 'a@b' },
    ],
    [
      { type: 'string', minLength: 3, default: 'a' },
      { type: 'text', minLength: 3 },
    ],
    [
      { type: 'number', minimum: -1, maximum: 1.5, default: 0 },
      { type: 'number', minimum: -1, maximum: 1.5, default: 0 },
    ],
    [{ type: 'integer', default: 0.5 }, { type: 'integer' }],
    [
      { type: 'boolean', default: true },
      { type: 'boolean', default: true },
    ],
    [
      { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
      { type: 'choice', choices, default: 'g' },
    ],
    [
      { type: 'string', oneOf: titled },
      { type: 'choice', choices },
    ],
    [
      { type: 'array', items: { anyOf: titled }, maxItems: 1, default: ['r'] },
      { type: 'choices', choices, maxItems: 1, default: ['r'] },
    ],
    [
      { type: 'array', items: { type: 'string', enum: ['r'] } },
      { type: 'choices', choices: [{ value: 'r', title: 'r' }] },
    ],
  ];
  for (const [shape, expected] of shapes) {
    const [read] = formFields(form({ a: shape }), texts);
    assert.deepEqual(read, { name: 'a', isRequired: false, ...expected }, JSON.stringify(shape));
  }
});

test('texts of a field are made harmless', () => {
  const evil = { type: 'boolean', title: 'A\u001b[2J hunter2-hunter2', description: 'b\nc\u202e' };
  const [read] = formFields(form({ a: evil }, { required: ['a'] }), texts);
  assert.ok(read?.isRequired);
  assert.doesNotMatch(JSON.stringify(read), /hunter2|\\u001b|\\n|\u202e/);
});

test('anything else is refused with a reason', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'boolean' }]));
  assert.equal(formFields(form(many(50)), texts).length, 50);
  const cases: [unknown, RegExp][] = [
    [undefined, /no schema/],
    [[], /no schema/],
    [{ type: 'array' }, /no object with properties/],
    [{ type: 'object' }, /no object with properties/],
    [form(many(51)), /more than 50 fields/],
    [form({ a: { type: 'boolean', title: 'x'.repeat(20_000) } }), /more than 20,000 characters/],
    [form({}, { required: 'a' }), /"required"/],
    [form({}, { required: ['a'] }), /requires the field a/],
    [form({}, { $ref: '#' }), /"\$ref"/],
    [form({ a: true }), /is no schema/],
    [form({ a: {} }), /no text, number/],
    [form({ a: { type: 'object', properties: {} } }), /no text, number/],
    [form({ a: { type: ['string', 'null'] } }), /no text, number/],
    [form({ a: { type: 'string', pattern: '(a+)+$' } }), /"pattern"/],
    [form({ a: { type: 'string', format: 'password' } }), /format/],
    [form({ a: { type: 'string', minLength: -1 } }), /length/],
    [form({ a: { type: 'string', maxLength: '3' } }), /no number/],
    [form({ a: { type: 'string', enum: [] } }), /no choices/],
    [form({ a: { type: 'string', enum: ['a', 'a'] } }), /twice/],
    [form({ a: { type: 'string', enum: [1] } }), /no list of texts/],
    [form({ a: { type: 'string', enum: ['a'], oneOf: titled } }), /two lists/],
    [form({ a: { type: 'string', oneOf: [{ const: 'a' }] } }), /without a value and a title/],
    [form({ a: { type: 'array', items: { type: 'string' } } }), /no choices/],
    [form({ a: { type: 'array' } }), /no choices/],
    [form({ 'a\u001b': { type: 'boolean' } }), /cannot be shown/],
    [form({ '': { type: 'boolean' } }), /cannot be shown/],
    [form({ ['x'.repeat(101)]: { type: 'boolean' } }), /cannot be shown/],
  ];
  for (const [schema, expected] of cases) {
    const read = () => formFields(schema, texts);
    assert.throws(read, (error) => error instanceof FormError && expected.test(error.message));
  }
});

test('an answer is checked field by field', () => {
  const fields = formFields(
    form(
      {
        name: { type: 'string', maxLength: 3 },
        age: { type: 'integer' },
        colours: { type: 'array', items: { type: 'string', enum: ['r', 'g'] } },
        ok: { type: 'boolean' },
        one: { type: 'string', enum: ['r'] },
        at: { type: 'string', format: 'date-time' },
        page: { type: 'string', format: 'uri' },
      },
      { required: ['name'] },
    ),
    texts,
  );
  const whole = { name: '𝒜da', age: 3, colours: ['g'], ok: false, one: 'r' };
  const rest = { at: '2026-02-28T09:30:00.5+01:00', page: 'https://example.org' };
  assert.deepEqual(formProblems(fields, { ...whole, ...rest }), []);
  const wrong = { name: 'long', age: '3', colours: ['b'], ok: 'y', one: 'g', more: 1 };
  const odd = { at: '2026-02-30T09:30:00Z', page: 'no page' };
  const problems = formProblems(fields, { ...wrong, ...odd });
  const names = ['name', 'age', 'colours', 'ok', 'one', 'at', 'page', 'more'];
  assert.deepEqual(
    problems.map(({ field }) => field),
    names,
  );
  assert.deepEqual(formProblems(fields, null), [{ field: '', problem: 'there are no values' }]);
  assert.deepEqual(formProblems(fields, {}), [{ field: 'name', problem: 'it is required' }]);
});
