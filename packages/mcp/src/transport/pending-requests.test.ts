import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { PendingRequests } from './pending-requests.ts';

/** Requests 0 (already answered), 3 and the named ones. All except 0 are open. */
function waiting(...names: (string | number)[]): PendingRequests {
  const requests = new PendingRequests();
  requests.sent({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  requests.settle(0);
  for (const id of [3, ...names]) requests.sent({ jsonrpc: '2.0', id, method: 'tools/call' });
  return requests;
}

const result = { content: [] };
const good = { jsonrpc: '2.0', id: 3, result };

test('a valid message is passed on as the same object', () => {
  for (const message of [
    good,
    { jsonrpc: '2.0', method: 'notifications/message', params: { a: 1 } },
    { jsonrpc: '2.0', id: 'x', method: 'ping' },
  ]) {
    const { messages, hasStray } = waiting().read(message);
    assert.ok(messages[0] === (message as unknown) && messages.length === 1 && !hasStray);
  }
});

test('messages with small format errors are repaired', () => {
  const { jsonrpc, ...bare } = good;
  for (const [what, value] of Object.entries({
    'id of the other type': { ...good, id: '3' },
    'no jsonrpc': bare,
    'another jsonrpc': { ...good, jsonrpc: 2 },
    'members of its own': { ...good, time: 5 },
    'an error that is none': { ...good, error: null },
    batch: [good],
    'batch in a batch': [[good]],
  })) {
    assert.deepEqual(waiting().read(value).messages, [good], what);
  }
  assert.equal(jsonrpc, '2.0');
  const named = new PendingRequests();
  named.sent({ jsonrpc: '2.0', id: 'probe-1', method: 'x' });
  assert.deepEqual(named.read({ ...good, id: 'probe-1' }).messages, [{ ...good, id: 'probe-1' }]);
});

const deep = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const malformed: readonly (readonly [string, unknown, RegExp])[] = [
  ['result null', { ...good, result: null }, /its result is null, not an object/],
  ['result a text', { ...good, result: 'x' }, /its result is a string/],
  ['result a number', { ...good, result: 5 }, /its result is a number/],
  ['result a list', { ...good, result: [] }, /its result is a list/],
  ['neither', { jsonrpc: '2.0', id: 3 }, /neither a result nor an error/],
  ['both', { ...good, error: { code: 1, message: 'x' } }, /both a result and an error/],
  ['_meta a text', { ...good, result: { _meta: 'x' } }, /its "_meta" is a string/],
  ['deep', { ...good, result: deep(500) }, /nested more than 200 levels/],
  ['deeper', { ...good, result: deep(100_000) }, /nested more than 200 levels/],
  ['error a text', { jsonrpc: '2.0', id: 3, error: 'boom' }, /^boom$/],
  ['error true', { jsonrpc: '2.0', id: 3, error: true }, /an error without a message: true/],
  ['error empty', { jsonrpc: '2.0', id: 3, error: {} }, /an error without a message: \{\}/],
  ['error deep', { jsonrpc: '2.0', id: 3, error: deep(50_000) }, /an error without a message/],
  ['code a text', { jsonrpc: '2.0', id: 3, error: { code: 'E', message: 'm' } }, /^m$/],
];

const withError = { jsonrpc: '2.0', error: { code: 1, message: 'm' } };
/** Answers without a usable id: what becomes of them where it is known whose they are, and how they are described. */
const withoutId: readonly (readonly [string, unknown, RegExp, string])[] = [
  [
    'id of no request',
    { ...good, id: 99 },
    /its id is 99, which no request has/,
    'a result with the id 99, which no request has',
  ],
  [
    'id of no request, a text',
    { ...good, id: 'x' },
    /its id is 'x', which no request has/,
    "a result with the id 'x', which no request has",
  ],
  ['id null with a result', { ...good, id: null }, /its id is null/, 'a result without an id'],
  [
    'no id with a result',
    { jsonrpc: '2.0', result },
    /its id is missing/,
    'a result without an id',
  ],
  ['id null', { ...withError, id: null }, /^m$/, 'an error without an id: m'],
  ['no id', withError, /^m$/, 'an error without an id: m'],
  [
    'id a list',
    { ...withError, id: [3] },
    /^m$/,
    'an error with the id a list, which no request has: m',
  ],
];

for (const [what, value, expected, described] of withoutId) {
  test(`an answer without a usable id: ${what}`, () => {
    const endOf = (requests: PendingRequests, carrier?: number): [unknown, string] => {
      const { messages, hasStray } = requests.read(value, carrier);
      assert.ok(messages.length === 1 && !hasStray);
      const message = ownProperty(ownProperty(messages[0], 'error'), 'message');
      return [ownProperty(messages[0], 'id'), String(message)];
    };
    // The POST that carries it says whose it is, however many requests wait.
    const [id, message] = endOf(waiting(4, 5), 4);
    assert.equal(id, 4);
    assert.match(message, expected);
    for (const method of ['initialize', 'server/discover']) {
      const handshake = new PendingRequests();
      handshake.sent({ jsonrpc: '2.0', id: 0, method });
      const [first, text] = endOf(handshake);
      assert.equal(first, 0);
      assert.match(text, expected);
      handshake.sent({ jsonrpc: '2.0', method: 'notifications/initialized' });
      assert.deepEqual(handshake.read(value).messages, [], 'it may answer the notification');
    }
    // Otherwise it may answer a notification or an abandoned request, so it ends none that waits.
    const requests = waiting();
    assert.deepEqual(requests.read(value), { messages: [], hasStray: false });
    assert.equal(requests.strays.since(0), described);
    assert.equal(requests.strays.since(1), undefined);
  });
}

for (const [what, value, expected] of malformed) {
  test(`a malformed answer ends its request with an error: ${what}`, () => {
    const { messages } = waiting().read(value);
    assert.equal(messages.length, 1);
    const [message] = messages;
    assert.equal(ownProperty(message, 'id'), 3);
    const error = ownProperty(message, 'error');
    assert.match(String(ownProperty(error, 'message')), expected);
    assert.ok(Number.isInteger(ownProperty(error, 'code')));
  });
}

test('a message that is no answer to an open request ends no request', () => {
  for (const value of [
    { ...good, id: 0 },
    { level: 'info', id: 7 },
    { result: 5 },
    5,
    null,
    'x',
    [],
    { jsonrpc: '2.0', method: 'x', params: 5 },
    { jsonrpc: '2.0', method: 'x', id: {} },
    { jsonrpc: '2.0', method: 'x', params: deep(300) },
  ]) {
    assert.deepEqual(waiting().read(value).messages, [], JSON.stringify(value));
  }
  assert.deepEqual(waiting().read({ ...good, id: 99 }, 8).messages, [], 'its POST has ended');
  assert.equal(waiting().read({ ...good, id: 0 }).hasStray, false, 'a late answer');
  assert.equal(waiting().read([]).hasStray, true);
});

test('a cancelled request is closed', () => {
  const requests = waiting();
  requests.sent({ method: 'notifications/cancelled', params: { requestId: 3 } });
  assert.deepEqual(requests.read(good).messages, []);
});

test('malformed JSON answers the request that it names', () => {
  const requests = waiting('probe');
  for (const text of [
    '{"jsonrpc":"2.0","id":3,"result":{"n":NaN}}',
    '{"jsonrpc": "2.0", "id": 3, "result": {"content": [',
    `{"result":{"text":"${'x'.repeat(5000)}\u0001"},"id":3,"jsonrpc":"2.0"}`,
    '{"id":"probe","jsonrpc":"2.0","result":{',
  ]) {
    const answer = requests.unreadable(text);
    assert.match(
      String(ownProperty(ownProperty(answer, 'error'), 'message')),
      /not valid JSON/,
      text.slice(0, 60),
    );
  }
  for (const text of [
    '{"jsonrpc"',
    'hello "jsonrpc" "id":3',
    '{"id":3,',
    '{"jsonrpc":"2.0","id":8,',
  ]) {
    assert.equal(requests.unreadable(text), undefined, text);
  }
});

test('unasked messages are counted between two answers', () => {
  const requests = waiting();
  const flood = (): string | undefined => {
    for (let i = 0; i < 1_000_000; i++) assert.equal(requests.countUnasked(), undefined);
    return requests.countUnasked();
  };
  assert.match(flood() ?? '', /more than 1,000,000 messages without being asked/);
  requests.settle(99);
  assert.notEqual(requests.countUnasked(), undefined);
  requests.settle(3);
  assert.match(flood() ?? '', /more than 1,000,000/);
});
