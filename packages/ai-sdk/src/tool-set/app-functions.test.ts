import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { ENDPOINTS, type Endpoint, modelOn } from '../../test/endpoints.test-support.ts';
import { DISPATCH } from '../../test/scenarios.test-support.ts';
import { createFold, type FoldOptions, type WithOptions } from '../index.ts';

const endpoint = ENDPOINTS[0] as Endpoint;

const FAILURES: readonly { readonly how: string; readonly fail: () => void }[] = [
  {
    how: 'throws',
    fail: () => {
      throw new Error('the log is full');
    },
  },
  {
    how: 'rejects',
    fail: async () => {
      throw new Error('the log is full');
    },
  },
];

/** Two turns with a load and a call. Returns the text of the last turn. */
async function play(options: FoldOptions<ToolSet>, view: WithOptions = {}): Promise<string> {
  const turn = [
    { calls: [{ name: 'load_tools', arguments: { group_id: 'app' } }] },
    { calls: [DISPATCH.call('find', { name: 'Ada' })] },
    { text: 'Done.' },
  ];
  await using server = await startModelServer({ script: [...turn, ...turn] });
  const find = tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'found' });
  const fold = createFold<ToolSet>({ tools: { find }, strategy: 'dispatch', ...options });
  const settings = { prompt: 'Go.', stopWhen: isStepCount(4), maxRetries: 0 };
  const fields = fold.with(modelOn(server, endpoint), view);
  await generateText({ ...fields, ...settings } as never);
  const { text } = await generateText({ ...fields, ...settings } as never);
  for (let turns = 0; turns < 5; turns++) await setImmediate();
  return text;
}

describe('functions of the app that fail', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
    mock.restoreAll();
  });

  for (const { how, fail } of FAILURES) {
    for (const name of ['onRequest', 'onCall', 'onToolsExpanded'] as const)
      test(`${name} of a fold that ${how} changes nothing and is reported once`, async () => {
        const warnings: string[] = [];
        const onWarning = (text: string) => warnings.push(text);
        assert.equal(await play({ [name]: fail, onWarning }), 'Done.');
        assert.equal(warnings.length, 1, warnings.join('\n'));
        assert.match(warnings[0] ?? '', new RegExp(`\`${name}\` failed: the log is full`));
        assert.deepEqual(unhandled, []);
      });

    test(`onRequest of a view that ${how} changes nothing and is reported once`, async () => {
      const warnings: string[] = [];
      const onWarning = (text: string) => warnings.push(text);
      assert.equal(await play({ onWarning }, { onRequest: fail }), 'Done.');
      assert.equal(warnings.length, 1, warnings.join('\n'));
      assert.deepEqual(unhandled, []);
    });

    test(`onWarning that ${how} changes nothing, and the console says so once`, async () => {
      const { mock: said } = mock.method(console, 'warn', () => {});
      const onWarning = fail;
      assert.equal(await play({ onRequest: fail, onCall: fail, onWarning }), 'Done.');
      assert.equal(said.callCount(), 1);
      assert.match(String(said.calls[0]?.arguments[0]), /`onWarning` failed: the log is full/);
      assert.deepEqual(unhandled, []);
    });
  }

  test('a failure without onWarning goes to the console', async () => {
    const { mock: said } = mock.method(console, 'warn', () => {});
    await play({ onRequest: FAILURES[1]?.fail });
    assert.equal(said.callCount(), 1);
    assert.match(String(said.calls[0]?.arguments[0]), /^toolfold: `onRequest` failed/);
  });

  for (const [what, countTokens] of [
    ['a promise', async () => 3],
    ['a rejected promise', () => Promise.reject(new Error('no'))],
    ['nothing', () => undefined],
    ['NaN', () => Number.NaN],
  ] as const)
    test(`countTokens that returns ${what} is an invalid option at its first use`, async () => {
      const options = { countTokens, onRequest: () => {} } as unknown as FoldOptions<ToolSet>;
      await assert.rejects(play(options), { code: 'invalid-option', hint: /finite number/ });
      for (let turns = 0; turns < 3; turns++) await setImmediate();
      assert.deepEqual(unhandled, []);
    });
});
