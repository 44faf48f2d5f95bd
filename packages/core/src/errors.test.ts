import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError } from './errors.ts';

test('an error of another copy of the package is one, and other errors are not', async () => {
  const copy: typeof import('./errors.ts') = await import(
    new URL('./errors.ts?copy', import.meta.url).href
  );
  assert.notEqual(copy.ToolfoldError, ToolfoldError);
  const error = new copy.ToolfoldError('call-denied', 'No.', 'Ask.');
  assert.ok(error instanceof ToolfoldError && error instanceof Error);
  assert.ok(new ToolfoldError('call-denied', 'No.', 'Ask.') instanceof copy.ToolfoldError);
  for (const other of [new Error('No.'), { code: 'call-denied' }, null, undefined, 'No.', 1])
    assert.ok(!((other as unknown) instanceof ToolfoldError));
});

test('a subclass has only its own errors', () => {
  class Own extends ToolfoldError {}
  assert.ok(new Own('call-denied', 'No.', 'Ask.') instanceof Own);
  assert.ok(new Own('call-denied', 'No.', 'Ask.') instanceof ToolfoldError);
  assert.ok(!(new ToolfoldError('call-denied', 'No.', 'Ask.') instanceof Own));
});
