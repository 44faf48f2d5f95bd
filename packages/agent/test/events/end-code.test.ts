import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError, type ToolfoldErrorCode } from '@toolfold/core/internal/errors.ts';
import { APICallError, RetryError } from 'ai';
import { endCodeOf } from '../../src/events/end.ts';

const api = (statusCode?: number, cause?: unknown) =>
  new APICallError({
    message: 'bad',
    url: 'http://localhost',
    requestBodyValues: {},
    ...(statusCode === undefined ? { isRetryable: true } : { statusCode }),
    ...(cause === undefined ? {} : { cause }),
  });
const own = (code: ToolfoldErrorCode, cause?: unknown) =>
  new ToolfoldError(code, 'No.', 'Look.', cause);
const system = (code: string) => Object.assign(new Error('broken'), { code });
const lastly = (error: unknown) =>
  new RetryError({ message: 'gave up', reason: 'maxRetriesExceeded', errors: [error] });

const CASES = [
  ['model-refused', api(401), api(403), own('model-refused', api(401)), lastly(api(403))],
  ['rate-limited', api(429), lastly(api(429))],
  ['overloaded', api(503), api(529), lastly(api(529))],
  [
    'network',
    api(),
    system('ECONNRESET'),
    new TypeError('fetch failed'),
    new Error('a', { cause: new Error('b', { cause: system('UND_ERR_SOCKET') }) }),
  ],
  ['invalid-request', api(400), api(404), api(413), api(422)],
  ['session-lost', own('session-lost')],
  ['session-unavailable', own('session-unavailable')],
  ['unknown', api(500), new Error('bad'), own('invalid-option'), 'text', null, undefined],
] as const;

describe('the code of an error', () => {
  for (const [code, ...errors] of CASES)
    test(code, () => {
      for (const error of errors) assert.equal(endCodeOf(error), code, String(error));
    });

  test('is unknown for a circle of causes', () => {
    const error = new Error('a');
    error.cause = error;
    assert.equal(endCodeOf(error), 'unknown');
  });
});
