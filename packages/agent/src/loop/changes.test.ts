import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '@toolfold/core/internal/values/json.ts';
import { type ApprovalDetails, changesBetween } from './questions.ts';

const text = { type: 'string' };

function shown(
  properties: object,
  required: readonly string[] = [],
  input: unknown = {},
): ApprovalDetails {
  const parameters = { type: 'object', properties, required };
  const tool = { name: 'mail__send', description: 'Sends a letter.', parameters };
  return { definition: canonicalJson(tool), arguments: input };
}

test('names the properties of a schema that differ, also those of inner objects', () => {
  const place = (inner: object) => ({ type: 'object', properties: inner });
  const before = shown({ to: text, old: text, place: place({ city: text }) });
  const now = shown(
    { to: text, copy: text, place: place({ city: { type: 'number' } }), reason: text },
    ['to', 'copy'],
  );
  assert.deepEqual(changesBetween(before, now), [
    'parameters.copy: new, required',
    'parameters.old: removed',
    'parameters.place.city: changed',
    'parameters.reason: new',
    'parameters.to: required now',
  ]);
});

test('names what else differs, and nothing where nothing differs', () => {
  const before = shown({ to: text }, ['to'], { to: 'Ann', copies: [1, 2] });
  assert.deepEqual(changesBetween(before, before), []);
  const closed = JSON.parse(before.definition ?? '');
  closed.description = 'Sends a letter, and a copy to others.';
  closed.parameters = { ...closed.parameters, additionalProperties: false };
  const now = { ...before, definition: canonicalJson(closed) };
  assert.deepEqual(changesBetween(before, now), ['description', 'parameters: changed']);
  const given = { ...before, arguments: { to: 'Eve', copies: [2], note: '' } };
  assert.deepEqual(changesBetween(before, given), [
    'arguments.copies: changed',
    'arguments.note: new',
    'arguments.to: changed',
  ]);
  assert.deepEqual(changesBetween({ ...before, definition: undefined }, now), []);
});

test('is at most five safe lines of 200 characters', () => {
  const names = Array.from({ length: 9 }, (_, n) => `${'x'.repeat(500)}\n\u202E${n}`);
  const now = shown(Object.fromEntries(names.map((name) => [name, text])));
  const lines = changesBetween(shown({}), now);
  assert.equal(lines.length, 5);
  assert.equal(lines.at(-1), '5 more');
  for (const line of lines) {
    assert.ok(line.length <= 200);
    assert.doesNotMatch(line, /[\n\u202E]/);
  }
});
