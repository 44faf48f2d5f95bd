import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { auditPrefix } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { createFold } from '../../src/index.ts';

const WIPE = { tool_name: 'ops__wipe', arguments: {} };
const dispatched: Reply = { calls: [{ name: 'deferred_tool_call', arguments: WIPE }] };
const native: Reply = { calls: [{ name: 'ops__wipe', arguments: {} }] };
const load: Reply = { calls: [{ name: 'load_tools', arguments: { group_id: 'ops' } }] };
const done: Reply = { text: 'Done.' };

async function run(script: Reply[], policy: 'approved' | 'denied', copied = false) {
  let runs = 0;
  const execute = async () => {
    runs++;
    return 'wiped';
  };
  const fold = createFold({
    strategy: 'dispatch',
    groups: [
      {
        groupId: 'ops',
        loader: async () => [{ name: 'wipe', inputSchema: { type: 'object' }, execute }],
      },
    ],
  });
  await using server = await startModelServer({ script });
  const baseURL = server.baseUrl('anthropic');
  const { model, tools } = fold.with(
    createAnthropic({ apiKey: 'none', baseURL })('claude-sonnet-4-5'),
  );
  const set: ToolSet = copied ? { ...tools } : tools;
  const result = await generateText({
    model,
    tools: set,
    prompt: 'Go',
    stopWhen: isStepCount(6),
    maxRetries: 0,
    toolApproval: { ops__wipe: policy },
  });
  const called = result.steps.flatMap((step) => step.toolCalls.map((call) => call.toolName));
  const bodies = server.requests.map(({ raw }) => raw).join('\n');
  return { runs, called, bodies, held: auditPrefix(server.requests).held };
}

describe('tools that the snapshot lacks', () => {
  for (const [way, script] of [
    ['loaded first', [load, dispatched, done]],
    ['dispatched at once', [dispatched, dispatched, done]],
    ['called natively at once', [native, native, done]],
  ] as const) {
    test(`promise 22: are checked under their own name, ${way}`, async () => {
      const approved = await run([...script], 'approved');
      assert.equal(approved.runs, 1);
      assert.equal(approved.called.at(-1), 'ops__wipe');
      assert.ok(approved.held);
      const denied = await run([...script], 'denied');
      assert.equal(denied.runs, 0);
      assert.match(denied.bodies, /execution denied/);
      assert.ok(denied.held);
    });
  }

  test('promise 22: in a copied set, never bypass the policy and never list other tools', async () => {
    const { runs, bodies } = await run([dispatched, dispatched, done], 'denied', true);
    assert.equal(runs, 0);
    assert.doesNotMatch(bodies, /Available tools/i);
  });
});
