import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { APICallError } from 'ai';
import { DISPATCH } from '../scenarios.test-support.ts';
import {
  failing,
  heldReply,
  PROVIDERS,
  reading,
  rejections,
  run,
  world,
} from './failures.test-support.ts';
import { BUG, CREATE, GITHUB, MODES } from './rounds.test-support.ts';

const { load, call } = DISPATCH;
const LINEAR = 'mcp:linear';
const first: Reply = { text: 'Wait.', calls: [load(GITHUB)] };
const later: readonly Reply[] = [
  { calls: [load(LINEAR)] },
  { calls: [call(CREATE, BUG)] },
  { text: 'Done.' },
];

for (const provider of PROVIDERS) {
  for (const mode of MODES) {
    describe(`a request of a later round that fails, ${provider}, ${mode}`, () => {
      for (const status of [429, 500, 503]) {
        test(`promise 62: is sent again alone: ${status}`, async (t) => {
          const unhandled = rejections(t);
          await using w = await world(provider, [
            first,
            failing(status),
            failing(status),
            ...later,
          ]);
          const { error, text, steps } = await run(w, mode);
          assert.equal(error, undefined);
          assert.equal(text, mode === 'stream' ? 'Wait.Done.' : 'Done.');
          assert.equal(steps, 2);
          const raw = w.server.requests.map((request) => request.raw);
          assert.equal(raw.length, 6);
          assert.equal(raw[1], raw[2]);
          assert.equal(raw[2], raw[3]);
          const names = w.events.map((event) => `${event.name} ${event.outcome}`);
          assert.equal(names.length, 3, names.join());
          assert.equal(new Set(w.events.map(({ id }) => id)).size, 3);
          assert.equal(w.runs.length, 1);
          assert.deepEqual(await unhandled(), []);
        });
      }

      test('an error that stays reaches the app, and the rounds so far are not repeated', async (t) => {
        const unhandled = rejections(t);
        await using w = await world(provider, [first, failing(400)]);
        const { error } = await run(w, mode);
        assert.ok(APICallError.isInstance(error), String(error));
        assert.equal(error.statusCode, 400);
        assert.equal(w.server.requests.length, 2);
        assert.equal(w.events.length, 1);
        assert.deepEqual(await unhandled(), []);
      });

      test('an error that stays for all attempts reaches the app', async (t) => {
        const unhandled = rejections(t);
        const replies = [first, ...Array.from({ length: 9 }, () => failing(500))];
        await using w = await world(provider, replies);
        const { error } = await run(w, mode);
        assert.match(String(error), /HTTP 500/);
        assert.equal(w.server.requests.length, 4);
        assert.equal(w.events.length, 1);
        assert.deepEqual(await unhandled(), []);
      });

      test('a connection that closes in a later round is an error', async (t) => {
        const unhandled = rejections(t);
        const cut: Reply = { text: 'And so on.', calls: [load(LINEAR)], abortAfter: 3 };
        await using w = await world(provider, [first, cut, cut, cut, cut]);
        const { error } = await run(w, mode, { maxRetries: 0 });
        assert.ok(error, 'no error');
        assert.deepEqual(await unhandled(), []);
      });

      test('an abort ends a request of a later round', async (t) => {
        const unhandled = rejections(t);
        const held = heldReply();
        const controller = new AbortController();
        await using w = await world(provider, [first, held.reply]);
        const running = run(w, mode, { abortSignal: controller.signal });
        await held.asked;
        controller.abort();
        const { isAborted } = await running;
        assert.ok(isAborted);
        assert.equal(w.signals[1]?.aborted, true);
        assert.equal(w.server.requests.length, 2);
        held.release();
        assert.deepEqual(await unhandled(), []);
      });
    });
  }

  describe(`a request of a later round that fails, ${provider}`, () => {
    test('maxRetries: 0 sends nothing again in generate', async () => {
      await using w = await world(provider, [first, failing(429), ...later]);
      const { error } = await run(w, 'generate', { maxRetries: 0 });
      assert.ok(APICallError.isInstance(error));
      assert.equal(w.server.requests.length, 2);
    });

    test('a reader that cancels ends the request that is under way', async (t) => {
      const unhandled = rejections(t);
      const held = heldReply();
      await using w = await world(provider, [first, held.reply]);
      const reader = await reading(w.fields);
      const read = (async () => {
        while (!(await reader.read()).done);
      })();
      await held.asked;
      await reader.cancel();
      await read;
      assert.equal(w.signals[1]?.aborted, true);
      held.release();
      assert.deepEqual(await unhandled(), []);
    });

    test('a reader that cancels ends the wait for another attempt', async (t) => {
      const unhandled = rejections(t);
      await using w = await world(provider, [first, failing(429), ...later], { delay: 50_000 });
      const reader = await reading(w.fields);
      const read = (async () => {
        while (!(await reader.read()).done);
      })();
      await w.refused;
      assert.deepEqual(await unhandled(), []);
      await reader.cancel();
      await read;
      assert.equal(w.server.requests.length, 2);
      assert.deepEqual(await unhandled(), []);
    });

    test('promise 40: a reader that cancels ends a loader that runs', async (t) => {
      const unhandled = rejections(t);
      const started = Promise.withResolvers<AbortSignal>();
      const groups = [
        {
          ...{ groupId: 'slow', description: 'Slow.', toolNames: ['wait'] },
          loader: ({ signal }: { signal: AbortSignal }) => {
            started.resolve(signal);
            return new Promise<never>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            });
          },
        },
      ];
      await using w = await world(provider, [{ calls: [load('slow')] }], { groups });
      const reader = await reading(w.fields);
      const read = (async () => {
        while (!(await reader.read()).done);
      })();
      const signal = await started.promise;
      const cancelled = reader.cancel();
      await new Promise(setImmediate);
      assert.ok(signal.aborted);
      await Promise.all([cancelled, read]);
      assert.equal(w.server.requests.length, 1);
      assert.deepEqual(await unhandled(), []);
    });
  });
}
