// test: alone
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH, NATIVE } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ModelMessage } from 'ai';
import type { AgentEvent } from '../src/events/events.ts';
import { assertHeld, begin, collect, ended, type World } from './agent.test-support.ts';
import {
  assertEvents,
  assertRunsKept,
  type Effects,
  workGroup,
} from './broken-turns.test-support.ts';

const { call, load } = DISPATCH;
const overloaded: Reply = { error: { status: 529, body: 'Overloaded.' } };
const cut: Reply = { text: 'Half of an answer that breaks off.', chunkSize: 4, abortAfter: 6 };
const copy = (messages: readonly ModelMessage[]): ModelMessage[] =>
  JSON.parse(JSON.stringify(messages));

/** Every endpoint, and every native form. */
const WORLDS: readonly (World & { readonly endpoint: Endpoint })[] = [
  ...ENDPOINTS.map((endpoint) => ({ endpoint })),
  ...NATIVE_ENDPOINTS.map((endpoint) => ({
    endpoint,
    fold: { strategy: 'native' as const, capabilities: endpoint.capabilities },
    agent: { settings: { maxRetries: 0, ...endpoint.settings } },
  })),
];

/** The first request fails in one of these ways. */
const FAILURES = ['overloaded', 'cut', 'refused'] as const;
const ROWS = combinations({ world: WORLDS, how: FAILURES, elsewhere: [false, true] });

describe(`a failed turn is resumed, ${selection}`, () => {
  for (const world of WORLDS)
    test(`${world.endpoint.name}: with the same request, in another process too`, async () => {
      // A native form that is refused with 400 is given up, which makes another request.
      const refused: Reply = { error: { status: world.fold ? 401 : 400, body: 'No.' } };
      const failures = { overloaded, cut, refused };
      for (const { how, elsewhere } of ROWS.filter((row) => row.world === world)) {
        const failure = failures[how];
        const effects: Effects = [];
        const to = world.fold ? NATIVE : DISPATCH;
        const script: Reply[] = [
          failure,
          { text: 'First.', calls: [to.call('work__now', {})] },
          failure,
          failure,
          { text: 'Done.' },
          { text: 'Bye.' },
        ];
        await using server = await startModelServer({ script: () => script.shift() ?? {} });
        const fold = { ...world.fold, groups: [workGroup({ effects })], tools: {} as never };
        let { talk } = begin(server, { ...world, fold });
        const events = await collect(talk.send('Go.'));
        assert.equal(ended(events).reason, 'error');
        for (let times = 0; times < 4 && ended(events).reason !== 'done'; times++) {
          if (elsewhere) {
            const messages = copy(talk.messages);
            talk = begin(server, { ...world, fold, agent: { ...world.agent, messages } }).talk;
          }
          events.push(...(await collect(talk.resume())));
          assertEvents(talk.messages, events);
        }
        assert.equal(ended(events).text, 'Done.');
        assert.equal(effects.length, 1);
        assertRunsKept(talk.messages, effects);
        assert.equal(talk.messages.filter(({ role }) => role === 'user').length, 1);
        assert.ok(!JSON.stringify(talk.messages).includes('interrupted'));
        assert.equal(ended(await collect(talk.send('Thanks.'))).reason, 'done');
        assertHeld(server);
      }
    });

  for (const world of WORLDS)
    test(`promise 45: ${world.endpoint.name}, with a new message, sent messages keep their place`, async () => {
      for (const failure of [overloaded, cut, 'cancel'] as const) {
        const to = world.fold ? NATIVE : DISPATCH;
        const isSearch = world.endpoint.name === 'openai-search';
        const loading = isSearch
          ? { ...load('mcp:github'), name: 'tool_search' }
          : load('mcp:github');
        const script: Reply[] = [
          { calls: [loading] },
          failure === 'cancel' ? { text: 'One two three.', chunkSize: 4 } : failure,
          { calls: [to.call('github__create_issue', { title: 'bug' })] },
          { text: 'Done.' },
        ];
        await using server = await startModelServer({ script });
        const { talk, runs } = begin(server, world);
        const stop = new AbortController();
        const events: AgentEvent[] = [];
        for await (const event of talk.send('Go.', { signal: stop.signal })) {
          events.push(event);
          if (failure === 'cancel' && event.type === 'text') stop.abort();
        }
        assert.equal(ended(events).reason, failure === 'cancel' ? 'cancelled' : 'error');
        assertEvents(talk.messages, events);
        events.push(...(await collect(talk.send('Something else.'))));
        assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
        assert.equal(runs.length, 1);
        assertEvents(talk.messages, events);
        assertHeld(server);
      }
    });

  test('preloaded schemas and notices at the tail keep their place in the next requests', async () => {
    for (const goesOn of [false, true]) {
      const script: Reply[] = [{ text: 'One two three.', chunkSize: 4 }, { text: 'Done.' }];
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { agent: { routing: 'preload' } });
      const stop = new AbortController();
      const turn = talk.send('github list_issues', { signal: stop.signal });
      for await (const event of turn) if (event.type === 'text') stop.abort();
      assert.match(server.requests[0]?.raw ?? '', /tools that may help here/);
      const next = goesOn ? talk.resume() : talk.send('And now?');
      assert.equal(ended(await collect(next)).reason, 'done');
      assertHeld(server);
    }
  });
});

