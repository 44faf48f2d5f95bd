import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '../ai-sdk/endpoints.test-support.ts';
import { DISPATCH } from '../ai-sdk/scenarios.test-support.ts';
import { type Reply, startModelServer } from '../testing/index.ts';
import { begin, collect, ended } from './agent.test-support.ts';
import type { AgentEvent } from './events.ts';

const silent = ENDPOINTS.find(({ name }) => name === 'openai-compatible') ?? assert.fail();
const models = { 'local-model': { price: { input: 10, output: 100 } } };
const usagesIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? [event] : []));

describe('answers whose cost nobody says', () => {
  test('are counted by our own count, text and calls, and priced', async () => {
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

  test('are counted without tools too', async () => {
    await using server = await startModelServer({ script: [{ text: 'A few words.' }] });
    const { talk } = begin(server, { endpoint: silent });
    talk.setTools(false);
    const [usage] = usagesIn(await collect(talk.send('Go.')));
    assert.ok(usage?.isEstimate && usage.input > 0 && usage.output > 0);
  });

  test('are taken at their word where they say something', async () => {
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

describe('a request that failed', () => {
  const failed = async (reply: Reply) => {
    await using server = await startModelServer({ script: [reply] });
    const { talk } = begin(server);
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'error');
    return { usages: usagesIn(events), requests: talk.spending.own.requests };
  };

  test('in the middle of its answer is counted as far as it came', async () => {
    const reply = { text: 'word '.repeat(400), chunkSize: 100, abortAfter: 10 };
    const { usages, requests } = await failed(reply);
    assert.equal(requests, 1);
    assert.ok(usages[0]?.isEstimate && usages[0].input > 0 && usages[0].output > 10);
  });

  test('before it had answered anything costs nothing', async () => {
    const { usages, requests } = await failed({ error: { status: 500, body: 'No.' } });
    assert.deepEqual([usages, requests], [[], 0]);
  });
});
