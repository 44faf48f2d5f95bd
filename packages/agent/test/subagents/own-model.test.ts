import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { collect } from '../agent.test-support.ts';
import { endsIn, scripted, send, taskIn, tasks, team } from './team.test-support.ts';

const done: Reply = { text: 'All done.' };
const [anthropic, , , compatible] = ENDPOINTS;

test("a child with another model does not get the headers for the parent's model", async () => {
  for (const [endpoint, hasOwn] of [
    [anthropic, false],
    [anthropic, true],
    [compatible, true],
  ] as const) {
    const script = scripted([send(tasks(1)), done], () => ({ text: 'Ok.' }));
    await using server = await startModelServer({ script });
    const model = () => (hasOwn ? modelOn(server, endpoint ?? assert.fail()) : undefined);
    const settings = { maxRetries: 0, headers: { 'x-tenant': 'acme' } };
    const { talk } = team(server, { model }, { agent: { settings } });
    assert.deepEqual(endsIn(await collect(talk.send('Go.'))), { t1: 'done' });
    for (const request of server.requests) {
      const isOwn = taskIn(request) === undefined;
      assert.equal(request.headers['x-tenant'], isOwn || !hasOwn ? 'acme' : undefined);
    }
  }
});

test('a cancelled child does not wait for a model that never resolves', {
  timeout: 5_000,
}, async () => {
  const script = scripted([send(tasks(1)), done], () => assert.fail('asked'));
  await using server = await startModelServer({ script });
  const asked = Promise.withResolvers<void>();
  const model = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const { talk } = team(server, { model });
  const turn = collect(talk.send('Go.'));
  await asked.promise;
  const [running] = talk.subagents;
  assert.ok(await talk.cancelSubagent(running?.child ?? ''));
  assert.deepEqual(endsIn(await turn), { t1: 'cancelled' });
});
