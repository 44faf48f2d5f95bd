import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './outcome.ts';

const http = (status: number, text: string) =>
  Object.assign(new Error(text), { code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status, text } });

test('only a 404 of a server that gave a session means that the call was not run', () => {
  const outcomes = (hasSession: boolean) =>
    [
      http(404, 'Not found'),
      http(400, 'No valid session ID'),
      http(400, 'Bad date'),
      http(401, ''),
      http(403, ''),
      http(500, 'session'),
      http(503, ''),
      http(429, ''),
    ].map((error) => outcomeOf(error, { failure: undefined, hasSession }));
  const both = ['answered', 'refused', 'refused', 'answered', 'lost', 'busy'];
  assert.deepEqual(outcomes(true), ['unsent', 'refused', ...both]);
  assert.deepEqual(outcomes(false), ['refused', 'answered', ...both]);
});
