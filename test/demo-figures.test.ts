import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createFold } from '@toolfold/ai-sdk';
import { estimateTokens } from '@toolfold/core';
import { blocksOf, fakeGroup, type Reply, startModelServer } from '@toolfold/testing';
import { generateText, isStepCount } from 'ai';
import {
  eagerTokens,
  leastPaid,
  type RequestFigures,
  requestCounter,
} from '../examples/demo/request-figures.ts';

const IDS = ['1', '2', '3', '4'];
const load = { name: 'load_tools', arguments: { group_id: 'mcp:tracker' } };
const inputOf = (issue_id: string) => ({ issue_id, amount: 1 });

/** What the model writes: four calls, each in a step of its own, and an answer. */
const SCRIPTS: Readonly<Record<'dispatch' | 'eager', readonly Reply[]>> = {
  dispatch: [
    { calls: [load] },
    ...IDS.map((id) => ({
      calls: [
        {
          name: 'deferred_tool_call',
          arguments: { tool_name: 'get_issue', arguments: inputOf(id) },
        },
      ],
    })),
    { text: 'Done.' },
  ],
  eager: [
    ...IDS.map((id) => ({ calls: [{ name: 'tracker__get_issue', arguments: inputOf(id) }] })),
    { text: 'Done.' },
  ],
};

const MODELS = {
  anthropic: (baseURL: string) => createAnthropic({ apiKey: 'none', baseURL })('claude-sonnet-4-5'),
  'openai-responses': (baseURL: string) => createOpenAI({ apiKey: 'none', baseURL })('gpt-5.4'),
} as const;

for (const format of ['anthropic', 'openai-responses'] as const) {
  test(`what the demo says of eager is near what eager sends and pays: ${format}`, async () => {
    const play = async (strategy: 'dispatch' | 'eager') => {
      await using server = await startModelServer({ script: SCRIPTS[strategy] });
      const model = MODELS[format](server.baseUrl(format));
      const fold = createFold({
        strategy,
        groups: [fakeGroup({ groupId: 'mcp:tracker', count: 40 })],
      });
      await generateText({ ...fold.with(model), prompt: 'Four issues.', stopWhen: isStepCount(9) });
      return { model, fold, requests: server.requests };
    };
    const [folded, { model, requests }] = [await play('dispatch'), await play('eager')];
    assert.deepEqual([folded.requests.length, requests.length], [6, 5]);
    const all = folded.fold.layer.session({ strategy: 'eager' });
    await all.prepare();
    const { tools } = all.present([]);
    // The first request of a step is that of a load.
    const said = folded.requests.slice(1).map((request) => eagerTokens(request, tools));
    const counted = requests.map((request) =>
      blocksOf(request).reduce((sum, { text }) => sum + estimateTokens(text), 0),
    );
    for (const [at, tokens] of counted.entries())
      assert.ok(Math.abs((said[at] ?? 0) / tokens - 1) < 0.05, `${said} are not near ${counted}`);
    const figures: RequestFigures[] = requests.map(requestCounter(model));
    const paid = figures.reduce((sum, one) => sum + (one.paid ?? Number.NaN), 0);
    const least = leastPaid(model, counted) ?? Number.NaN;
    assert.ok(least <= paid + 0.01 && least > 0.9 * paid, `${least} of ${paid}`);
  });
}

test('without known prices the demo says nothing of what eager pays', () => {
  assert.equal(leastPaid({ provider: 'local.chat', modelId: 'any' }, [1, 2]), undefined);
});
