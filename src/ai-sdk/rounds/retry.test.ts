import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APICallError } from 'ai';
import { isRetryable } from '../request/index.ts';
import { retryDelay } from './index.ts';

const failed = (responseHeaders: Record<string, string> = {}, statusCode = 429) =>
  new APICallError({
    ...{ message: 'Not now.', url: 'https://example.org/', requestBodyValues: {} },
    ...{ statusCode, responseHeaders },
  });

/** The gateway of the AI SDK has errors of its own around the one of the request. */
const gateway = (isRetryable: boolean) =>
  Object.assign(new Error('x', { cause: failed({ 'retry-after': '1' }) }), { isRetryable });

test('a request that failed is sent again when the AI SDK sends it again', () => {
  const cases: readonly (readonly [unknown, number, number | undefined, number | undefined])[] = [
    [failed(), 0, undefined, 2_000],
    [failed(), 1, undefined, 4_000],
    [failed(), 2, undefined, undefined],
    [failed(), 2, 3, 8_000],
    [failed(), 0, 0, undefined],
    [failed({ 'retry-after': '12' }), 0, undefined, 12_000],
    [failed({ 'retry-after': '12', 'retry-after-ms': '50' }), 0, undefined, 50],
    [failed({ 'retry-after': '60' }), 0, undefined, 2_000],
    [failed({}, 400), 0, undefined, undefined],
    [gateway(false), 0, 2, undefined],
    [gateway(true), 0, 2, 1_000],
    [undefined, 0, 2, undefined],
  ];
  for (const [error, attempt, retries, delay] of cases)
    assert.equal(retryDelay(error, attempt, retries), delay);
  // The same for who asks without counting.
  for (const answer of [true, false]) assert.equal(isRetryable(gateway(answer)), answer);
});
