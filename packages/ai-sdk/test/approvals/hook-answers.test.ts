// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolHooks } from '@toolfold/core/internal/host/hooks.ts';
import {
  NOT_PLAIN,
  ODD_PROPERTIES,
  revoked,
} from '@toolfold/core/test/host/odd-values.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isStepCount, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { Conversation, type Mode } from '../conversation.test-support.ts';
import { dialectOf, ENDPOINTS, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const [anthropic] = ENDPOINTS;
const [inline] = NATIVE_ENDPOINTS;
assert.ok(anthropic && inline);

const EAGER: Dialect = {
  ...DISPATCH,
  call: (name, input) => ({ name, arguments: input as object }),
};
const WAYS = [
  { strategy: 'dispatch', to: DISPATCH, endpoint: anthropic },
  { strategy: 'bridge', to: BRIDGE, endpoint: anthropic },
  { strategy: 'eager', to: EAGER, endpoint: anthropic },
  { strategy: 'native', to: dialectOf('anthropic-inline'), endpoint: inline },
] as const;
const MODES: readonly Mode[] = ['generate', 'stream'];
const MAIL = 'mail__send';
const RAW = 'raw-result';

const ODD = [...[...NOT_PLAIN, ...ODD_PROPERTIES].map(([, value]) => value), revoked()];
const VERDICTS = [
  { denied: 'No.' },
  { action: 'deny' },
  { deny: true },
  { deny: Promise.resolve('No.') },
  { ask: 'yes' },
  { askKey: 'a' },
  { arguments: new Map() },
  { arguments: ['7'] },
];
const OUTCOMES = [{}, { result: 'x' }, { output: 1, error: 1 }, { output: 1, more: 1 }];
const NAMES = [...ODD.filter((value) => typeof value !== 'string'), {}];

interface Played {
  readonly replies: readonly Reply[];
  readonly hooks: ToolHooks;
  readonly mode: Mode;
}

/** Plays the replies. Returns what ran, the results that the model got, its requests, and the warnings. */
async function play({ strategy, endpoint }: (typeof WAYS)[number], played: Played) {
  const runs: unknown[] = [];
  const warnings: string[] = [];
  await using server = await startModelServer({ script: [...played.replies, { text: 'Done.' }] });
  const inputSchema = z.object({ at: z.number() });
  const execute = ({ at }: { at: number }) => {
    runs.push(at);
    return `${RAW} ${at}`;
  };
  const send = tool({ inputSchema, execute });
  const options = {
    tools: { note: tool({ inputSchema, execute }) },
    groups: [{ groupId: 'mail', toolNames: ['send'], loader: async () => ({ send }) }],
    strategy,
    onWarning: (text: string) => warnings.push(text),
    ...('capabilities' in endpoint ? { capabilities: endpoint.capabilities } : {}),
  } as FoldOptions<ToolSet>;
  const talk = new Conversation({
    mode: played.mode,
    route: 'live',
    model: modelOn(server, endpoint),
    fold: () => createFold(options) as unknown as Fold<ToolSet>,
    with: { hooks: played.hooks },
  });
  await talk.say('Go.');
  const last = server.requests.at(-1) ?? assert.fail();
  const sent = JSON.stringify([server.requests.map(({ body }) => body), talk.messages]);
  return { runs, warnings, sent, results: resultsOn(last).map(({ text }) => text) };
}

for (const way of WAYS) {
  /** One reply with a call for each answer, of a tool of a group and of an own tool by turns. */
  const oneFor = (answers: readonly unknown[]): Reply[] => [
    {
      calls: answers.map((_, at) =>
        at % 2 === 0 ? way.to.call(MAIL, { at }) : { name: 'note', arguments: { at } },
      ),
    },
  ];

  suite(`answers of hooks, ${way.strategy}`, () => {
    for (const mode of MODES) {
      test(`promise 51: no tool runs after a verdict that is none, ${mode}`, async () => {
        const answers = [...ODD, ...VERDICTS];
        for (const wrap of [(given: unknown) => given, async (given: unknown) => given]) {
          const hooks: ToolHooks = {
            beforeToolCall: (call) => wrap(answers[Number(call.arguments.at)]) as undefined,
          };
          const { runs, results, warnings } = await play(way, {
            replies: oneFor(answers),
            hooks,
            mode,
          });
          assert.deepEqual(runs, []);
          assert.equal(results.length, answers.length);
          for (const result of results)
            assert.match(result, /(is no verdict|revoked).*The tool was not run/);
          assert.ok(warnings.some((text) => text.includes('an instance of Response, which is no')));
        }
      });

      test(`promise 51: no result reaches the model after an outcome that is none, ${mode}`, async () => {
        const answers = [...ODD, ...OUTCOMES];
        const hooks: ToolHooks = {
          afterToolCall: (call) => answers[Number(call.arguments.at)] as undefined,
        };
        const { runs, results, sent, warnings } = await play(way, {
          replies: oneFor(answers),
          hooks,
          mode,
        });
        assert.equal(runs.length, answers.length);
        assert.equal(results.length, answers.length);
        for (const result of results) assert.match(result, /result is withheld|revoked/);
        assert.ok(!sent.includes(RAW));
        assert.ok(warnings.some((text) => text.includes('an instance of Response, which is no')));
      });

      test(`promise 51: a call is denied after a name that is none, ${mode}`, async () => {
        const calls = NAMES.map((_, at) => way.to.call(`zzz${at}`, { at }));
        const resolveToolCall = (name: string) => NAMES[Number(name.slice(3))] as undefined;
        const hooks: ToolHooks = { resolveToolCall };
        const { runs, results, warnings } = await play(way, { replies: [{ calls }], hooks, mode });
        assert.deepEqual(runs, []);
        assert.equal(results.length, NAMES.length);
        for (const result of results)
          assert.match(result, /is no name of a tool.*The tool was not run/);
        assert.ok(warnings.some((text) => text.includes('an instance of Response, which is no')));
      });

      test(`promise 51: a hook that edits its call or takes too long has no effect, ${mode}`, async () => {
        const replies = oneFor([0, 1]);
        const beforeToolCall: ToolHooks['beforeToolCall'] = (call) => {
          call.arguments.at = 7;
          return undefined;
        };
        const edited = await play(way, { replies, hooks: { beforeToolCall }, mode });
        assert.deepEqual(edited.runs.sort(), [0, 1]);
        const late = () => sleep(200, undefined);
        const before = { beforeToolCall: late, timeoutMs: 5 };
        const denied = await play(way, { replies, hooks: before, mode });
        assert.deepEqual(denied.runs, []);
        for (const result of denied.results)
          assert.match(result, /took longer than 5 milliseconds/);
        const after = { afterToolCall: late, timeoutMs: 5 };
        const kept = await play(way, { replies, hooks: after, mode });
        assert.ok(!kept.sent.includes(RAW));
        for (const result of kept.results) assert.match(result, /withheld: .* took longer than 5/);
      });
    }
  });
}

suite('answers of hooks', () => {
  test('promise 51: no partial result of a generator passes beside afterToolCall', async () => {
    await using server = await startModelServer({
      script: [{ calls: [{ name: 'watch', arguments: {} }] }, { text: 'Done.' }],
    });
    const watch = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield `${RAW} 1`;
        yield `${RAW} 2`;
      },
    });
    const fold = createFold({ tools: { watch } });
    const hooks: ToolHooks = { afterToolCall: () => ({ output: 'redacted' }) };
    const result = streamText({
      ...fold.with(modelOn(server, anthropic), { hooks }),
      prompt: 'Go.',
      stopWhen: isStepCount(3),
    });
    const parts: unknown[] = [];
    for await (const part of result.stream) parts.push(part);
    const text = JSON.stringify([parts, server.requests.map(({ body }) => body)]);
    assert.ok(text.includes('redacted') && !text.includes(RAW));
  });

  test('a time limit that is none is refused by fold.with', () => {
    const fold = createFold({ strategy: false });
    for (const timeoutMs of [0, -1, Infinity, Number.NaN, '5' as never])
      assert.throws(
        () => fold.with('anthropic/claude-sonnet-4-5', { hooks: { timeoutMs } }),
        /"hooks\.timeoutMs".*milliseconds/,
      );
  });
});
