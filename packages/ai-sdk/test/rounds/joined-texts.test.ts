import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

const load = { name: 'load_tools', arguments: { group_id: 'app' } };

test('the text of a step joins the texts of its requests; `loads: steps` keeps them apart', async () => {
  for (const [loads, texts] of [
    ['model-call', ['One moment.Done.']],
    ['steps', ['One moment.', 'Done.']],
  ] as const) {
    const script = [{ text: 'One moment.', calls: [load] }, { text: 'Done.' }];
    await using server = await startModelServer({ script });
    const find = tool({ inputSchema: z.object({}), execute: async () => 'found' });
    const fold = createFold<ToolSet>({ tools: { find }, strategy: 'dispatch', loads });
    const fields = fold.with(modelOn(server, ENDPOINTS[2] ?? assert.fail()));
    const { steps } = await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(3) });
    assert.deepEqual(
      steps.map(({ text }) => text),
      texts,
    );
  }
});
