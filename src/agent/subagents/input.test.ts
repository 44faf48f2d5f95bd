import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOrder } from './input.ts';

const tasks = [{ id: 'a', task: 'x' }];

describe('an order', () => {
  test('promise 47: has the usual limits where it says nothing, and the caps where it says too much', () => {
    for (const [given, options, concurrency, timeout] of [
      [{}, {}, 4, 300_000],
      [{}, { concurrency: 2, timeout: 60 }, 2, 60_000],
      [{ concurrency: 3, timeout: 10 }, { concurrency: 2, timeout: 60 }, 3, 10_000],
      [{ concurrency: 100, timeout: 100_000 }, {}, 8, 900_000],
      [{ concurrency: 100 }, { wide: true }, 12, 300_000],
    ] as const) {
      const order = readOrder({ tasks, ...given }, options);
      assert.deepEqual([order.concurrency, order.timeout], [concurrency, timeout]);
      assert.equal(order.format, 'structured');
    }
  });
});
