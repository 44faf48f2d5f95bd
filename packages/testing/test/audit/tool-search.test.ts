import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type LanguageModel, stepCountIs, tool, toolSearch } from 'ai';
import { auditPrefix, formatAuditReport } from '../../src/audit/audit-prefix.ts';
import { fakeTools } from '../../src/doubles/fake-tools.ts';
import { type ModelServer, startModelServer } from '../../src/doubles/model-server.ts';

const MODELS: readonly (readonly [name: string, model: (server: ModelServer) => LanguageModel])[] =
  [
    [
      'Anthropic',
      (server) =>
        createAnthropic({ baseURL: server.baseUrl('anthropic'), apiKey: 'none' })(
          'claude-sonnet-4-5',
        ),
    ],
    [
      'OpenAI Responses',
      (server) =>
        createOpenAI({ baseURL: server.baseUrl('openai-responses'), apiKey: 'none' })('gpt-4.1'),
    ],
  ];

const script = [
  { calls: [{ name: 'toolSearch', arguments: { query: 'create issue' } }] },
  { calls: [{ name: 'create_issue', arguments: { issue_id: 'x' } }] },
  { text: 'Done.' },
];

// The same tools and task, with and without tool search of the AI SDK.
async function record(model: (server: ModelServer) => LanguageModel, deferLoading: boolean) {
  await using server = await startModelServer({
    script: deferLoading ? script : script.slice(1),
  });
  const tools = Object.fromEntries(
    fakeTools(8).map(({ name, description = '', inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema({ ...inputSchema }),
        deferLoading,
        execute: () => 'ok',
      }),
    ]),
  );
  const zebra = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'ok' });
  await generateText({
    model: model(server),
    tools: { ...(deferLoading && { toolSearch: toolSearch({ maxResults: 1 }) }), ...tools, zebra },
    prompt: 'File an issue.',
    stopWhen: stepCountIs(5),
    maxRetries: 0,
  });
  return server.requests;
}

for (const [name, model] of MODELS) {
  describe(`a recording of the AI SDK's toolSearch, ${name}`, () => {
    it('breaks the prefix in tools when a tool is discovered, and the auditor says where', async () => {
      const requests = await record(model, true);
      assert.equal(requests.length, 3);
      const report = auditPrefix(requests);
      assert.equal(report.held, false);
      assert.deepEqual(
        report.requests.map(({ held }) => held),
        [true, false, true],
        formatAuditReport(report),
      );
      // The discovered tool is inserted at its registered place, between the two declared tools.
      const [, broken] = report.requests;
      assert.equal(broken?.first?.block, 'tools[1]');
      assert.equal(broken?.first?.how, 'inserted');
      assert.match(broken?.first?.after ?? '', /create_issue/);
      assert.ok((broken?.lostTokens ?? 0) > 0);
    });

    it('holds with all tools declared from the start', async () => {
      const report = auditPrefix(await record(model, false));
      assert.equal(report.requests.length, 2);
      assert.equal(report.held, true, formatAuditReport(report));
    });
  });
}
