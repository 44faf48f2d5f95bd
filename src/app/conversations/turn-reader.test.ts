import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnReader } from './turn-reader.ts';

test('a question waits until all that happened before is taken', async () => {
  const reader = new TurnReader<number>();
  const taken: number[] = [];
  const over = Promise.withResolvers<void>();
  async function* events() {
    yield 1;
    yield 2;
    await over.promise;
  }
  const reading = reader.read(events(), async (event) => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    taken.push(event);
  });
  await reader.caughtUp();
  assert.deepEqual(taken, [1, 2]);
  over.resolve();
  assert.equal(await reading, 2);
  await reader.caughtUp();
});

test('an event that cannot be taken ends the turn', async () => {
  const reader = new TurnReader<number>();
  let isOver = false;
  async function* events() {
    try {
      yield 1;
      yield 2;
    } finally {
      isOver = true;
    }
  }
  const reading = reader.read(events(), async () => {
    throw new Error('closed');
  });
  await assert.rejects(reading, /closed/);
  assert.ok(isOver);
  await reader.caughtUp();
});
