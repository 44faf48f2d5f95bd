import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  LanguageModelV4,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { createFold } from '@toolfold/ai-sdk';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { APICallError, simulateReadableStream } from 'ai';
import { begin, collect, ended } from '../../test/agent.test-support.ts';
import { until } from '../../test/subagents/until.test-support.ts';
import { createAgent } from '../agent/agent.ts';
import type { AgentEvent } from '../events/events.ts';
import type { AgentFold } from '../options/options.ts';

/** Time limit for tests that wait for a condition. */
const LIMITED = { timeout: 60_000 };
const silent = ENDPOINTS.find(({ name }) => name === 'openai-compatible') ?? assert.fail();
const models = { 'local-model': { price: { input: 10, output: 100 } } };
const usagesIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? [event] : []));

/** A model that answers 400 words and reports the given usage. */
const said = (usage: object): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'p.chat',
  modelId: 'm',
  supportedUrls: {},
  doGenerate: () => assert.fail(),
  doStream: async () => ({
    stream: simulateReadableStream<LanguageModelV4StreamPart>({
      chunks: [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'word '.repeat(400) },
        { type: 'text-end', id: '1' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: usage as LanguageModelV4Usage,
        },
      ],
    }),
  }),
});

describe('answers without usage', () => {
  test('are estimated from text and calls, and priced', async () => {
    const long = 'word '.repeat(400);
    const script: Reply[] = [
      { calls: [DISPATCH.call('github__list_issues', { state: long })], chunkSize: 100 },
      { text: long },
    ];
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { endpoint: silent, agent: { models } });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'done');
    const requests = events.flatMap((event) => (event.type === 'request' ? [event] : []));
    const usages = usagesIn(events);
    assert.equal(usages.length, 2);
    for (const [n, { input, output, isEstimate, cost }] of usages.entries()) {
      assert.equal(isEstimate, true);
      assert.equal(input, requests[n]?.tokens.total);
      assert.ok(output > 350 && output < 500, String(output));
      assert.equal(cost, (input * 10 + output * 100) / 1e6);
    }
    assert.deepEqual([talk.spending.own.requests, talk.spending.own.unpriced], [2, 0]);
  });

  test('are also counted without tools', async () => {
    await using server = await startModelServer({ script: [{ text: 'A few words.' }] });
    const { talk } = begin(server, { endpoint: silent });
    talk.setTools(false);
    const [usage] = usagesIn(await collect(talk.send('Go.')));
    assert.ok(usage?.isEstimate && usage.input > 0 && usage.output > 0);
  });

  test('keep the reported usage if there is one', async () => {
    for (const endpoint of ENDPOINTS.filter((each) => each !== silent)) {
      await using server = await startModelServer({ script: [{ text: 'A few words.' }] });
      const { talk } = begin(server, { endpoint });
      const usages = usagesIn(await collect(talk.send('Go.')));
      assert.deepEqual(
        usages.map(({ isEstimate }) => isEstimate),
        [undefined],
        endpoint.name,
      );
    }
  });
});

describe('incomplete usage', () => {
  const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

  test('is completed by an estimate, and is never negative', async () => {
    for (const [input, output, isEstimate] of [
      [100, 0, true],
      [undefined, 50, true],
      [-5, -5, true],
      [100, 50, undefined],
    ] as const) {
      const model = said({
        inputTokens: { total: input, ...none },
        outputTokens: { total: output },
      });
      const talk = createAgent({ model, fold: createFold() as unknown as AgentFold });
      const [usage] = usagesIn(await collect(talk.send('Go.')));
      assert.equal(usage?.isEstimate, isEstimate);
      assert.ok(input === 100 ? usage?.input === 100 : (usage?.input ?? 0) > 0);
      assert.ok(output === 50 ? usage?.output === 50 : (usage?.output ?? 0) > 350);
      assert.equal(talk.spending.own.estimated, isEstimate ? 1 : 0);
    }
  });

  test('keeps the cached tokens', async () => {
    const cached = { noCache: undefined, cacheRead: 900, cacheWrite: 50, total: undefined };
    const model = said({ inputTokens: cached, outputTokens: { total: 5 } });
    const talk = createAgent({ model, fold: createFold() as unknown as AgentFold });
    const [usage] = usagesIn(await collect(talk.send('Go.')));
    assert.ok(usage?.isEstimate && usage.input >= 950, String(usage?.input));
  });

  test('the content of a file is not counted as text', async () => {
    const model = said({ inputTokens: none, outputTokens: {} });
    const content = [
      { type: 'file' as const, data: new Uint8Array(100_000), mediaType: 'image/png' },
    ];
    const talk = createAgent({
      model,
      fold: createFold() as unknown as AgentFold,
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'A picture.' },
      ],
    });
    talk.setTools(false);
    const [usage] = usagesIn(await collect(talk.send('Go.')));
    // This model sees no pictures: a line stands in its place.
    assert.ok((usage?.input ?? 0) > 0 && (usage?.input ?? 0) < 100, String(usage?.input));
  });
});

