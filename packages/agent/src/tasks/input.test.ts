import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOrder } from './tool.ts';

const tasks = [{ id: 'a', task: 'x' }];

describe('the input of the tool', () => {
  test('promise 47: gets the defaults for missing limits, and the caps for limits that are too high', async () => {
    for (const [given, options, concurrency, timeout] of [
      [{}, {}, 4, 300_000],
      [{}, { concurrency: 2, timeout: 60 }, 2, 60_000],
      [{ concurrency: 3, timeout: 10 }, { concurrency: 2, timeout: 60 }, 3, 10_000],
      [{ concurrency: 100, timeout: 100_000 }, {}, 8, 900_000],
      [{ concurrency: 100 }, { wide: true }, 12, 300_000],
    ] as const) {
      const order = await readOrder({ tasks, ...given }, options);
      assert.deepEqual([order.concurrency, order.timeout], [concurrency, timeout]);
      assert.equal(order.format, 'structured');
    }
  });

  test('promise 47: that does not match the schema is refused with its problems, also if the SDK has checked it', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `t${n}`, task: 'x' }));
    for (const [given, wide, expected] of [
      [{ tasks: many(11) }, false, /tasks/],
      [{ tasks: many(51) }, true, /tasks/],
      [{ tasks: [] }, false, /tasks/],
      [{}, false, /tasks/],
      [{ tasks: JSON.stringify(many(2)) }, false, /tasks/],
      [null, false, /object/],
      [{ tasks: [{ id: 'a\n', task: 'x' }] }, false, /tasks\/0\/id/],
      [{ tasks: [{ id: 'ünï', task: 'x' }] }, false, /tasks\/0\/id/],
      [{ tasks: [{ id: 'a'.repeat(65), task: 'x' }] }, false, /tasks\/0\/id/],
      [{ tasks: [{ id: 'a', task: '' }] }, false, /tasks\/0\/task/],
      [{ tasks: [{ id: 'a', task: 'x', role: 'admin' }] }, false, /role/],
      [{ tasks, concurrency: 0 }, false, /concurrency/],
      [{ tasks, concurrency: 2.5 }, false, /concurrency/],
      [{ tasks, timeout: -1 }, false, /timeout/],
      [{ tasks, format: 'long' }, false, /format/],
      [{ tasks, more: 1 }, false, /more/],
    ] as const) {
      await assert.rejects(readOrder(given, { wide }), ({ message }: Error) => {
        const { error, problems } = JSON.parse(message);
        assert.equal(error, 'invalid_arguments');
        assert.match(problems.join(), expected);
        return true;
      });
    }
  });

  test('accepts the roles that the app offers', async () => {
    const asked = { tasks: [{ id: 'a', task: 'x', role: 'research' }] };
    assert.equal((await readOrder(asked, { roles: ['research'] })).tasks[0]?.role, 'research');
    await assert.rejects(readOrder(asked, { roles: ['coder'] }), /role/);
  });
});
