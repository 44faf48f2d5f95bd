import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf, sureOutcomeOf } from './outcome.ts';

const http = (status: number, text: string) =>
  Object.assign(new Error(text), { code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status, text } });

test('what an error of a server that gave a session, or gave none, says of a call', () => {
  const outcomes = (hasSession: boolean) =>
    [
      http(404, 'Not found'),
      http(400, 'No valid session ID'),
      http(400, 'Bad date'),
      http(401, ''),
      http(403, ''),
      http(500, 'session'),
      http(504, ''),
      http(429, ''),
      http(503, ''),
      Object.assign(new Error('Session not found'), { code: -32001 }),
      Object.assign(new Error('The session is closed.'), { code: -32001 }),
    ].map((error) => outcomeOf(error, { failure: undefined, hasSession }));
  const both = ['answered', 'refused', 'refused', 'answered', 'lost', 'busy'];
  const may = 'forgotten';
  assert.deepEqual(outcomes(true), ['unsent', may, ...both, may, may, 'answered']);
  assert.deepEqual(outcomes(false), [
    ...['refused', 'answered', ...both],
    ...['lost', 'answered', 'answered'],
  ]);
});

test('a ping on the same connection decides whether the session is forgotten', async () => {
  const gone = http(503, 'Session not found');
  const coded = Object.assign(new Error('Unknown session'), { code: -32001 });
  const rows: readonly (readonly [error: unknown, ping: unknown, comesTo: string])[] = [
    [gone, gone, 'unsent'],
    [gone, http(404, 'Not found'), 'unsent'],
    [coded, coded, 'unsent'],
    [http(400, 'No valid session ID'), http(400, 'No valid session ID'), 'unsent'],
    // The tool itself has said so.
    [coded, undefined, 'answered'],
    [http(400, 'No valid session ID'), undefined, 'answered'],
    [gone, undefined, 'lost'],
    // Nobody says that there is no such session.
    [http(503, ''), http(503, ''), 'gone'],
    [http(503, ''), gone, 'gone'],
    [http(503, 'The session has ended'), http(503, 'The session has ended'), 'gone'],
    [http(400, 'The session is closed'), gone, 'refused'],
    [gone, http(500, 'oops'), 'gone'],
    [coded, new Error('late'), 'gone'],
  ];
  for (const [error, ping, comesTo] of rows) {
    const request = async () => (ping === undefined ? {} : Promise.reject(ping));
    const live = { failure: undefined, hasSession: true, request };
    assert.equal(await sureOutcomeOf(error, live), comesTo, String(error));
  }
});
