import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AppApproval, appApproval } from './app-approval.ts';

type Answer = { readonly type: string; readonly reason?: string } | undefined;

/** What the setting answers about a call of `pay`, and the warnings. */
async function ask(setting: unknown): Promise<{ answer: Answer; warnings: string[] }> {
  const warnings: string[] = [];
  const toolCall = { toolCallId: 'a', toolName: 'pay', input: {} };
  const question = { toolCall, tools: {}, toolsContext: {}, messages: [], runtimeContext: {} };
  const asked = { ...question, needsApproval: async () => false };
  const answer = await appApproval(setting as AppApproval, asked, (text) => warnings.push(text));
  return { answer, warnings };
}

/** The ways in which a setting gives a status. */
const WAYS: Readonly<Record<string, (status: unknown) => unknown>> = {
  'a function': (status) => () => status,
  'an asynchronous function': (status) => async () => status,
  'the function of the tool': (status) => ({ pay: async () => status }),
  'the status of the tool': (status) => ({ pay: status }),
};
const TYPES = ['not-applicable', 'approved', 'denied', 'user-approval'];
const ODD = [
  ...[true, false, 0, 1, '', 'deny', 'Denied', 'allow', 'constructor', Symbol('denied'), 5n],
  ...[
    {},
    [],
    ['denied'],
    { type: 'deny' },
    { type: null },
    { type: ['denied'] },
    { approved: false },
  ],
  ...[new Map([['type', 'approved']]), { status: 'approved' }, Object.create({ type: 'approved' })],
];

describe("promise 51: the app's answer about an approval", () => {
  for (const [name, way] of Object.entries(WAYS)) {
    test(`promise 51: ${name}: each status of the SDK is taken`, async () => {
      for (const type of TYPES) {
        assert.deepEqual(await ask(way(type)), { answer: { type }, warnings: [] });
        const full = { type, reason: 'Why.' };
        assert.deepEqual(await ask(way(full)), { answer: full, warnings: [] });
      }
    });

    test(`promise 51: ${name}: anything else denies, with a warning that names it`, async () => {
      for (const status of ODD) {
        if (name === 'the status of the tool' && typeof status === 'function') continue;
        const { answer, warnings } = await ask(way(status));
        assert.equal(answer?.type, 'denied', String(name));
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? '', /^`toolApproval` answered .* for the tool "pay"/);
      }
      const { warnings } = await ask(way('deny'));
      assert.match(warnings[0] ?? '', /answered "deny"/);
    });
  }

  test('promise 51: null stops, as in the SDK, and no answer is none', async () => {
    for (const name of ['a function', 'an asynchronous function', 'the function of the tool'])
      await assert.rejects(ask(WAYS[name]?.(null)), /returned null for the tool "pay"/);
    for (const name of ['a function', 'the function of the tool'])
      assert.deepEqual((await ask(WAYS[name]?.(undefined))).answer, { type: 'not-applicable' });
    for (const none of [undefined, { pay: undefined }, { pay: null }, {}, { other: 'denied' }])
      assert.deepEqual(await ask(none), { answer: undefined, warnings: [] });
  });
});
