// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { collect, ended } from '../agent.test-support.ts';
import { ofChildren, reportIn, scripted, send, tasks, team } from './team.test-support.ts';

const done: Reply = { text: 'All done.' };
const MUCH = 'x'.repeat(1_100_000);
const chunkSize = 50_000;

describe('a child that floods', () => {
  for (const endpoint of ENDPOINTS) {
    test(`promise 48: is stopped and paid for, with what it wrote that is an answer, on ${endpoint.name}`, async () => {
      const floods: [string, Reply, number][] = [
        ['text', { text: MUCH, chunkSize }, 1],
        [
          'arguments of a tool',
          { calls: [DISPATCH.call('github__list_issues', { q: MUCH })], chunkSize },
          0,
        ],
        ['arguments of none', { calls: [{ name: 'nothing', arguments: MUCH }], chunkSize }, 0],
      ];
      if (endpoint.reasons)
        floods.push(['thoughts', { reasoning: MUCH, text: 'So.', chunkSize }, 0]);
      for (const [what, flood, length] of floods) {
        const script = scripted([send(tasks(1)), done], () => flood);
        await using server = await startModelServer({ script });
        const { talk, runs } = team(server, {}, { endpoint });
        const events = await collect(talk.send('Go.'));
        assert.equal(ended(events).reason, 'done');
        const [result] = reportIn(events)?.results ?? [];
        assert.equal(result?.status, 'incomplete', what);
        assert.match(result?.error ?? '', /too long/);
        assert.ok((result?.answer ?? '').length >= length);
        assert.deepEqual(runs, []);
        assert.equal(ofChildren(server).length, 1);
        assert.ok(talk.spending.subagents.output > 10_000, 'what it wrote is paid for');
      }
    });
  }
});

test('a child that says nothing anybody could see has failed', async () => {
  for (const text of ['', ' \n', '\u200b', '\u0007 \u2060']) {
    const script = scripted([send(tasks(1)), done], () => ({ text }));
    await using server = await startModelServer({ script });
    const [result] = reportIn(await collect(team(server).talk.send('Go.')))?.results ?? [];
    assert.deepEqual([result?.status, result?.error], ['failed', 'It ended without an answer.']);
  }
});

test('a child whose answer the provider stops is not done', async () => {
  const reply: Reply = { text: 'Here is how to', finishReason: 'content-filter' };
  const script = scripted([send(tasks(1)), done], () => reply);
  await using server = await startModelServer({ script });
  const [result] = reportIn(await collect(team(server).talk.send('Go.')))?.results ?? [];
  assert.equal(result?.status, 'incomplete');
  assert.match(result?.error ?? '', /filter/);
});

for (const endpoint of ENDPOINTS) {
  test(`a child that calls on and on is not asked on and on, on ${endpoint.name}`, async () => {
    const again: Reply = { calls: [DISPATCH.call('github__list_issues', {})] };
    const script = scripted([send(tasks(1)), done], () => again);
    await using server = await startModelServer({ script });
    const { talk, runs } = team(server, { maxRounds: 2 }, { endpoint });
    const [result] = reportIn(await collect(talk.send('Go.')))?.results ?? [];
    const error = 'It used all its tool rounds without an answer.';
    assert.deepEqual([result?.status, result?.error], ['failed', error]);
    assert.equal(runs.length, 2);
    const asked = ofChildren(server).length;
    // For OpenAI's models the request forbids tool calls, which ends the turn at once.
    assert.ok(asked <= 5 && asked >= 3, String(asked));
  });
}

test('an approval that the app answers with nothing is refused, and says what was expected', async () => {
  const script = scripted([send(tasks(1)), done], ({ step }) =>
    step === 0 ? { calls: [DISPATCH.call('github__create_issue', { title: 'x' })] } : done,
  );
  await using server = await startModelServer({ script });
  const ask = async () => undefined as never;
  const { talk, runs } = team(
    server,
    {},
    { agent: { approvals: { mode: 'always', allow: ['subagents'], ask } } },
  );
  await collect(talk.send('Go.'));
  assert.deepEqual(runs, []);
  assert.match(server.requests.map(({ raw }) => raw).join(), /approvals\.ask.*approved: true/);
});
