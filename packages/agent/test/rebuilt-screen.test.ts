// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { ENDPOINTS, NATIVE_ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import {
  BRIDGE,
  DISPATCH,
  type Dialect,
  NATIVE,
  SCENARIOS,
} from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ToolCallOptions } from '@toolfold/core/internal/tool/call-host.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { readTranscript } from 'toolfold/internal/stored-sessions/transcript.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { screenOf } from '../src/events/screen.ts';
import type { Agent } from '../src/options/options.ts';
import { begin, ended, type World } from './agent.test-support.ts';
import { Sessions } from './rebuilt-screen.test-support.ts';

/** The events as a screen gets them: with their turns. */
async function collect(turn: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

/** The calls and the world of a strategy; the endpoints take turns. */
type Way = readonly [Dialect, (turn: number) => World];

const endpointAt = (turn: number) => ENDPOINTS[turn % ENDPOINTS.length] ?? assert.fail();

const WAYS: Readonly<Record<string, Way>> = {
  dispatch: [DISPATCH, (at) => ({ endpoint: endpointAt(at), fold: { strategy: 'dispatch' } })],
  bridge: [BRIDGE, (at) => ({ endpoint: endpointAt(at), fold: { strategy: 'bridge' } })],
  eager: [NATIVE, (at) => ({ endpoint: endpointAt(at), fold: { strategy: 'eager' } })],
  native: [
    NATIVE,
    (at) => {
      const endpoint = NATIVE_ENDPOINTS[at % NATIVE_ENDPOINTS.length] ?? assert.fail();
      const { capabilities, settings } = endpoint;
      const fold = { strategy: 'native', capabilities } as const;
      return { endpoint, fold, agent: { settings: { maxRetries: 0, ...settings } } };
    },
  ],
};

/** Of arguments that are no JSON the messages hold what the SDK has read. */
const UNREAD = 'odd forms of arguments';

/** The SDK's own answer to a call that it refuses. It is known when the SDK has read the call. */
const REFUSED_BY_SDK = /AI_(InvalidToolInput|NoSuchTool)Error/;

describe('a screen rebuilt from the journal alone equals the one that was live', () => {
  for (const [name, [dialect, worldAt]] of Object.entries(WAYS))
    test(`in each scenario, and no message is written twice: ${name}`, async () => {
      await using sessions = new Sessions();
      for (const [at, scenario] of SCENARIOS.entries()) {
        if (scenario.dispatches && dialect === NATIVE) continue;
        const script: Reply[] = [...scenario.replies(dialect), { text: 'Done.' }];
        await using server = await startModelServer({ script });
        const session = await sessions.create();
        const world = worldAt(at);
        const { talk } = begin(server, { ...world, agent: { ...world.agent, session } });
        const events = await collect(talk.send('Go.'));
        await sessions.assertRebuilt(session.id, events, scenario.name);
        for (const { kind, body } of await sessions.entries(session.id))
          if (kind === 'messages' && scenario.name !== UNREAD)
            assert.match(JSON.stringify(body), REFUSED_BY_SDK, scenario.name);
      }
    });

  test('where a result is in the format of MCP, also without a message that is written twice', async () => {
    const content = [{ type: 'text', text: 'One.' }];
    await check({
      fold: { groups: [group(async () => ({ content }))], strategy: 'dispatch' },
      script: [{ calls: [DISPATCH.call('odd__work', {})] }, { text: 'Done.' }],
      work: (talk) => collect(talk.send('Go.')),
      none: ['messages'],
    });
  });

  test('while a tool runs that the user has approved in the turn, in the same order', async () => {
    for (const strategy of ['dispatch', 'eager'] as const) {
      const call =
        strategy === 'eager'
          ? { name: 'odd__work', arguments: {} }
          : DISPATCH.call('odd__work', {});
      await using sessions = new Sessions();
      await using server = await startModelServer({
        script: [{ calls: [call] }, { text: 'Done.' }],
      });
      const session = await sessions.create();
      const kinds = (events: readonly AgentEvent[]) =>
        events.flatMap((event) => ('id' in event ? [event.type] : []));
      let during: readonly AgentEvent[] = [];
      const run = async () => {
        during = await sessions.events(session.id);
        return 'Worked.';
      };
      const { talk } = begin(server, {
        fold: { groups: [group(run)], strategy },
        agent: { session, approvals: { mode: 'always', ask: async () => ({ approved: true }) } },
      });
      const live = await collect(talk.send('Go.'));
      const order = ['call', 'approval', 'decision', 'tool-start', 'result'];
      assert.deepEqual(kinds(live), order);
      assert.deepEqual(kinds(during), order.slice(0, -1));
      assert.deepEqual(kinds(await sessions.events(session.id)), order);
      const [shown] = screenOf(during).turns[0]?.blocks ?? [];
      assert.ok(shown?.kind === 'call' && shown.status === 'running');
      const calls = readTranscript(await sessions.entries(session.id)).items.filter(
        ({ type }) => type === 'call',
      );
      assert.equal(calls.length, 1);
    }
  });

  test('where a server asks the user, tells its progress and logs', async () => {
    const form = { server: 'odd', message: 'Who?', fields: [] } as const;
    const run = async ({ host, signal = new AbortController().signal }: ToolCallOptions) => {
      host?.onProgress?.({ progress: 1 });
      host?.onLog?.({ server: 'odd', level: 'info', text: 'Here.' });
      return host?.elicit?.({ ...form, signal });
    };
    await check({
      fold: { groups: [group(run)], strategy: 'dispatch' },
      script: [{ calls: [DISPATCH.call('odd__work', {})] }, { text: 'Done.' }],
      work: async (talk) => {
        const events: AgentEvent[] = [];
        for await (const event of talk.send('Go.')) {
          events.push(event);
          if (event.type === 'elicitation')
            talk.answerElicitation(event.elicitationId, { action: 'accept', content: {} });
        }
        assert.ok(events.some(({ type }) => type === 'elicitation-answered'));
        return events;
      },
    });
  });

  test('where the rounds are spent, tools are switched off, and the conversation is compacted', async () => {
    const call = { calls: [DISPATCH.call('odd__work', {})] };
    await check({
      fold: { groups: [group(async () => 'x'.repeat(30_000))], strategy: 'dispatch' },
      agent: { maxRounds: 2 },
      script: [
        call,
        call,
        call,
        { text: 'Spent.' },
        call,
        { text: 'Off.' },
        { text: 'A summary.' },
      ],
      work: async (talk) => {
        const first = await collect(talk.send('Go.'));
        assert.ok(first.some(({ type }) => type === 'rounds'));
        talk.setTools(false);
        const second = await collect(talk.send('And now?'));
        const third = await collect(talk.compact());
        assert.ok(third.some(({ type }) => type === 'compaction'));
        return [...first, ...second, ...third];
      },
    });
  });

  test('where a turn is cancelled: the text so far is there after a reload', async () => {
    const stop = new AbortController();
    await check({
      fold: { strategy: 'dispatch' },
      script: [{ text: 'A long answer that is stopped in the middle of it.', chunkSize: 5 }],
      work: async (talk) => {
        const events: AgentEvent[] = [];
        for await (const event of talk.send('Go.', { signal: stop.signal })) {
          events.push(event);
          if (event.type === 'text') stop.abort();
        }
        assert.equal(ended(events).reason, 'cancelled');
        return events;
      },
      holds: /"kind":"text","step":1,"text":"A lon/,
    });
  });
});

interface Check {
  readonly fold: NonNullable<World['fold']>;
  readonly agent?: NonNullable<World['agent']>;
  readonly script: readonly Reply[];
  readonly work: (talk: Agent) => Promise<readonly AgentEvent[]>;
  /** Kinds that the journal must not have. */
  readonly none?: readonly string[];
  /** What the rebuilt screen must hold. */
  readonly holds?: RegExp;
}

async function check({ fold, agent, script, work, none = [], holds }: Check): Promise<void> {
  await using sessions = new Sessions();
  await using server = await startModelServer({ script: [...script] });
  const session = await sessions.create();
  const { talk } = begin(server, { fold, agent: { ...agent, session } });
  const rebuilt = await sessions.assertRebuilt(session.id, await work(talk));
  if (holds) assert.match(JSON.stringify(rebuilt), holds);
  for (const { kind } of await sessions.entries(session.id)) assert.ok(!none.includes(kind), kind);
}

/** A group of MCP with one tool. */
function group(run: (options: ToolCallOptions) => Promise<unknown>): SdkToolGroup {
  return {
    groupId: 'mcp:odd',
    toolNames: ['work'],
    resultFormat: 'mcp',
    loader: async () => [
      {
        name: 'work',
        inputSchema: { type: 'object' },
        execute: (_: unknown, options: ToolCallOptions) => run(options),
      },
    ],
  };
}
