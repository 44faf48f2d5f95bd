import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, stepMessages } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const SCRIPT: Reply[] = [
  { calls: [{ name: 'load_tools', arguments: { group_id: 'app' } }] },
  { calls: [DISPATCH.call('find', { name: 'Ada' })] },
  { text: 'Done.' },
  { text: 'A title.' },
];
const find = tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'found' });

describe('messages with loads, for a model without a fold', () => {
  for (const endpoint of ENDPOINTS) {
    for (const way of ['stepMessages', 'the off switch'] as const) {
      test(`${way}: each call has its result, ${endpoint.name}`, async () => {
        await using server = await startModelServer({ script: SCRIPT });
        const model = modelOn(server, endpoint);
        const fold = createFold<ToolSet>({ tools: { find }, strategy: 'dispatch' });
        const first = { ...fold.with(model), prompt: 'Go.', stopWhen: isStepCount(5) };
        const { responseMessages } = await generateText(first);
        const messages: ModelMessage[] = [
          { role: 'user', content: 'Go.' },
          ...responseMessages,
          { role: 'user', content: 'Write a title.' },
        ];
        const held = JSON.stringify(messages);
        if (way === 'stepMessages') await generateText({ model, messages: stepMessages(messages) });
        else await generateText({ ...fold.with(model, { strategy: false }), messages });
        assert.equal(JSON.stringify(messages), held);
        const last = server.requests.at(-1) ?? assert.fail();
        const ids = callsOn(last).map(({ id }) => id);
        assert.deepEqual([ids.length, resultsOn(last).map(({ id }) => id)], [2, ids]);
      });
    }
  }

  test('other messages stay as they are', () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }];
    assert.deepEqual(stepMessages(messages), messages);
  });
});
