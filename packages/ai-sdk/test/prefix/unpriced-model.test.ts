import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import { definitionTokens, estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { auditPrefix } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount } from 'ai';
import { createFold } from '../../src/index.ts';

const UNPRICED = /no cache price is known, so each token counts once/;

/** A group whose source knows the size of its schemas, as an MCP server's listing tells it. */
function groupOf(name: string, count: number, seed: number): DeferredToolGroup {
  const tools = fakeTools(count, seed).map((tool) => ({
    ...tool,
    inputSchema: { ...tool.inputSchema, required: [] },
    execute: () => 'Two records wait for an answer.',
  }));
  const schemaTokens = tools.reduce(
    (sum, { name, description = '', inputSchema: parameters }) =>
      sum + definitionTokens({ name, description, parameters }, estimateTokens),
    0,
  );
  return {
    ...{ groupId: `mcp:${name}`, toolNames: tools.map((tool) => tool.name), schemaTokens },
    loader: async () => tools,
  };
}

const groups = (sizes: readonly number[]) =>
  sizes.map((count, n) => groupOf(`server${n}`, count, n + 1));

const local = (baseURL = 'http://127.0.0.1:1') =>
  createOpenAICompatible({ name: 'local', baseURL })('some-model');

/** Tokens that an engine which keeps its cache has to process for one task of four calls. */
async function processed(
  groups: readonly DeferredToolGroup[],
  strategy: 'eager' | 'dispatch',
): Promise<number> {
  const replies = repliesOf(groups, strategy);
  await using server = await startModelServer({ script: replies });
  const fields = createFold({ groups, strategy }).with(local(server.baseUrl('openai-chat')));
  await generateText({ ...fields, prompt: 'What is open?', stopWhen: isStepCount(20) });
  assert.equal(server.requests.length, replies.length);
  return auditPrefix(server.requests, { countTokens: estimateTokens }).totals.newTokens;
}

function repliesOf(groups: readonly DeferredToolGroup[], strategy: string): Reply[] {
  const wanted = groups.slice(0, 2).map(({ groupId, toolNames = [] }) => ({
    groupId,
    names: toolNames.slice(0, 4 / Math.min(2, groups.length)),
  }));
  const replies = wanted.flatMap(({ groupId, names }) => {
    const calls = names.map((bare) => {
      const name = `${groupId.slice('mcp:'.length)}__${bare}`;
      return strategy === 'eager'
        ? { name, arguments: {} }
        : { name: 'deferred_tool_call', arguments: { tool_name: name, arguments: {} } };
    });
    const load = { name: 'load_tools', arguments: { group_id: groupId, tool_names: names } };
    return [...(strategy === 'eager' ? [] : [load]), ...calls];
  });
  return [...replies.map((call) => ({ calls: [call] })), { text: 'Two records.' }];
}

suite('auto on a model whose cache price nobody knows', () => {
  for (const sizes of [[4], [30], [14, 9, 6], [15, 15, 15, 15, 15, 15, 15, 15]]) {
    test(`promise 34: chooses what has fewer tokens to process: ${sizes.join(', ')} tools`, async () => {
      const made = groups(sizes);
      const { strategy, reason } = createFold({ groups: made }).explain(local());
      assert.match(reason, UNPRICED);
      const [eager, dispatch] = [await processed(made, 'eager'), await processed(made, 'dispatch')];
      assert.equal(strategy, dispatch < eager ? 'dispatch' : 'eager', `${dispatch} and ${eager}`);
    });
  }

  test('a price that the table or the app knows is used, and no other model is concerned', () => {
    const made = groups([30]);
    const fold = createFold({ groups: made });
    const claude = createAnthropic({ apiKey: 'none' })('claude-sonnet-4-5');
    assert.doesNotMatch(fold.explain(claude).reason, UNPRICED);
    assert.match(fold.explain(local()).reason, UNPRICED);
    const row = { provider: 'local*', model: '*', write: 1, read: 0.5 };
    const own = createFold({ groups: made, prices: [row] });
    assert.doesNotMatch(own.explain(local()).reason, UNPRICED);
    const forAll = createFold({ groups: made, auto: { prices: { write: 1, read: 0.5 } } });
    assert.doesNotMatch(forAll.explain(local()).reason, UNPRICED);
    const asked = createFold({ groups: made, auto: { prices: 'unknown' } });
    assert.match(asked.explain(claude).reason, UNPRICED);
  });
});
