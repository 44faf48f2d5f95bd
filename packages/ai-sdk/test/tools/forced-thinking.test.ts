import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, Output, streamText } from 'ai';
import { z } from 'zod';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';

const anthropic = ENDPOINTS[0] as Endpoint;
const thinking = {
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } },
};

/** Requests in which Anthropic's provider declares only the named tool, if it is asked for it by name. */
const NARROWING = [
  { name: 'thinking', modelId: 'claude-sonnet-4-5', settings: { providerOptions: thinking } },
  { name: 'a model that always thinks', modelId: 'claude-opus-5-5', settings: {} },
  {
    name: 'JSON of a schema',
    modelId: 'claude-sonnet-4-0',
    settings: { output: Output.object({ schema: z.object({ a: z.string() }) }) },
    // The provider declares a tool for the answer.
    answer: { calls: [{ name: 'json', arguments: { a: 'b' } }] },
  },
] as const satisfies { answer?: Reply; [key: string]: unknown }[];
const question = { question: 'why' };

describe('promise 19: a forced tool where the provider cannot force one', () => {
  for (const { name, modelId, settings, ...row } of NARROWING) {
    const answer: Reply = 'answer' in row ? row.answer : { text: 'Hi.' };
    for (const forced of ['ask', 'deploy'] as const) {
      test(`promise 19: ${name}, ${forced}: all tools stay declared, and a text asks for the call`, async () => {
        for (const run of [generateText, streamText]) {
          const call =
            forced === 'ask'
              ? { name: 'ask', arguments: question }
              : DISPATCH.call('deploy', { target: 'x' });
          await using server = await startModelServer({
            script: [answer, { calls: [call] }, answer],
          });
          const runs: Runs = [];
          const fold = createFold({ ...foldOptions(runs), groups: [] });
          const fields = { ...fold.with(modelOn(server, anthropic, modelId)), ...settings };
          const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }];
          const say = async (more: object) => {
            const result = await run({ ...fields, messages, stopWhen: isStepCount(1), ...more });
            messages.push(...(await result.responseMessages), { role: 'user', content: 'Go.' });
          };
          await say({});
          await say({ toolChoice: { type: 'tool', toolName: forced } });
          await say({});
          assert.deepEqual(
            runs.map(({ tool }) => tool),
            [forced],
          );
          const [first, second] = server.requests;
          assert.ok(first && second);
          assert.deepEqual(toolsOn(second), toolsOn(first));
          assert.match(second.raw, new RegExp(`call ${forced} now`));
          const report = auditPrefix(server.requests);
          assert.ok(report.held, formatAuditReport(report));
        }
      });
    }
  }

  test('promise 19: without thinking the provider is asked for the dispatcher, or for the tool itself', async () => {
    const forced = async (toolName: string) => {
      const name = toolName === 'ask' ? { name: 'ask', arguments: question } : undefined;
      await using server = await startModelServer({
        script: [{ calls: [name ?? DISPATCH.call('deploy', { target: 'x' })] }],
      });
      const fold = createFold({ ...foldOptions([]), groups: [] });
      const toolChoice = { type: 'tool', toolName } as never;
      await generateText({ ...fold.with(modelOn(server, anthropic)), prompt: 'Go.', toolChoice });
      const [request] = server.requests;
      return JSON.stringify(request?.body.tool_choice);
    };
    assert.match(await forced('ask'), /"name":"ask"/);
    assert.match(await forced('deploy'), /"name":"deferred_tool_call"/);
  });
});
