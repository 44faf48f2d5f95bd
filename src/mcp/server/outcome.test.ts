import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './outcome.ts';

const http = (status: number, text: string) =>
  Object.assign(new Error(text), { code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status, text } });

test('only a server that gave a session can have forgotten it, so only there a call is sent again', () => {
  const cases = [http(404, 'Not found'), http(400, 'No valid session ID'), http(400, 'Bad date')];
  const outcomes = (hasSession: boolean) =>
    cases.map((error) => outcomeOf(error, { failure: undefined, hasSession }));
  assert.deepEqual(outcomes(true), ['refused', 'refused', 'answered']);
  assert.deepEqual(outcomes(false), ['answered', 'answered', 'answered']);
});
