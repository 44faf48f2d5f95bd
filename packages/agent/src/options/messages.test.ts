import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostedMessage } from '../sessions.ts';
import { inboxMessage, takeMessage } from './inbox.ts';

/** What a holder does with messages: what it was told under the id `a`. */
function taken(messages: readonly { readonly kind: string; readonly body: unknown }[]): unknown[] {
  const seen: unknown[] = [];
  const answersTo = (kind: string) => ({
    give: (id: string, answer: unknown) => id === 'a' && seen.push([kind, answer]),
  });
  const remote = {
    answer: answersTo('answer'),
    form: answersTo('form'),
    unknown: answersTo('unknown'),
  };
  const team = {
    cancel: async (child: string) => {
      seen.push(['cancel', child]);
      throw new Error('It cannot be cancelled.');
    },
  };
  for (const message of messages)
    takeMessage({ id: 'm', at: 1, ...message } as PostedMessage, { remote, team } as never, () =>
      seen.push('stop'),
    );
  return seen;
}

test('a message of each kind reaches its receiver', () => {
  const content = { name: 'Ada', age: 3, tags: ['x'], isOk: true };
  assert.deepEqual(
    taken([
      inboxMessage('answer', { a: { approved: true, scope: 'session', reason: undefined } }),
      inboxMessage('form', { a: { action: 'accept', content }, b: { action: 'cancel' } }),
      inboxMessage('form', { a: { action: 'decline' } }),
      inboxMessage('unknown', { a: { choice: 'happened', note: 'Seen.' } }),
      inboxMessage('cancel-subagent', { child: 'call/a' }),
      inboxMessage('cancel', {}),
    ]),
    [
      ['answer', { approved: true, scope: 'session' }],
      ['form', { action: 'accept', content }],
      ['form', { action: 'decline' }],
      ['unknown', { choice: 'happened', note: 'Seen.' }],
      ['cancel', 'call/a'],
      'stop',
    ],
  );
});

test('two messages have different ids', () => {
  assert.notEqual(inboxMessage('cancel', {}).id, inboxMessage('cancel', {}).id);
});

test('what is malformed or not known is ignored, beside what is valid', () => {
  const bodies: readonly unknown[] = [
    ...[undefined, null, 1, 'a', [], {}, { a: null }, { a: 'yes' }, { a: [] }],
    ...[{ a: { approved: 'yes' } }, { a: { approved: true, scope: 'forever' } }],
    ...[{ a: { approved: true, reason: 5 } }, { a: { action: 'maybe' } }, { a: { action: 1 } }],
    ...[null, 'text', [], { x: null }, { x: { y: 1 } }, { x: [1] }].map((content) => ({
      a: { action: 'accept', content },
    })),
    ...[{ a: { choice: 'twice' } }, { a: { choice: 'again', note: {} } }],
    ...[{ child: 5 }, { child: {} }, { child: null }],
  ];
  const kinds = ['answer', 'form', 'unknown', 'cancel-subagent', 'pause', 'toString'];
  const messages = kinds.flatMap((kind) => bodies.map((body) => ({ kind, body })));
  assert.deepEqual(taken(messages), []);
  const body = { b: { choice: 'twice' }, a: { choice: 'leave', id: 'other', extra: 1 } };
  assert.deepEqual(taken([{ kind: 'unknown', body }]), [['unknown', { choice: 'leave' }]]);
});
