import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';

const SCRIPT: Reply[] = [
  { calls: [{ name: 'load_tools', arguments: { group_id: 'app', tool_names: ['find'] } }] },
  { calls: [DISPATCH.call('find', { name: 'Ada' })] },
  { text: 'Done.' },
];
const RUNS = { generateText, streamText } as const;

/** One generation of an app with own tools, and what it saw. */
async function play(
  run: keyof typeof RUNS,
  endpoint: (typeof ENDPOINTS)[number],
  settings: object,
  view: WithOptions = {},
) {
  await using server = await startModelServer({ script: SCRIPT });
  const find = tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'found' });
  const fold = createFold<ToolSet>({ tools: { find, other: find }, strategy: 'dispatch' });
  const result = await RUNS[run]({
    ...fold.with(modelOn(server, endpoint), view),
    prompt: 'Go.',
    ...settings,
  });
  const steps = await result.steps;
  const report = auditPrefix(server.requests);
  assert.ok(report.held, formatAuditReport(report));
  return {
    text: await result.text,
    steps: steps.length,
    called: steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)),
    outputs: steps.flatMap(({ toolResults }) =>
      toolResults.flatMap(({ toolName, output }) => (toolName === 'find' ? [output] : [])),
    ),
    requests: server.requests.length,
  };
}

for (const endpoint of ENDPOINTS) {
  describe(`promise 62: steps of an app, ${endpoint.name}`, () => {
    for (const run of ['generateText', 'streamText'] as const) {
      test(`promise 62: ${run}: one step holds the load and the real call`, async () => {
        for (const settings of [{}, { stopWhen: isStepCount(1) }, { toolChoice: 'required' }]) {
          const { steps, called, outputs, requests } = await play(run, endpoint, settings);
          assert.deepEqual([steps, called], [1, ['load_tools', 'find']]);
          assert.deepEqual([outputs, requests], [['found'], 2]);
        }
      });

      test(`promise 62: ${run}: three steps end in text, and so do two`, async () => {
        for (const count of [2, 3]) {
          const { text, steps } = await play(run, endpoint, { stopWhen: isStepCount(count) });
          assert.deepEqual([text, steps], ['Done.', 2]);
        }
      });

      test(`promise 62: ${run}: the option gives ordinary steps back`, async () => {
        const settings = { stopWhen: isStepCount(3) };
        const { steps, text } = await play(run, endpoint, settings, { loads: 'steps' });
        assert.deepEqual([text, steps], ['Done.', 3]);
      });
    }
  });
}
