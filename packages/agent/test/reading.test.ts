import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { begin, collect, ended } from './agent.test-support.ts';

const { call } = DISPATCH;
const GITHUB = 'github__create_issue';
const always = { approvals: { mode: 'always' as const } };
const script: Reply[] = [
  { calls: [call(GITHUB, { title: 'bug' })] },
  { text: 'Done.' },
  { text: 'Bye.' },
];

describe('input of a turn', () => {
  test('is refused if it is empty, before anything changes', async () => {
    await using server = await startModelServer({
      script: [{ text: 'Hello.' }, { text: 'Four.' }],
    });
    const { talk } = begin(server);
    for (const text of ['', ' ', '\n\t', undefined, 7]) {
      assert.throws(() => talk.send(text as string), { code: 'invalid-option' });
      await assert.rejects(() => talk.ask(text as string), { code: 'invalid-option' });
    }
    assert.deepEqual(talk.messages, []);
    assert.deepEqual(server.requests, []);
    assert.equal(ended(await collect(talk.send('Hi.'))).reason, 'done');
    assert.equal((await talk.ask('2 + 2?')).text, 'Four.');
  });

  test('takes effect when it is read: an unread turn changes nothing', async () => {
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server, { agent: always });
    talk.send('Never mind.');
    assert.deepEqual(talk.messages, []);
    const turn = talk.send('Go.');
    await collect(turn);
    const [pending] = talk.pending;
    assert.ok(pending);
    const before = JSON.stringify(talk.messages);
    const yes = { [pending.approvalId]: { approved: true } };
    talk.answer({ [pending.approvalId]: { approved: false } });
    talk.answer(yes);
    talk.send('Something else.');
    assert.equal(JSON.stringify(talk.messages), before);
    assert.deepEqual(talk.pending, [pending]);
    assert.equal(ended(await collect(talk.answer(yes))).reason, 'done');
    assert.equal(runs.length, 1);
  });

  test('can be read once: a second reading is refused and starts no turn', async () => {
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server, { agent: always });
    const turn = talk.send('Go.');
    await collect(turn);
    await assert.rejects(() => collect(turn), { code: 'invalid-option' });
    const yes = Object.fromEntries(
      talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]),
    );
    const [one, other] = [talk.answer(yes), talk.answer(yes)];
    await collect(one);
    await assert.rejects(() => collect(one), { code: 'invalid-option' });
    // Its approvals were answered in the meantime.
    await assert.rejects(() => collect(other), { code: 'invalid-option' });
    assert.equal(runs.length, 1);
    assert.equal(server.requests.length, 2);
    assert.equal(ended(await collect(talk.send('Bye.'))).reason, 'done');
  });

  test('invalid answers to approvals are refused as a whole, and the approvals stay open', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: always });
    await collect(talk.send('Go.'));
    const [pending] = talk.pending;
    assert.ok(pending);
    const wrong = [
      { [pending.approvalId]: { approved: true }, other: { approved: true } },
      { [pending.approvalId]: {} as { approved: boolean } },
      { [pending.approvalId]: { approved: 'no' as unknown as boolean } },
    ];
    for (const answers of wrong)
      assert.throws(() => talk.answer(answers), { code: 'invalid-option' });
    assert.deepEqual(talk.pending, [pending]);
    const events = await collect(talk.answer({}));
    assert.equal(ended(events).reason, 'approval');
    assert.deepEqual(talk.pending, [pending]);
  });

  test('only one turn runs at a time, however it began, also before its first request', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: always });
    const [one, other] = [talk.send('Go.'), talk.send('Go too.')];
    const first = one[Symbol.asyncIterator]();
    await first.next();
    await assert.rejects(() => collect(other), { code: 'invalid-option' });
    assert.throws(() => talk.resume(), { code: 'invalid-option' });
    await first.return?.();
    assert.equal(ended(await collect(talk.send('Go.'))).reason, 'approval');
    const yes = Object.fromEntries(
      talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]),
    );
    const answering = talk.answer(yes)[Symbol.asyncIterator]();
    const next = answering.next();
    assert.throws(() => talk.send('Me too.'), { code: 'invalid-option' });
    await next;
    await answering.return?.();
  });
});

test('an error of `ask` shows no secret', async () => {
  const key = 'swordfish-0123456789';
  const hide = (text: string): string => text.replaceAll(key, '[redacted]');
  for (const status of [400, 401]) {
    await using server = await startModelServer({ script: [{ error: { status, body: key } }] });
    const { talk } = begin(server, { fold: { hide } });
    const error: unknown = await talk.ask('2 + 2?').catch((reason: unknown) => reason);
    assert.ok(error instanceof Error && error.message.includes('[redacted]'));
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(key));
  }
});
