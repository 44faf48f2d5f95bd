import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAnswers, isAnswer } from '../../src/options/approvals.ts';

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

test('an answer has no other scope than these', () => {
  const pending = [{ approvalId: 'a' }] as never;
  for (const scope of ['once', 'session', 'always', undefined] as const)
    checkAnswers(pending, { a: { approved: true, scope } as never });
  for (const scope of ['root', '', null, 1] as never[])
    assert.throws(() => checkAnswers(pending, { a: { approved: true, scope } }), /scope/);
});
