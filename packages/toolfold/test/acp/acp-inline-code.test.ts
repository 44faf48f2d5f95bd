import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlineCode } from '../../src/acp/editor-questions.ts';

test('a line cannot end its code', () => {
  assert.equal(inlineCode('a <!-- b -->'), '`a <!-- b -->`');
  assert.equal(inlineCode('a `` b'), '```a `` b```');
  assert.equal(inlineCode('`a'), '`` `a ``');
});
