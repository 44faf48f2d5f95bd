import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool } from 'ai';
import { createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';

const { call, load } = DISPATCH;
const hanging = () => fakeGroup({ groupId: 'slow', count: 3, gate: new Promise(() => {}) });
const stopWhen = isStepCount(3);

for (const endpoint of ENDPOINTS) {
  describe(`promise 40: aborting, ${endpoint.name}`, () => {
    const first: Record<string, Reply['calls']> = {
      'a call': [call('slow__list_issue', { issue_id: '1' })],
      'a load': [load('slow')],
      'a call behind another': [load('none'), call('slow__list_issue', { issue_id: '1' })],
    };
    for (const [name, calls = []] of Object.entries(first)) {
      for (const mode of ['generate', 'stream'] as const) {
        test(`promise 40: while a loader hangs under ${name}, ${mode}`, async (t) => {
          const rejections: unknown[] = [];
          const note = (reason: unknown) => rejections.push(reason);
          process.on('unhandledRejection', note);
          t.after(() => process.off('unhandledRejection', note));
          await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
          const controller = new AbortController();
          const group = hanging();
          const started = Promise.withResolvers<void>();
          const watched = {
            ...group,
            loader: (options: { signal: AbortSignal }) => {
              started.resolve();
              return group.loader(options);
            },
          };
          const fold = createFold({ groups: [watched], strategy: 'dispatch' });
          const given = {
            ...fold.with(modelOn(server, endpoint)),
            prompt: 'Go',
            stopWhen,
            abortSignal: controller.signal,
          };
          const running =
            mode === 'generate'
              ? generateText(given).then(
                  () => {},
                  () => {},
                )
              : streamText({ ...given, onError: () => {} }).consumeStream();
          await started.promise;
          controller.abort();
          await running;
          assert.equal(group.aborted, 1);
          await new Promise(setImmediate);
          assert.deepEqual(rejections, []);
          assert.equal(server.requests.length, 1);
        });
      }
    }

    test('promise 40: a reader that cancels the stream', async () => {
      const reply = {
        text: 'Hm. '.repeat(50),
        calls: [call('slow__list_issue', { issue_id: '1' })],
        chunkSize: 4,
      };
      await using server = await startModelServer({ script: [reply, { text: 'Done.' }] });
      const group = hanging();
      const fold = createFold({ groups: [group], strategy: 'dispatch' });
      const controller = new AbortController();
      const abortSignal = controller.signal;
      const result = streamText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go',
        stopWhen,
        abortSignal,
        onError: () => {},
      });
      let parts = 0;
      for await (const _ of result.stream) if (++parts === 3) controller.abort();
      assert.equal(group.loads, group.aborted);
    });

    test('promise 40: a connection that closes in mid-stream is an error, not a call', async () => {
      const calls = [call('slow__list_issue', { issue_id: '1'.repeat(99) })];
      const reply = { calls, chunkSize: 20, abortAfter: 6 };
      await using server = await startModelServer({ script: () => reply });
      const group = hanging();
      const fold = createFold({ groups: [group], strategy: 'dispatch' });
      const settings = fold.with(modelOn(server, endpoint));
      const result = streamText({ ...settings, prompt: 'Go', stopWhen, onError: () => {} });
      const types: string[] = [];
      await assert.rejects(async () => {
        for await (const part of result.stream) {
          types.push(part.type);
          if (part.type === 'error') throw part.error;
        }
      });
      assert.ok(types.includes('tool-input-start') && !types.includes('tool-call'), String(types));
      await new Promise(setImmediate);
      assert.deepEqual(
        [group.loads, group.aborted],
        [1, 1],
        'a load begun for the call does not go on',
      );
    });
  });
}

const forever = () => new Promise<never>(() => {});
/** Functions of an app that do not answer. `begun` is called when they are asked. */
const SILENT: Readonly<Record<string, (begun: () => void) => WithOptions>> = {
  'a hook before a call': (begun) => ({
    hooks: {
      beforeToolCall: () => {
        begun();
        return forever();
      },
    },
  }),
  'a hook after a call': (begun) => ({
    hooks: {
      afterToolCall: () => {
        begun();
        return forever();
      },
    },
  }),
  'the approval of all tools': (begun) => ({
    toolApproval: () => {
      begun();
      return forever();
    },
  }),
  'the approval of one tool': (begun) => ({
    toolApproval: {
      pay: () => {
        begun();
        return forever();
      },
    },
  }),
  'an observer of a start': (begun) => ({
    observers: {
      started: () => {
        begun();
        return forever();
      },
    },
  }),
  'an observer of an end': (begun) => ({
    observers: {
      settled: () => {
        begun();
        return forever();
      },
    },
  }),
};

describe('promise 40: an app that does not answer', () => {
  for (const [name, silent] of Object.entries(SILENT))
    for (const strategy of ['dispatch', 'bridge', 'inject', 'eager', false] as const)
      test(`promise 40: ${name}: generateText ends with the abort, ${strategy}`, async () => {
        const calls = [{ name: 'pay', arguments: {} }];
        await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
        const inputSchema = jsonSchema({ type: 'object', properties: {} });
        const tools: ToolSet = {
          pay: tool({ inputSchema, deferLoading: false, execute: async () => 'paid' }),
        };
        const begun = Promise.withResolvers<void>();
        const fold = createFold({ tools, strategy, onWarning: false });
        const stop = new AbortController();
        const [endpoint] = ENDPOINTS;
        const running = generateText({
          ...fold.with(modelOn(server, endpoint ?? assert.fail()), silent(begun.resolve)),
          prompt: 'Go',
          stopWhen,
          abortSignal: stop.signal,
        });
        await begun.promise;
        stop.abort(new Error('stopped'));
        await assert.rejects(running, /stopped/);
        assert.equal(server.requests.length, 1);
      });
});
