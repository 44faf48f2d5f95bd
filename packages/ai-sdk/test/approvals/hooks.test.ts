import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HookedCall, ToolHooks } from '@toolfold/core/internal/host/hooks.ts';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { dialectOf, ENDPOINTS, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from '../scenarios.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const GITHUB = 'github__create_issue';
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

interface Played {
  readonly replies: readonly Reply[];
  readonly hooks: ToolHooks;
  readonly mode?: Mode;
  readonly route?: Route;
  readonly answer?: boolean;
}

async function play({ strategy, endpoint }: (typeof WAYS)[number], played: Played) {
  const runs: Runs = [];
  const events: CallEvent[] = [];
  await using server = await startModelServer({
    script: [...played.replies, { text: 'Done.' }, { text: 'Bye.' }],
  });
  const options = {
    ...foldOptions(runs),
    groups: foldOptions(runs).groups.slice(0, 2),
    strategy,
    onCall: (event: CallEvent) => events.push(event),
    ...('capabilities' in endpoint ? { capabilities: endpoint.capabilities } : {}),
  } as FoldOptions<ToolSet>;
  const fold = createFold(options);
  const talk = new Conversation({
    mode: played.mode ?? 'stream',
    route: played.route ?? 'live',
    model: modelOn(server, endpoint),
    fold: () => fold as unknown as Fold<ToolSet>,
    with: { hooks: played.hooks },
  });
  await talk.say('Go.');
  if (played.answer !== undefined) await talk.answer(() => ({ approved: played.answer === true }));
  await talk.say('And?');
  const last = server.requests.at(-1) ?? assert.fail();
  const report = auditPrefix(server.requests);
  assert.ok(report.held || strategy === 'eager', formatAuditReport(report));
  return { runs, events, results: resultsOn(last).map(({ text }) => text), calls: callsOn(last) };
}

for (const way of WAYS) {
  const { call } = way.to;
  const ask = { name: 'ask', arguments: { question: 'why' } };

  describe(`hooks, ${way.strategy}`, () => {
    test('promise 9: see the real call, once, whether deferred or inline', async () => {
      for (const mode of ['generate', 'stream'] as const) {
        for (const route of ['live', 'json', 'ui'] as const) {
          const seen: HookedCall[] = [];
          const hooks: ToolHooks = { beforeToolCall: (hooked) => void seen.push(hooked) };
          const replies = [{ calls: [call(GITHUB, { title: 'a' }), ask] }];
          const { runs } = await play(way, { replies, hooks, mode, route });
          assert.deepEqual(
            seen.map(({ name, arguments: given }) => [name, given]),
            [
              [GITHUB, { title: 'a' }],
              ['ask', { question: 'why' }],
            ],
          );
          assert.equal(runs.length, 2);
        }
      }
    });

    test('change arguments in order; the history keeps the arguments of the model, and the schema checks the changed ones', async () => {
      const hooks: ToolHooks = {
        beforeToolCall: [
          ({ arguments: given }) => ({ arguments: { ...given, title: `${given.title}!` } }),
          ({ arguments: given }) => ({ arguments: { ...given, title: `${given.title}?` } }),
        ],
      };
      const replies = [{ calls: [call(GITHUB, { title: 'a' })] }];
      const { runs, calls } = await play(way, { replies, hooks });
      assert.deepEqual(
        runs.map(({ input }) => input),
        [{ title: 'a!?' }],
      );
      assert.deepEqual(calls[0]?.input, call(GITHUB, { title: 'a' }).arguments);
      const wrong: ToolHooks = { beforeToolCall: () => ({ arguments: { title: 5 } }) };
      const refused = await play(way, { replies, hooks: wrong });
      assert.deepEqual(refused.runs, []);
      assert.match(refused.results[0] ?? '', /invalid_arguments/);
    });

    test('deny with a reason, also by throwing; the first denial ends the sequence', async () => {
      const later: string[] = [];
      const denials = [
        () => ({ deny: 'Not on a Friday.' }),
        () => {
          throw new Error('Not on a Friday.');
        },
      ];
      for (const deny of denials) {
        const hooks: ToolHooks = { beforeToolCall: [deny, ({ name }) => void later.push(name)] };
        const replies = [{ calls: [call(GITHUB, { title: 'a' }), ask] }];
        const { runs, results, events } = await play(way, { replies, hooks });
        assert.deepEqual(runs, []);
        for (const result of results)
          assert.match(result, /Not on a Friday\. The tool was not run/);
        assert.deepEqual(
          events.map(({ name, outcome }) => [name, outcome]),
          [
            [GITHUB, 'refused'],
            ['ask', 'refused'],
          ],
        );
      }
      assert.deepEqual(later, []);
    });

    test('require the approval of the user for calls that would run without hooks', async () => {
      const hooks: ToolHooks = { beforeToolCall: ({ name }) => ({ ask: name === GITHUB }) };
      const replies = [{ calls: [call(GITHUB, { title: 'a' })] }];
      const yes = await play(way, { replies, hooks, answer: true });
      assert.equal(yes.runs.length, 1);
      const no = await play(way, { replies, hooks, answer: false });
      assert.equal(no.runs.length, 0);
      assert.match(no.results[0] ?? '', /denied/i);
    });

    test('see outcomes in order and may replace them, errors too', async () => {
      const hooks: ToolHooks = {
        afterToolCall: [
          (_, outcome) => ('error' in outcome ? { output: 'repaired' } : { output: 'first' }),
          (_, outcome) => ('output' in outcome ? { output: `${outcome.output}, second` } : outcome),
        ],
      };
      const replies = [{ calls: [call(GITHUB, { title: 'a' }), call('github__explode', {}), ask] }];
      const { results } = await play(way, { replies, hooks });
      assert.deepEqual(results, ['first, second', 'repaired, second', 'first, second']);
    });

    test('resolve an unknown name without widening the role', async () => {
      const hooks: ToolHooks = {
        resolveToolCall: [
          () => undefined,
          (name) => (name === 'open_ticket' ? GITHUB : undefined),
          () => 'nothing_there',
        ],
      };
      const replies = [
        { calls: [call('open_ticket', { title: 'a' })] },
        { calls: [call('zzz', {})] },
      ];
      const { runs, results } = await play(way, { replies, hooks });
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        [GITHUB],
      );
      assert.match(results[1] ?? '', /unknown_tool/);
    });
  });
}