test('a quick question is also counted during a turn', LIMITED, async (context) => {
  const gate = Promise.withResolvers<void>();
  const script: Reply[] = [{ text: 'Turn.', hold: gate.promise }, { text: 'A few words.' }];
  await using server = await startModelServer({ script });
  const { talk } = begin(server, { endpoint: silent });
  const turn = collect(talk.send('Go.'));
  await until(context, () => server.requests.length > 0);
  assert.equal((await talk.ask('Well?')).text, 'A few words.');
  assert.equal(talk.spending.own.requests, 1);
  gate.resolve();
  await turn;
  assert.equal(talk.spending.own.requests, 2);
});

test('a refused request costs nothing, also if the turn is cancelled before the next request', async () => {
  const refused = Promise.withResolvers<void>();
  const refusing: LanguageModelV4 = {
    ...said({}),
    doStream: () => {
      // The SDK waits before it retries.
      setImmediate(refused.resolve);
      const about = { url: 'http://127.0.0.1', requestBodyValues: {}, statusCode: 429 };
      throw new APICallError({ message: 'Later.', isRetryable: true, ...about });
    },
  };
  const talk = createAgent({ model: refusing, fold: createFold() as unknown as AgentFold });
  const controller = new AbortController();
  const turn = collect(talk.send('Go.', { signal: controller.signal }));
  await refused.promise;
  controller.abort();
  assert.equal(ended(await turn).reason, 'cancelled');
  assert.equal(talk.spending.own.requests, 0);
});

test('a request that was never sent is not counted', async () => {
  for (const endpoint of ENDPOINTS) {
    await using server = await startModelServer({ script: [] });
    const { talk } = begin(server, { endpoint });
    const controller = new AbortController();
    controller.abort();
    const events = await collect(talk.send('Go.', { signal: controller.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual([server.requests.length, talk.spending.own.requests], [0, 0]);
  }
});

test(
  'a quick question that is cancelled is counted as if it had been charged',
  LIMITED,
  async (context) => {
    const hold = new Promise<never>(() => {});
    await using server = await startModelServer({ script: [{ text: 'Never.', hold }] });
    const { talk } = begin(server);
    const controller = new AbortController();
    const asked = talk.ask('Well?', { signal: controller.signal });
    await until(context, () => server.requests.length > 0);
    controller.abort();
    await assert.rejects(asked);
    assert.deepEqual([talk.spending.own.requests, talk.spending.own.estimated], [1, 1]);
  },
);

describe('a request that failed', () => {
  const failed = async (reply: Reply) => {
    await using server = await startModelServer({ script: [reply] });
    const { talk } = begin(server);
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'error');
    return { usages: usagesIn(events), requests: talk.spending.own.requests };
  };

  test('during its answer is counted up to that point', async () => {
    const reply = { text: 'word '.repeat(400), chunkSize: 100, abortAfter: 10 };
    const { usages, requests } = await failed(reply);
    assert.equal(requests, 1);
    assert.ok(usages[0]?.isEstimate && usages[0].input > 0 && usages[0].output > 10);
  });

  test('before its answer began costs nothing', async () => {
    const { usages, requests } = await failed({ error: { status: 500, body: 'No.' } });
    assert.deepEqual([usages, requests], [[], 0]);
  });
});
