// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFold } from '@toolfold/ai-sdk';
import {
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { BRIDGE, DISPATCH, NATIVE } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { isFull } from '@toolfold/testing/test/combinations.test-support.ts';
import { createAgent } from '../src/agent/agent.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { assertHeld, begin, collect, ended, type World } from './agent.test-support.ts';
import {
  assertEvents,
  assertRunsKept,
  type Effects,
  type Kind,
  modelOf,
  workGroup,
} from './broken-turns.test-support.ts';

const WAYS = ['cancel', 'leave', 'throw', 'cancel in a tool'] as const;
type Way = (typeof WAYS)[number];

interface Setting {
  readonly name: string;
  readonly world: World;
  readonly call: (name: string) => ReplyCall;
}

const [anthropic, responses, chat] = ENDPOINTS as readonly [Endpoint, Endpoint, Endpoint];
const [inline, reference] = NATIVE_ENDPOINTS as typeof NATIVE_ENDPOINTS & {
  0: (typeof NATIVE_ENDPOINTS)[number];
  1: (typeof NATIVE_ENDPOINTS)[number];
};
const direct = (name: string) => ({ name, arguments: {} });
const SETTINGS: readonly Setting[] = [
  {
    name: 'dispatch',
    world: { endpoint: anthropic },
    call: (name) => DISPATCH.call(name, {}),
  },
  {
    name: 'bridge',
    world: { endpoint: chat, fold: { strategy: 'bridge' } },
    call: (name) => BRIDGE.call(name, {}),
  },
  { name: 'eager', world: { endpoint: responses, fold: { strategy: 'eager' } }, call: direct },
  ...[inline, reference].map((endpoint) => ({
    name: endpoint.form,
    world: { endpoint, fold: { strategy: 'native' as const, capabilities: endpoint.capabilities } },
    call: (name: string) => NATIVE.call(name, {}),
  })),
];

/** Three steps: parallel calls, one call after a load, and an answer. */
const replies = ({ call }: Setting, first: readonly Kind[]): Reply[] => [
  { text: 'Let me see.', calls: first.map((kind) => call(`work__${kind}`)) },
  {
    text: 'And now this.',
    calls: [DISPATCH.load('work'), call('work__soon'), call('work__missing')],
  },
  { text: 'That is all there is.', chunkSize: 12 },
];

interface Case {
  readonly way: Way;
  /** Where the turn stops: at this event, or in this tool run. */
  readonly at: number;
  /** Turns of the event loop that the reader waits for each event. */
  readonly pace: number;
  readonly first: readonly Kind[];
}

/** Stops a turn at one place. Returns whether it reached that place. */
async function stopped(setting: Setting, { way, at, pace, first }: Case): Promise<boolean> {
  const effects: Effects = [];
  const stop = new AbortController();
  const onRun = () => {
    if (way === 'cancel in a tool' && effects.length === at + 1) stop.abort();
  };
  const script = replies(setting, first);
  await using server = await startModelServer({
    script: ({ raw }) => (raw.includes('Go on.') ? { text: 'Bye.' } : (script.shift() ?? {})),
  });
  const group = workGroup({ effects, onRun });
  const fold = { ...setting.world.fold, groups: [group], tools: {} as never };
  const { talk } = begin(server, { ...setting.world, fold });
  const events: AgentEvent[] = [];
  let isStopped = false;
  try {
    for await (const event of talk.send('Go.', { signal: stop.signal })) {
      events.push(event);
      for (let turns = 0; turns < pace; turns++) await new Promise((done) => setImmediate(done));
      if (way === 'cancel in a tool' || events.length !== at + 1) continue;
      isStopped = true;
      if (way === 'leave') break;
      if (way === 'throw') throw new Error('the reader broke');
      stop.abort();
    }
  } catch (error) {
    assert.match(String(error), /the reader broke/);
  }
  isStopped ||= stop.signal.aborted;
  const hasLeft = way === 'leave' || way === 'throw';
  assertRunsKept(talk.messages, effects);
  if (!hasLeft) assertEvents(talk.messages, events);
  // Tools that run at the stop have their effect before it. Nothing starts later.
  const before = effects.length;
  const next = await collect(talk.send('Go on.'));
  assert.equal(ended(next).reason, 'done', JSON.stringify(ended(next).error));
  assert.equal(effects.length, before);
  assertHeld(server);
  assertRunsKept(talk.messages, effects);
  return isStopped;
}

/** `npm test` stops a turn at some of its places, at others in another setting: at each in one of them. */
const STEP = isFull ? 1 : SETTINGS.length;
const places = isFull ? 'each' : 'every fifth';

async function everywhere(setting: Setting, way: Way, pace: number): Promise<void> {
  let at = (SETTINGS.indexOf(setting) + WAYS.indexOf(way)) % STEP;
  const first: readonly Kind[] = ['now', 'later', 'throws', 'steps'];
  for (; at < 200; at += STEP) {
    const label = `${setting.name}, ${way} at ${at}, pace ${pace}`;
    let isStopped = false;
    await assert.doesNotReject(async () => {
      isStopped = await stopped(setting, { way, at, pace, first });
    }, label);
    if (!isStopped) break;
  }
  assert.ok(at > 3, `stopped in ${at} places`);
}

describe('a turn that is stopped keeps what has run, wherever it is stopped', () => {
  for (const setting of SETTINGS)
    test(`promise 45: ${setting.name}, cancelled at ${places} event`, () =>
      everywhere(setting, 'cancel', 9));

  for (const setting of SETTINGS)
    test(`promise 45: ${setting.name}, cancelled in each tool`, () =>
      everywhere(setting, 'cancel in a tool', 9));

  for (const way of ['leave', 'throw'] as const)
    test(`promise 45: dispatch, ${way} at ${places} event`, () =>
      everywhere(SETTINGS[0] ?? assert.fail(), way, 9));

  for (const way of WAYS)
    test(`promise 45: eager, ${way} at ${places} event, read at once`, () =>
      everywhere(SETTINGS[2] ?? assert.fail(), way, 0));

  test('promise 45: calls that nobody has read are told with what they have come to', async () => {
    const calls = Array.from({ length: 8 }, (_, n) => ({
      type: 'tool-call' as const,
      toolCallId: `call ${n}`,
      toolName: 'work__now',
      input: '{}',
    }));
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const finish = { type: 'finish', finishReason: { unified: 'tool-calls' }, usage };
    let unread = 0;
    for (const pace of [0, 1, 2, 3, 5, 9, 15, 25, 40, 80]) {
      const effects: Effects = [];
      const stop = new AbortController();
      const group = workGroup({ effects, onRun: () => stop.abort() });
      const talk = createAgent({
        model: modelOf([[...calls, finish as never]]),
        fold: createFold({ groups: [group], strategy: 'eager' }),
        approvals: { mode: 'never' },
      });
      const events: AgentEvent[] = [];
      for await (const event of talk.send('Go.', { signal: stop.signal })) {
        events.push(event);
        if (event.type === 'call' && stop.signal.aborted) unread++;
        for (let turns = 0; turns < pace; turns++) await new Promise((done) => setImmediate(done));
      }
      assert.ok(effects.length > 0);
      assertRunsKept(talk.messages, effects);
      assertEvents(talk.messages, events);
    }
    assert.ok(unread > 0);
  });
});
