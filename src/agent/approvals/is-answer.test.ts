import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAnswer } from './answers.ts';

test('an answer says clearly whether a call is approved', () => {
  for (const approved of [true, false]) assert.ok(isAnswer({ approved }));
  for (const value of [
    undefined,
    null,
    true,
    'yes',
    [],
    {},
    { approved: 'false' },
    { approved: 1 },
  ])
    assert.ok(!isAnswer(value), JSON.stringify(value));
  assert.ok(!isAnswer(Object.create({ approved: true })));
});
