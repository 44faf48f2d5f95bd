import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { StdioServerEntry } from '../../src/config/config.ts';
import { callTimeoutOf, Slots, timesOf } from '../../src/server/calls.ts';
import { backOff } from '../../src/server/link.ts';

test('the first attempt after a crash waits for nothing, later ones wait longer, a minute at most', () => {
  const delays = Array.from({ length: 12 }, (_, failures) => backOff(failures, 1));
  assert.deepEqual(
    delays,
    [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((n) => n * 1000),
  );
  assert.ok(backOff(100_000) <= 60_000);
  assert.equal(backOff(2, 0), 800);
});

test('slots are given in order, and back once', async () => {
  const slots = new Slots(2);
  const order: number[] = [];
  const first = await slots.take();
  await slots.take();
  const waiting = [1, 2, 3].map(async (n) => {
    const giveBack = await slots.take();
    order.push(n);
    return giveBack;
  });
  await turn();
  assert.deepEqual(order, []);
  first();
  first();
  await turn();
  assert.deepEqual(order, [1]);
  (await waiting[0])?.();
  await turn();
  assert.deepEqual(order, [1, 2]);
});

test('who stops waiting for a slot does not get one', async () => {
  const slots = new Slots(1);
  const giveBack = await slots.take();
  const stop = new AbortController();
  const stopped = slots.take(stop.signal);
  const next = slots.take();
  stop.abort(new Error('enough'));
  await assert.rejects(stopped, /enough/);
  await assert.rejects(slots.take(stop.signal), /enough/);
  giveBack();
  (await next)();
  await slots.take();
});

test('times of an entry, of its tools, and their defaults', () => {
  const entry: StdioServerEntry = {
    kind: 'stdio',
    command: 'x',
    args: [],
    env: new Map(),
    secrets: [],
  };
  assert.deepEqual(timesOf(entry, 7), {
    idle: 7,
    start: 30_000,
    call: 600_000,
    maxCall: 3_600_000,
    tools: [],
    maxCalls: 32,
  });
  const times = timesOf(
    {
      ...entry,
      lifecycle: {
        keepAlive: true,
        callTimeout: 50,
        maxCallTime: 700,
        maxCalls: 1,
        toolTimeouts: [
          ['slow_*', 900],
          ['slow_but_not_so', 100],
        ],
      },
    },
    7,
  );
  assert.equal(times.idle, undefined);
  assert.equal(times.maxCalls, 1);
  assert.equal(times.maxCall, 700);
  assert.deepEqual(
    ['fast', 'slow_one', 'slow_but_not_so'].map((tool) => callTimeoutOf(times, tool)),
    [50, 900, 100],
  );
});
