import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOf, wire } from './channel.test-support.ts';

interface Given {
  readonly timeout?: number;
  readonly maxTime?: number;
}

/** When the request is given up, in milliseconds, if the server reports progress every `every` of them. */
const rows: readonly (readonly [
  name: string,
  given: Given,
  every: number,
  late: number | 'never',
])[] = [
  ['without progress', { timeout: 50, maxTime: 500 }, 10_000, 50],
  ['with progress in time', { timeout: 50, maxTime: 500 }, 40, 500],
  ['with progress that comes too late', { timeout: 50, maxTime: 500 }, 60, 50],
  ['with progress that means nothing', { timeout: 50 }, 10, 50],
  ['with a longer time than the most', { timeout: 900, maxTime: 500 }, 10, 900],
  ['without a limit', {}, 10_000, 'never'],
];

for (const [name, given, every, late] of rows)
  test(`a request ${name}`, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { channel, sent, receive } = await wire();
    let ended: number | 'never' = 'never';
    let now = 0;
    let isMax: unknown;
    const request = channel
      .request('x/y', {}, { ...given, onProgress: () => {} })
      .catch((error) => {
        isMax = error.isMax;
      });
    const [id] = idsOf(sent);
    const params = { progressToken: id, progress: 1 };
    while (now < 2_000) {
      now += 10;
      context.mock.timers.tick(10);
      if (ended === 'never' && sent.some(({ method }) => method === 'notifications/cancelled'))
        ended = now;
      if (now % every === 0) receive({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    assert.equal(ended, late);
    if (late === 'never') return receive({ jsonrpc: '2.0', id, result: {} });
    await request;
    assert.equal(isMax, late === 500);
  });