describe('a cancelled turn is resumed', () => {
  test('and the user is asked again if the app can ask, else must answer first', async () => {
    const script: Reply[] = [
      { calls: [call('github__create_issue', { title: 'bug' })] },
      { text: 'Done.' },
    ];
    await using server = await startModelServer({ script });
    const stop = new AbortController();
    let times = 0;
    const ask = async () => {
      if (times++ > 0) return { approved: true };
      stop.abort();
      return new Promise<never>(() => {});
    };
    const asking = begin(server, { agent: { approvals: { mode: 'always', ask } } });
    const events = await collect(asking.talk.send('Go.', { signal: stop.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    events.push(...(await collect(asking.talk.resume())));
    assert.equal(ended(events).reason, 'done');
    assert.equal(asking.runs.length, 1);
    assert.deepEqual(asking.talk.pending, []);
    assertEvents(asking.talk.messages, events);

    await using other = await startModelServer({ script });
    const waiting = begin(other, { agent: { approvals: { mode: 'always' } } });
    await collect(waiting.talk.send('Go.'));
    assert.throws(() => waiting.talk.resume(), { code: 'invalid-option', hint: /agent\.answer/ });
    assert.equal(waiting.talk.pending.length, 1);
  });

  test('with approved calls that had not run', async () => {
    const script: Reply[] = [
      { calls: [call('github__create_issue', { title: 'bug' })] },
      { text: 'Done.' },
    ];
    await using server = await startModelServer({ script });
    let fails = false;
    const transformSystemPrompt = (text: string) => {
      if (fails) throw new Error('not now');
      return text;
    };
    const approvals = { mode: 'always' as const };
    const first = begin(server, { agent: { approvals } });
    const events = await collect(first.talk.send('Go.'));
    fails = true;
    const messages = copy(first.talk.messages);
    const agent = { approvals, messages, hooks: { transformSystemPrompt } };
    const { talk, runs } = begin(server, { agent });
    const yes = talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]);
    events.push(...(await collect(talk.answer(Object.fromEntries(yes)))));
    assert.equal(ended(events).reason, 'error');
    fails = false;
    events.push(...(await collect(talk.resume())));
    assert.equal(ended(events).reason, 'done');
    assert.equal(runs.length, 1);
    assertEvents(talk.messages, events);
  });

  test('also if its last call was cut off and has not run', async () => {
    const cutOff: Reply = {
      calls: [call('github__create_issue', { title: 'bug' })],
      finishReason: 'length',
    };
    await using server = await startModelServer({ script: [cutOff, { text: 'Done.' }] });
    const { talk, runs } = begin(server, { endpoint: ENDPOINTS[2] as Endpoint });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'length');
    events.push(...(await collect(talk.resume())));
    assert.equal(ended(events).reason, 'done');
    assert.equal(runs.length, 0);
    assert.match(server.requests.at(-1)?.raw ?? '', /The call was not run/);
    assertEvents(talk.messages, events);
  });

  test('and denied calls are not emitted again', async () => {
    for (const failure of [overloaded, cut]) {
      const calls = [
        call('github__create_issue', { title: 'bug' }),
        call('github__list_issues', {}),
      ];
      const script: Reply[] = [{ text: 'Both.', calls }, failure, { text: 'Done.' }];
      await using server = await startModelServer({ script });
      const hooks = {
        beforeToolCall: ({ name }: { name: string }) =>
          name === 'github__create_issue' ? { deny: 'Not now.' } : undefined,
      };
      const { talk, runs } = begin(server, { agent: { hooks } });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'error');
      events.push(...(await collect(talk.resume())));
      assert.equal(ended(events).reason, 'done');
      assert.equal(runs.length, 1);
      assertEvents(talk.messages, events);
    }
  });

  test('with every pending approval of the messages, with or without an earlier answer', async () => {
    const calls = [call('github__create_issue', { title: 'bug' }), call('github__list_issues', {})];
    await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
    const asked: string[] = [];
    const ask = async ({ name }: { name: string }) => {
      asked.push(name);
      return { approved: true };
    };
    const always = { mode: 'always' as const };
    const first = begin(server, { agent: { approvals: always } });
    const events = await collect(first.talk.send('Go.'));
    const messages = copy(first.talk.messages);
    const { talk, runs } = begin(server, { agent: { approvals: { ...always, ask }, messages } });
    const [pending] = talk.pending;
    assert.ok(pending);
    await collect(talk.answer({ [pending.approvalId]: { approved: true } }));
    events.push(...(await collect(talk.resume())));
    assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
    // The earlier answer holds.
    assert.deepEqual([asked.length, runs.length], [1, 2]);
    assert.deepEqual(talk.pending, []);
    assertEvents(talk.messages, events);
  });

  test('but not if it has ended or never began', async () => {
    await using server = await startModelServer({ script: [{ text: 'Hello.' }] });
    const { talk } = begin(server);
    assert.throws(() => talk.resume(), { code: 'invalid-option', hint: /agent\.send/ });
    await collect(talk.send('Hi.'));
    assert.throws(() => talk.resume(), { code: 'invalid-option', hint: /agent\.send/ });
    assert.equal(server.requests.length, 1);
  });
});
