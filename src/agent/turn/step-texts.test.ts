import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepTexts } from './step-texts.ts';

const said = (...texts: readonly string[]): string => {
  const all = new StepTexts();
  for (const text of texts) all.add({}, text);
  return all.joined;
};

test('texts of different steps have a blank line between them, and no more than that', () => {
  assert.equal(said('Let me add.', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n', '\nIt is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n\n\n', 'It is 3.'), 'Let me add.\n\n\nIt is 3.');
  assert.equal(said('Let me add.', '', '\n', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('', '', 'It is 3.'), 'It is 3.');
  assert.equal(said(), '');
});

test('pieces of one step stay as they are, and what is withdrawn leaves no gap', () => {
  const [first, second] = [{}, {}];
  const all = new StepTexts();
  for (const piece of ['Let ', 'me', ' add.']) all.add(first, piece);
  all.add(second, 'It is');
  assert.equal(all.joined, 'Let me add.\n\nIt is');
  all.withdraw('It is');
  assert.equal(all.joined, 'Let me add.');
  all.withdraw('never said');
  all.add(second, 'It is 3.');
  assert.equal(all.joined, 'Let me add.\n\nIt is 3.');
});
