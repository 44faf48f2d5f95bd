import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, streamText } from 'ai';
import { DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';
import { world } from './failures.test-support.ts';
import { BUG, CREATE, GITHUB, MODES } from './rounds.test-support.ts';

const { load, call } = DISPATCH;
const LINEAR = 'mcp:linear';
type Generated = Awaited<ReturnType<typeof generateText>>;
type Steps = Generated['steps'];

/** Plays a script on `dispatch`. Returns the steps that the app gets. */
async function steps(
  mode: (typeof MODES)[number],
  replies: readonly Reply[],
  settings: Readonly<Record<string, unknown>>,
  options: Parameters<typeof world>[2] = {},
) {
  await using w = await world('anthropic', replies, options);
  const given = { ...w.fields, prompt: 'Go.', ...settings };
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(error);
  const taken: Steps =
    mode === 'generate'
      ? (await generateText(given as Parameters<typeof generateText>[0])).steps
      : await streamText({ ...given, onError } as Parameters<typeof streamText>[0]).steps;
  assert.deepEqual(errors, []);
  return { taken, requests: w.server.requests, runs: w.runs, events: w.events };
}

const toCall: readonly Reply[] = [{ calls: [load(GITHUB)] }, { calls: [call(CREATE, BUG)] }];
const twoLoads: readonly Reply[] = [
  { text: 'First.', calls: [load(GITHUB)] },
  { text: 'Then.', calls: [load(LINEAR)] },
  { calls: [call(CREATE, BUG)] },
  { text: 'Done.' },
];

for (const mode of MODES) {
  describe(`promise 62: loops of an app, ${mode}`, () => {
    const limits = { 'the default': {}, 'isStepCount(1)': { stopWhen: isStepCount(1) } };
    for (const [name, settings] of Object.entries(limits)) {
      test(`promise 62: ${name} ends in the real call`, async () => {
        const { taken, runs, requests } = await steps(mode, toCall, settings);
        assert.equal(taken.length, 1);
        assert.equal(requests.length, 2);
        assert.deepEqual(
          runs.map(({ tool }) => tool),
          [CREATE],
        );
        const real = taken[0]?.toolResults.filter((result) => !result.providerExecuted);
        assert.deepEqual(
          real?.map(({ toolName }) => toolName),
          [CREATE],
        );
      });
    }

    test('promise 62: isStepCount(3) leaves room for the text', async () => {
      const { taken } = await steps(mode, twoLoads, { stopWhen: isStepCount(3) });
      assert.equal(taken.length, 2);
      assert.equal(taken.at(-1)?.text, 'Done.');
    });

    test('promise 62: a required call may come after loads', async () => {
      const settings = { toolChoice: 'required' };
      const { taken, requests, runs } = await steps(mode, twoLoads.slice(0, 3), settings);
      assert.equal(taken.length, 1);
      assert.equal(runs.length, 1);
      for (const { body } of requests)
        assert.deepEqual((body.tool_choice as { type: string }).type, 'any');
    });

    test('a load that the app forces is one step, as it asked', async () => {
      const settings = { toolChoice: { type: 'tool', toolName: 'load_tools' } };
      const replies = Array.from({ length: 6 }, () => ({ calls: [load(GITHUB)] }));
      const { taken, requests } = await steps(mode, replies, settings);
      assert.equal(taken.length, 1);
      assert.equal(requests.length, 1);
    });

    test('promise 62: the fifth load in a row is a step', async () => {
      const loads = Array.from({ length: 5 }, (_, n) => ({
        calls: [load(n % 2 ? LINEAR : GITHUB)],
      }));
      const settings = { stopWhen: isStepCount(9) };
      const { taken, requests } = await steps(mode, [...loads, { text: 'Done.' }], settings);
      assert.deepEqual(
        taken.map(({ toolCalls }) =>
          toolCalls.map(({ providerExecuted = false }) => providerExecuted),
        ),
        [[true, true, true, true, false], []],
      );
      assert.equal(requests.length, 6);
    });

    test('a response that was cut off ends the model call', async () => {
      const cut: Reply = { text: 'And', calls: [load(LINEAR)], finishReason: 'length' };
      const settings = { stopWhen: isStepCount(9) };
      const { taken } = await steps(mode, [{ calls: [load(GITHUB)] }, cut], settings);
      assert.equal(taken.length, 1);
      assert.equal(taken[0]?.finishReason, 'length');
      assert.equal(taken[0]?.toolResults.length, 2, 'the call has a result for later requests');
    });

    test('loads of a group that lists no names are steps', async () => {
      const groups = [
        {
          ...{ groupId: 'mcp:open', description: 'Open.' },
          loader: async () => [
            { name: 'find', inputSchema: { type: 'object' as const }, execute: () => 'found' },
          ],
        },
      ];
      const replies = [
        { calls: [load('mcp:open')] },
        { calls: [call('open__find', {})] },
        { text: 'Done.' },
      ];
      const settings = { stopWhen: isStepCount(9) };
      const { taken } = await steps(mode, replies, settings, { groups });
      assert.equal(taken.length, 3);
      assert.deepEqual(
        taken.flatMap(({ toolResults }) =>
          toolResults.map(({ providerExecuted }) => providerExecuted),
        ),
        [undefined, undefined],
      );
    });

    test('promise 62: without bridge names in activeTools, loads work and show only active tools', async () => {
      const settings = { activeTools: [CREATE], stopWhen: isStepCount(9) };
      const { taken, runs, requests } = await steps(mode, twoLoads, settings);
      const parts = taken.flatMap(({ content }) => content);
      const loads = parts.filter((part) => part.type === 'tool-call' && part.providerExecuted);
      assert.equal(loads.length, 2);
      for (const part of loads)
        assert.ok(part.type === 'tool-call' && part.dynamic === true && part.invalid !== true);
      assert.ok(!JSON.stringify(parts).includes('NoSuchTool'));
      assert.equal(runs.length, 1);
      const last = requests.at(-1);
      assert.ok(last);
      const [shown = { text: '' }, none = { text: '' }] = resultsOn(last);
      assert.match(shown.text, /github__create_issue/);
      assert.doesNotMatch(shown.text, /list_issues/);
      assert.doesNotMatch(none.text, /linear__/);
    });
  });
}
