import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import type { Write } from '../../src/entries/kinds.ts';
import { Log } from '../../src/log/log.ts';
import { createSession, memoryStore } from '../../src/sessions.ts';
import { resultOf } from '../../src/tasks/answer.ts';

const end: Write = ['event', { event: { type: 'end', reason: 'done', text: '' } }];
const broken: Write = ['event', { event: { type: 'end', reason: 'error', text: '' } }];
const answer: Write = [
  'model',
  {
    step: 1,
    content: [
      { type: 'text', text: '{"summary": "one ' },
      { type: 'text', text: 'sentence"}' },
    ],
    finish: { unified: 'stop', raw: 'end_turn' },
  },
];

/** The text that a child has said last, by the entries of its turn. */
async function said(...entries: readonly Write[]): Promise<string> {
  const session = await createSession(memoryStore());
  await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
  const begun: readonly Write[] = [
    ['turn', { number: 1, how: 'send' }],
    ['user', { message: { role: 'user', content: 'Go.' } }],
  ];
  await session.append(
    [...begun, ...entries].map(([kind, body]) => ({ kind, body: body as unknown as JsonObject })),
  );
  await session.end();
  return resultOf(new Log(session).state.texts, { reason: 'done' }, false).text;
}

test('what a child of an earlier process has said last is its text as it was emitted', async () => {
  assert.equal(await said(answer, end), '{"summary": "one sentence"}');
  assert.equal(await said(answer), '{"summary": "one sentence"}');
  assert.equal(await said(['interrupted', { text: 'Half of' }], broken), 'Half of');
});
