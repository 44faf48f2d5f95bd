import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFold } from '@toolfold/ai-sdk';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { createAgent, createRecall } from '../src/index.ts';
import { createSession, memoryStore } from '../src/sessions.ts';
import { collect, ended } from './agent.test-support.ts';

test('a session whose role is gone can be read, and its turns are refused', async () => {
  await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
  const session = await createSession(memoryStore());
  const model = modelOn(server, ENDPOINTS[2] ?? assert.fail());
  const roles = { mine: { tools: ['*'] } };
  const tools = createRecall().tools as never;
  const first = createAgent({ fold: createFold({ tools, roles }), model, role: 'mine', session });
  await collect(first.send('Go.'));
  const again = createAgent({ fold: createFold({ tools }), model, session });
  assert.equal(again.messages.length, 2);
  const end = ended(await collect(again.send('Go.')));
  assert.equal(end.reason, 'error');
  assert.match(String(end.error?.message), /There is no role "mine"/);
  assert.equal(server.requests.length, 1);
});
