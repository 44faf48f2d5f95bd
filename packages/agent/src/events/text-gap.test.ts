import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedTexts } from './screen-blocks.ts';

test('texts of different steps have a blank line between them, and no more than that', () => {
  const said = (...texts: readonly string[]) => joinedTexts(texts);
  assert.equal(said('Let me add.', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n', '\nIt is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('Let me add.\n\n\n', 'It is 3.'), 'Let me add.\n\n\nIt is 3.');
  assert.equal(said('Let me add.', '', '\n', 'It is 3.'), 'Let me add.\n\nIt is 3.');
  assert.equal(said('', '', 'It is 3.'), 'It is 3.');
  assert.equal(said(), '');
});
