import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { Conversation } from '../conversation.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const { call } = DISPATCH;
const stopWhen = isStepCount(6);

async function resultsOf(
  endpoint: Endpoint,
  options: FoldOptions<ToolSet>,
  replies: Reply[],
): Promise<string[]> {
  await using server = await startModelServer({ script: [...replies, { text: 'Done.' }] });
  await generateText({
    ...createFold(options).with(modelOn(server, endpoint)),
    prompt: 'Go',
    stopWhen,
  });
  return resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
}

describe('promise 36: results as data', () => {
  for (const endpoint of ENDPOINTS) {
    test(`promise 36: third-party results and errors are framed, Toolfold's and the app's own are not, ${endpoint.name}`, async () => {
      const calls = [
        DISPATCH.load('mcp:github', 'list_issues'),
        call('github__list_issues', {}),
        call('github__explode', {}),
        { name: 'ask', arguments: { question: 'q' } },
        call('github__create_issue', {}),
      ];
      const texts = await resultsOf(endpoint, { ...foldOptions([]), frameResults: true }, [
        { calls },
      ]);
      const framed = texts.map((text) => text.includes('not instructions'));
      assert.deepEqual(framed, [false, true, true, false, false]);
      const plain = await resultsOf(endpoint, foldOptions([]), [{ calls }]);
      assert.ok(plain.every((text) => !text.includes('not instructions')));
    });
  }
});

describe('a group of AI SDK tools', () => {
  const endpoint = ENDPOINTS[0] as Endpoint;
  const sdkGroup = (runs: Runs): FoldOptions<ToolSet> => ({
    strategy: 'dispatch',
    groups: [
      {
        groupId: 'kit',
        toolNames: ['short', 'stream', 'guarded', 'odd'],
        loader: async () => ({
          short: tool({
            inputSchema: z.object({ n: z.number().default(7) }),
            execute: ({ n }) => ({ n, secret: 'x'.repeat(100) }),
            toModelOutput: ({ output }) => ({ type: 'text', value: `n is ${output.n}` }),
          }),
          stream: tool({
            inputSchema: z.object({}),
            async *execute() {
              yield 'one';
              yield 'two';
            },
          }),
          guarded: tool({
            inputSchema: z.object({ amount: z.number() }),
            needsApproval: ({ amount }) => amount > 10,
            execute: ({ amount }, { toolCallId }) => {
              runs.push({ tool: 'guarded', input: amount, id: toolCallId });
              return amount;
            },
          }),
          extra: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'extra' }),
        }),
      },
    ],
  });

  test('the toModelOutput, defaults and partial results of the tools; the same in a new process', async () => {
    for (const route of ['json', 'ui'] as const) {
      const script = [
        { calls: [call('kit__short', {}), call('kit__stream', {})] },
        { text: 'Done.' },
        { text: 'Bye.' },
      ];
      await using server = await startModelServer({ script });
      const fold = () => createFold(sdkGroup([])) as Fold<ToolSet>;
      const conversation = new Conversation({
        mode: 'stream',
        route,
        model: modelOn(server, endpoint),
        fold,
      });
      await conversation.say('Go.');
      await conversation.say('And?');
      const report = auditPrefix(server.requests);
      assert.ok(report.held, formatAuditReport(report));
      const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
      assert.deepEqual(texts, ['n is 7', 'two']);
    }
  });

  test('promise 9: the needsApproval of a tool is asked, by every route of the call', async () => {
    const ways: { calls: Reply['calls'] & object; asked: string[]; ran: unknown[] }[] = [
      { calls: [call('kit__guarded', { amount: 50 })], asked: ['kit__guarded'], ran: [] },
      { calls: [call('kit__guarded', { amount: 5 })], asked: [], ran: [5] },
      {
        calls: [{ name: 'kit__guarded', arguments: { amount: 50 } }],
        asked: ['kit__guarded'],
        ran: [],
      },
      // The snapshot lacks the tool: the SDK cannot ask for approval in this step, so the tool does not run.
      { calls: [call('kit__extra', {})], asked: [], ran: [] },
      // After another call, its group has not loaded when the SDK asks for approval: the tool does not run.
      { calls: [DISPATCH.load('kit'), call('kit__guarded', { amount: 50 })], asked: [], ran: [] },
    ];
    for (const { calls, asked, ran } of ways) {
      const runs: Runs = [];
      await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
      const result = await generateText({
        ...createFold(sdkGroup(runs)).with(modelOn(server, endpoint)),
        prompt: 'Go',
        stopWhen,
      });
      const requests = result.content.flatMap((part) =>
        part.type === 'tool-approval-request' ? [part.toolCall.toolName] : [],
      );
      assert.deepEqual(requests, asked);
      assert.deepEqual(
        runs.map(({ input }) => input),
        ran,
      );
    }
  });

  test('promise 9: an approved call runs after a resume in another process', async () => {
    const runs: Runs = [];
    await using server = await startModelServer({
      script: [{ calls: [call('kit__guarded', { amount: 50 })] }, { text: 'Done.' }],
    });
    const model = modelOn(server, endpoint);
    const asked = await generateText({ ...createFold(sdkGroup(runs)).with(model), prompt: 'Go' });
    const request =
      asked.content.find((part) => part.type === 'tool-approval-request') ?? assert.fail();
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Go' },
      ...JSON.parse(JSON.stringify(asked.responseMessages)),
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: request.approvalId, approved: true },
        ],
      },
    ];
    await generateText({ ...createFold(sdkGroup(runs)).with(model), messages });
    assert.deepEqual(
      runs.map(({ input }) => input),
      [50],
    );
  });
});
