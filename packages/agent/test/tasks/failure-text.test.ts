import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError, type ToolfoldErrorCode } from '@toolfold/core/internal/errors.ts';
import { RetryError } from 'ai';
import { failureText } from '../../src/tasks/task-run.ts';

const own = (code: ToolfoldErrorCode) =>
  new ToolfoldError(code, 'The file /home/ada/db is odd.', 'Look.');

/** An error as it is, and as causes of others. */
const forms = (error: Error): readonly Error[] => [
  error,
  new Error('Not read: /home/ada/db.', { cause: error }),
  new ToolfoldError('invalid-option', 'Not read: /home/ada/db.', 'Look.', error),
  new RetryError({ message: '/home/ada/db', reason: 'maxRetriesExceeded', errors: [error] }),
  Object.assign(new Error('/home/ada/db', { cause: new Error('b', { cause: error }) }), {
    statusCode: 400,
  }),
];

const OF_STORES = [
  'session-busy',
  'session-lost',
  'session-damaged',
  'session-newer',
  'session-unavailable',
] as const;

for (const code of OF_STORES)
  test(`the model reads no text of ${code}, whatever its error is the cause of`, () => {
    for (const error of forms(own(code)))
      assert.equal(failureText(error), 'Its session cannot be used.', String(error));
  });

test('the model reads the text of other errors', () => {
  for (const code of ['session-unknown', 'invalid-option'] as const)
    for (const error of forms(own(code))) assert.equal(failureText(error), error.message);
  const circle = new Error('a');
  circle.cause = circle;
  assert.equal(failureText(circle), 'a');
});
