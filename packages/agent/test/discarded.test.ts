// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createFold } from '@toolfold/ai-sdk';
import { ENDPOINTS, NATIVE_ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  combinations,
  isFull,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import { jsonSchema } from 'ai';
import { createAgent } from '../src/agent/agent.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { begin, collect, ended } from './agent.test-support.ts';
import {
  assertEvents,
  callsIn,
  type Effects,
  modelOf,
  workGroup,
} from './broken-turns.test-support.ts';

const { call, load } = DISPATCH;
const discarded = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type === 'discarded');

/** `npm test` breaks an answer off at every second event: on two endpoints at the others. */
const STEP = isFull ? 1 : 2;
const places = isFull ? 'each' : 'every second one';

describe('what was told and is not kept is withdrawn', () => {
  test(`promise 45: an answer that breaks off, at ${places} of its events, on each endpoint`, async () => {
    for (const [index, endpoint] of ENDPOINTS.entries()) {
      let withCalls = 0;
      for (let abortAfter = 1 + (index % STEP); abortAfter < 40; abortAfter += STEP) {
        const effects: Effects = [];
        const calls = [call('work__now', {}), call('work__soon', {})];
        const reply: Reply = { reasoning: 'Hm.', text: 'Let me see what is there.', calls };
        const script = [{ ...reply, chunkSize: 9, abortAfter }, { text: 'Fine.' }];
        await using server = await startModelServer({ script });
        const fold = { groups: [workGroup({ effects })] };
        const { talk } = begin(server, { endpoint, fold });
        const events = await collect(talk.send('Go.'));
        assertEvents(talk.messages, events);
        const { reason, text } = ended(events);
        // If only the end of the stream is missing, the answer is complete.
        if (reason !== 'error') break;
        assert.deepEqual(effects, []);
        // The text stays, for a user who wants to go on from there.
        const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
        assert.equal(text, said);
        assert.ok(reply.text?.startsWith(said));
        const told = events.filter(({ type }) => /^(reasoning|call)$/.test(type));
        assert.equal(discarded(events).length, told.length > 0 ? 1 : 0);
        if (discarded(events).some((event) => event.type === 'discarded' && event.calls))
          withCalls++;
        const next = await collect(talk.send('Again.'));
        assert.equal(ended(next).reason, 'done');
        assertEvents(talk.messages, [...events, ...next]);
      }
      // In Chat Completions all calls end with the answer.
      if (endpoint.provider !== 'openai-chat') assert.ok(withCalls > 0, endpoint.name);
    }
  });

  test('an attempt that failed, where the SDK sends the request once more', async () => {
    const said = (text: string, last: LanguageModelV4StreamPart): LanguageModelV4StreamPart[] => [
      { type: 'text-start', id: '0' },
      ...(text.match(/.{1,4}/g) ?? []).map((delta) => ({
        type: 'text-delta' as const,
        id: '0',
        delta,
      })),
      ...(last.type === 'finish' ? [{ type: 'text-end' as const, id: '0' }] : []),
      last,
    ];
    const finish = {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    };
    const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 });
    const error = { type: 'error' as const, error: overloaded };
    for (const half of ['Half of it that breaks off.', 'All', 'All of it. And more.', ''])
      for (const pace of [0, 9]) {
        const answers = [said(half, error), said('All of it.', finish as never)];
        const model = modelOf(answers);
        const effects: Effects = [];
        const talk = createAgent({
          model,
          fold: createFold({ groups: [workGroup({ effects })] }),
          settings: { streamRetries: 1 },
        });
        const events: AgentEvent[] = [];
        for await (const event of talk.send('Go.')) {
          events.push(event);
          for (let turns = 0; turns < pace; turns++)
            await new Promise((done) => setImmediate(done));
        }
        assert.equal(ended(events).reason, 'done', String(ended(events).error));
        assert.equal(discarded(events).length, half === '' ? 0 : 1);
        const again = events.flatMap((event) =>
          event.type === 'retry' ? [[event.attempt, event.wait, event.status]] : [],
        );
        assert.deepEqual(again, [[2, 0, 529]]);
        assert.equal(ended(events).text, 'All of it.');
        assertEvents(talk.messages, events);
      }
  });

  test('a request that is sent again, or for another form, tells nothing twice', async () => {
    const busy: Reply = { error: { status: 529, body: 'Overloaded.' } };
    const refused: Reply = { error: { status: 400, body: 'tool_addition: not supported.' } };
    for (const endpoint of NATIVE_ENDPOINTS)
      for (const first of endpoint === NATIVE_ENDPOINTS[0] ? [busy, refused] : [refused]) {
        const calls = [{ name: 'github__list_issues', arguments: {} }];
        const script: Reply[] = [first, { text: 'One.', calls }, { text: 'Done.' }];
        await using server = await startModelServer({ script });
        const { talk, runs } = begin(server, {
          endpoint,
          fold: { strategy: 'native', capabilities: endpoint.capabilities },
          agent: { routing: 'preload', settings: { ...endpoint.settings, maxRetries: 1 } },
        });
        const events = await collect(talk.send('github list_issues'));
        assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
        assert.equal(runs.length, 1);
        assert.equal(events.filter(({ type }) => type === 'preload').length, 1);
        assert.deepEqual(discarded(events), []);
        assertEvents(talk.messages, events);
      }
  });

  test('nothing of steps without tools, in which the model calls on and on', async () => {
    for (const endpoint of ENDPOINTS) {
      const busy: Reply = { text: 'Let me see.', calls: [{ name: 'work__now', arguments: {} }] };
      const script: Reply[] = [busy, busy, { text: 'No tools.' }, { text: 'Bye.' }];
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { endpoint });
      talk.setTools(false);
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'done');
      assert.deepEqual(discarded(events), []);
      assertEvents(talk.messages, events);
      talk.setTools(true);
      events.push(...(await collect(talk.send('And now?'))));
      assert.equal(ended(events).reason, 'done');
      assertEvents(talk.messages, events);
    }
  });

  test('nothing of a step in which a tool ran', async () => {
    const effects: Effects = [];
    const stop = new AbortController();
    const calls = [call('work__later', {}), call('work__missing', {}), call('github__explode', {})];
    await using server = await startModelServer({
      script: [{ text: 'All.', calls }, { text: 'Hm.' }],
    });
    const fold = { groups: [workGroup({ effects, onRun: () => stop.abort() })] };
    const { talk } = begin(server, { fold });
    const events = await collect(talk.send('Go.', { signal: stop.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(discarded(events), []);
    assert.equal(callsIn(talk.messages).size, 3);
    assertEvents(talk.messages, events);
  });
});

describe(`each outcome follows its call, told once, ${selection}`, () => {
  const calls = [
    ['unknown', call('work__nothing_like_it', {})],
    ['not in a group', { name: 'nobody', arguments: {} }],
    ['an empty name', call('', {})],
    ['no name', { name: 'deferred_tool_call', arguments: {} }],
    ['broken JSON', { name: 'deferred_tool_call', arguments: '{"tool_name": "work__now", ' }],
    ['arguments that are a list', { name: 'deferred_tool_call', arguments: '[1]' }],
    ['invalid arguments', call('github__create_issue', { title: 5 })],
    ['invalid arguments of an own tool', { name: 'deploy', arguments: { target: 5 } }],
    ['broken JSON for an own tool', { name: 'deploy', arguments: '{"target": ' }],
    ['a group that fails to load', call('flaky__wobble', {})],
    ['a bridge tool that fails', load('mcp:nowhere')],
    ['a bridge tool without arguments', { name: 'load_tools', arguments: '' }],
    ['a tool that throws', call('github__explode', {})],
    ['a hook that denies', call('linear__create_issue', { title: 'no' })],
    ['a bridge tool through a bridge tool', call('load_tools', { group_id: 'mcp:github' })],
  ] as const;
  const rows = combinations({
    name: calls.map(([name]) => name),
    endpoint: ENDPOINTS,
    strategy: ['dispatch', 'eager'],
  });
  for (const [name, wire] of calls)
    test(name, async () => {
      for (const { endpoint, strategy } of rows.filter((row) => row.name === name)) {
        const script: Reply[] = [
          { calls: [wire, call('github__list_issues', {})] },
          { text: 'Hm.' },
        ];
        await using server = await startModelServer({ script });
        const hooks = {
          beforeToolCall: ({ name }: { name: string }) =>
            name.startsWith('linear') ? { deny: 'Not now' } : undefined,
        };
        const own = {
          deploy: {
            inputSchema: jsonSchema({
              type: 'object',
              properties: { target: { type: 'string' } },
            }),
            execute: () => 'deployed',
          },
        };
        const fold = { strategy, tools: own as never };
        const given = begin(server, { endpoint, fold, agent: { hooks } });
        const events = await collect(given.talk.send('Go.'));
        assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
        assertEvents(given.talk.messages, events);
        const seen = new Set<string>();
        for (const event of events) {
          if (event.type === 'call') seen.add(event.id);
          if (event.type === 'result' || event.type === 'failure' || event.type === 'approval')
            assert.ok(seen.has(event.id), `${event.type} of ${event.id} ahead of its call`);
        }
      }
    });
});
