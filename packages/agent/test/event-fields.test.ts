// test: slow
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  dialectOf,
  ENDPOINTS,
  NATIVE_ENDPOINTS,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { failureFacts } from '../src/events/turn-error.ts';
import type { StampedEvent } from '../src/options/options.ts';
import { begin, collect, ended } from './agent.test-support.ts';

const { call, load } = DISPATCH;
const LIST = 'github__list_issues';
const CREATE = 'github__create_issue';
const bug = { title: 'A bug in the parser', labels: ['a', 'b'] };

function of<TYPE extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: TYPE,
): Extract<AgentEvent, { type: TYPE }>[] {
  return events.filter(
    (event): event is Extract<AgentEvent, { type: TYPE }> => event.type === type,
  );
}

/** The events without their place and time. */
const plain = (events: readonly AgentEvent[]) =>
  events.map((event) => {
    const { seq: _, turn: __, step: ___, at: ____, ...rest } = event as StampedEvent;
    return rest;
  });

describe('the start of a tool', () => {
  test('is told once for each run, behind its call and its approval, before its result', async () => {
    for (const [waits, strategy] of [
      [true, 'dispatch'],
      [false, 'dispatch'],
      [true, 'eager'],
    ] as const) {
      const list = strategy === 'eager' ? { name: LIST, arguments: {} } : call(LIST, {});
      await using server = await startModelServer({
        script: [{ calls: [list, list] }, { text: 'Done.' }],
      });
      const answers = [{ approved: true }, { approved: false }];
      const ask = waits ? { ask: async () => answers.shift() ?? assert.fail() } : {};
      const approvals = { mode: 'always' as const, ...ask };
      const { talk } = begin(server, { fold: { strategy }, agent: { approvals } });
      const events = await collect(talk.send('Go.'));
      if (!waits) {
        const asked = of(events, 'approval').map(({ approvalId }, at) => [approvalId, answers[at]]);
        assert.deepEqual(of(events, 'tool-start'), []);
        events.push(...(await collect(talk.answer(Object.fromEntries(asked)))));
      }
      const [first, second] = of(events, 'call').map(({ id }) => id);
      const about = (wanted: string | undefined) =>
        events.flatMap((event) => ('id' in event && event.id === wanted ? [event.type] : []));
      assert.deepEqual(about(first), ['call', 'approval', 'decision', 'tool-start', 'result']);
      assert.deepEqual(about(second), ['call', 'approval', 'decision', 'failure']);
    }
  });
});

describe('decisions tell who made them', () => {
  const asks = { mode: 'always' as const };
  const script: Reply[] = [{ calls: [call(LIST, {})] }, { text: 'Done.' }];

  test('the user, while the turn waits and later', async () => {
    const answer = { approved: true, scope: 'session' as const };
    for (const waits of [true, false]) {
      await using server = await startModelServer({ script });
      const ask = waits ? { ask: async () => answer } : {};
      const { talk } = begin(server, { agent: { approvals: { ...asks, ...ask } } });
      const events = await collect(talk.send('Go.'));
      const [asked] = of(events, 'approval');
      const { approvalId = '', id = '' } = asked ?? {};
      if (!waits) events.push(...(await collect(talk.answer({ [approvalId]: answer }))));
      assert.deepEqual(plain(of(events, 'decision')), [
        { type: 'decision', id, name: LIST, ...answer, approvalId, source: 'user' },
      ]);
      assert.equal(ended(events).reason, 'done');
      assert.deepEqual(plain(of(events, 'user')), [{ type: 'user', text: 'Go.' }]);
    }
  });

  test('an earlier answer, in the same round', async () => {
    const twice = { calls: [call(LIST, {}), call(LIST, { again: 1 })] };
    await using server = await startModelServer({ script: [twice, { text: 'Done.' }] });
    const ask = async () => ({ approved: true, scope: 'session' as const });
    const { talk } = begin(server, { agent: { approvals: { ...asks, ask } } });
    const decisions = of(await collect(talk.send('Go.')), 'decision');
    assert.deepEqual(
      decisions.map(({ source }) => source),
      ['user', 'grant'],
    );
  });

  test('the agent without rounds, and a hook', async () => {
    await using server = await startModelServer({ script: [...script, ...script] });
    const { talk } = begin(server, { agent: { maxRounds: 1 } });
    const spent = begin(server, {
      agent: { hooks: { beforeToolCall: () => ({ deny: 'Not now.' }) } },
    });
    const again: Reply = { calls: [call(LIST, {})] };
    await using endless = await startModelServer({ script: () => again });
    const rounds = begin(endless, { agent: { maxRounds: 1 } });
    const [denied] = of(await collect(rounds.talk.send('Go.')), 'decision');
    assert.deepEqual([denied?.approved, denied?.source], [false, 'policy']);
    const hooked = of(await collect(spent.talk.send('Go.')), 'decision');
    for (const { source, approved } of hooked)
      assert.deepEqual([source, approved], ['hook', false]);
    assert.deepEqual(of(await collect(talk.send('Go.')), 'decision'), []);
  });
});

describe('arguments while the model writes them', () => {
  for (const endpoint of ENDPOINTS)
    test(`are parts of the arguments, without an envelope, on ${endpoint.name}`, async () => {
      for (const strategy of ['dispatch', 'eager'] as const) {
        const calls = [strategy === 'eager' ? { name: CREATE, arguments: bug } : call(CREATE, bug)];
        const script: Reply[] = [{ calls, chunkSize: 4 }, { text: 'Done.' }];
        await using server = await startModelServer({ script });
        const { talk } = begin(server, { endpoint, fold: { strategy } });
        const events = await collect(talk.send('Go.'));
        const deltas = of(events, 'call-delta');
        const text = deltas.map((delta) => delta.text).join('');
        assert.ok(JSON.stringify(bug).startsWith(text), text);
        assert.ok(deltas.every(({ name }) => name === CREATE));
        const [made] = of(events, 'call');
        assert.ok(deltas.every(({ id }) => id === made?.id));
        // Not every provider of the SDK streams arguments.
        if (text !== '') assert.ok(text.length > JSON.stringify(bug).length / 2);
      }
    });

  test('never show a broken envelope', async () => {
    const texts = [
      `{"tool_name":"${CREATE}","arguments":{"title":"x"`,
      `{"tool_name":"${CREATE}","argu`,
      `{"arguments":{"title":"x"},"tool_name":"${CREATE}"}`,
      `{"tool_name":"${CREATE}","arguments":"{\\"title\\":\\"x\\"}"}`,
      `{"tool_name":"nobody","arguments":{"a":1}}`,
      `"{\\"tool_name\\":\\"${CREATE}\\"}"`,
    ];
    for (const endpoint of ENDPOINTS)
      for (const text of texts) {
        const calls = [{ name: 'deferred_tool_call', arguments: text }];
        const script: Reply[] = [{ calls, chunkSize: 5 }, { text: 'Done.' }];
        await using server = await startModelServer({ script });
        const { talk } = begin(server, { endpoint, fold: { strategy: 'dispatch' } });
        const shown = of(await collect(talk.send('Go.')), 'call-delta').map((delta) => delta.text);
        assert.doesNotMatch(shown.join(''), /tool_name|arguments/, `${endpoint.name} ${text}`);
      }
  });
});

describe('a call tells how it came', () => {
  test('with a loaded schema, through a bridge; inline; without a schema; unreadable', async () => {
    const unread = '{"tool_name": "github__create_issue", ';
    const calls = [
      call(LIST, {}),
      { name: 'ask', arguments: { question: 'Why?' } },
      call('linear__toString', {}),
      { name: 'deferred_tool_call', arguments: unread },
    ];
    const script = [{ calls: [load('mcp:github')] }, { calls }, { text: 'Done.' }];
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { fold: { strategy: 'dispatch' } });
    const made = of(await collect(talk.send('Go.')), 'call');
    const wireName = 'deferred_tool_call';
    assert.deepEqual(
      made.map(({ name, schema, wireName: wire, raw }) => ({ name, schema, wire, raw })),
      [
        { name: LIST, schema: 'loaded', wire: wireName, raw: undefined },
        { name: 'ask', schema: 'inline', wire: undefined, raw: undefined },
        { name: 'linear__toString', schema: undefined, wire: wireName, raw: undefined },
        { name: CREATE, schema: 'loaded', wire: wireName, raw: unread },
      ],
    );
  });

  test('with a declared schema in `eager`', async () => {
    const calls = [
      { name: LIST, arguments: {} },
      { name: 'nobody', arguments: {} },
    ];
    await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
    const { talk } = begin(server, { fold: { strategy: 'eager' } });
    const made = of(await collect(talk.send('Go.')), 'call');
    assert.deepEqual(
      made.map(({ schema, wireName }) => [schema, wireName]),
      [
        ['inline', undefined],
        [undefined, undefined],
      ],
    );
  });

  for (const endpoint of NATIVE_ENDPOINTS)
    test(`with an appended or preloaded schema, ${endpoint.form}`, async () => {
      const calls = [{ name: LIST, arguments: {} }];
      const loads = { calls: [dialectOf(endpoint.form).load('mcp:github')] };
      const agent = { settings: { ...endpoint.settings, maxRetries: 0 } };
      const fold = { strategy: 'native' as const, capabilities: endpoint.capabilities };
      await using asked = await startModelServer({ script: [loads, { calls }, { text: 'Ok.' }] });
      const one = begin(asked, { endpoint, fold, agent });
      const [native] = of(await collect(one.talk.send('Go.')), 'call');
      assert.equal(native?.schema, 'native');
      await using eager = await startModelServer({ script: [{ calls }, { text: 'Ok.' }] });
      const other = begin(eager, { endpoint, fold, agent: { ...agent, routing: 'preload' } });
      const events = await collect(other.talk.send('github list_issues'));
      const [preloaded] = of(events, 'call');
      assert.equal(preloaded?.schema, of(events, 'preload').length > 0 ? 'preloaded' : undefined);
    });
});

describe('requests', () => {
  test('are numbered, and their usage names them', async () => {
    const reply: Reply = { calls: [call(LIST, {})] };
    await using server = await startModelServer({
      script: [reply, { text: 'Done.' }, { text: 'Again.' }],
    });
    const { talk } = begin(server);
    const events = await collect(talk.send('Go.'));
    events.push(...(await collect(talk.send('Go on.'))));
    const numbers = of(events, 'request').map(({ request }) => request);
    assert.deepEqual(numbers, [1, 2, 3]);
    const usages = of(events, 'usage');
    assert.deepEqual(
      usages.map(({ request }) => request),
      numbers,
    );
    for (const { duration = -1 } of [...usages, ...of(events, 'result')])
      assert.ok(Number.isSafeInteger(duration) && duration >= 0);
  });

  test('tell their segments; the texts of them are not part of the JSON', async () => {
    await using server = await startModelServer({ script: [{ text: 'Hi.' }] });
    const { talk } = begin(server, { agent: { instructions: 'Be kind.' } });
    const [request] = of(await collect(talk.send('Hello.')), 'request');
    assert.ok(request);
    const { segments, tokens, texts } = request;
    assert.deepEqual(
      segments.map(({ kind, label }) => [kind, label]),
      [
        ['tools', 'inline-tools'],
        ['tools', 'bridge-tools'],
        ['system', 'system-text'],
        ['system', 'catalog'],
        ['message', 'history'],
      ],
    );
    const sum = segments.reduce((all, segment) => all + segment.tokens, 0);
    assert.equal(sum, tokens.total);
    const known = texts?.() ?? assert.fail();
    for (const { hash } of segments)
      assert.equal(
        createHash('sha256')
          .update(known.get(hash) ?? '')
          .digest('hex'),
        hash,
      );
    assert.match([...known.values()].join(), /Be kind.*Hello\./s);
    assert.deepEqual(
      Object.keys(request).filter((key) => ['texts', 'schemaOf'].includes(key)),
      [],
    );
  });

  test('are not sent again while the quota of the plan is used up', async () => {
    const failed = { message: 'Check your plan.', type: 'insufficient_quota', param: null };
    for (const endpoint of ENDPOINTS) {
      const error = { ...failed, code: 'insufficient_quota' };
      const refused: Reply = { error: { status: 429, body: { type: 'error', error } } };
      await using server = await startModelServer({ script: () => refused });
      const { talk } = begin(server, { endpoint, agent: { settings: { maxRetries: 1 } } });
      const events = await collect(talk.send('Go.'));
      assert.deepEqual([server.requests.length, of(events, 'retry')], [1, []], endpoint.name);
      const [end] = of(events, 'end');
      assert.equal(end?.code, 'rate-limited');
      assert.match(end?.error?.message ?? '', /^Check your plan\.$/);
      const { status, isUsedUp } = failureFacts(end?.error);
      assert.deepEqual([status, isUsedUp], [429, true], endpoint.name);
    }
  });

  test('that are sent again tell the status of the failure and how long they wait, before that', async () => {
    const busy: Reply = { error: { status: 529, body: 'Overloaded.' } };
    await using server = await startModelServer({ script: [busy, { text: 'Here.' }] });
    const { talk } = begin(server, { agent: { settings: { maxRetries: 1 } } });
    const events: AgentEvent[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      if (event.type === 'retry') assert.equal(server.requests.length, 1);
    }
    const retry = { type: 'retry', attempt: 2, status: 529, wait: 2_000 };
    assert.deepEqual(plain(of(events, 'retry')), [retry]);
    assert.deepEqual(
      of(events, 'request').map(({ request }) => request),
      [1, 2],
    );
  });
});

describe('a request that its provider wants later', () => {
  const later = (headers: Record<string, string>, status = 429): Reply => ({
    error: { status, body: 'Later.', headers },
  });

  test('is sent again after the time that the response says', async () => {
    for (const endpoint of ENDPOINTS)
      for (const status of [429, 503, 529]) {
        const script = [later({ 'retry-after-ms': '120' }, status), { text: 'Here.' }];
        await using server = await startModelServer({ script });
        const { talk } = begin(server, {
          endpoint,
          agent: { settings: { maxRetries: 2 } },
        });
        const begun = performance.now();
        const events = await collect(talk.send('Go.'));
        assert.ok(performance.now() - begun >= 115, endpoint.name);
        assert.deepEqual(plain(of(events, 'retry')), [
          { type: 'retry', attempt: 2, status, wait: 120 },
        ]);
        assert.equal(ended(events).text, 'Here.');
      }
  });

  test('is given up where the response asks for more than two minutes, or too often', async () => {
    const soon = later({ 'retry-after': '0' });
    const rows: readonly (readonly [Reply[], number, number | undefined])[] = [
      [[later({ 'retry-after': '121' })], 1, 121],
      [[later({ 'retry-after': '3600' }, 529)], 1, 3600],
      [[soon, later({ 'retry-after': '600' })], 2, 600],
      [[soon, soon, soon], 3, 0],
    ];
    for (const [script, requests, wait] of rows) {
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { agent: { settings: { maxRetries: 2 } } });
      const events = await collect(talk.send('Go.'));
      assert.equal(server.requests.length, requests);
      const [end] = of(events, 'end');
      assert.equal(end?.error?.message, 'Later.');
      assert.deepEqual([end?.reason, failureFacts(end?.error).wait], ['error', wait]);
    }
  });

  test('ends with its wait when the turn is cancelled, and can be sent after that', async () => {
    const script = [later({ 'retry-after': '119' }), { text: 'Here.' }];
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: { settings: { maxRetries: 2 } } });
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    let stoppedAt = 0;
    for await (const event of talk.send('Go.', { signal: stop.signal })) {
      events.push(event);
      if (event.type !== 'retry') continue;
      assert.equal(event.wait, 119_000);
      stoppedAt = performance.now();
      stop.abort();
    }
    assert.ok(performance.now() - stoppedAt < 2_000);
    const [end] = of(events, 'end');
    assert.deepEqual([end?.reason, server.requests.length], ['cancelled', 1]);
    assert.equal(ended(await collect(talk.resume())).text, 'Here.');
  });

  test('is asked for a summary later too', async () => {
    const script: Reply[] = [
      { text: 'One.' },
      { text: 'Two.' },
      later({ 'retry-after-ms': '60' }),
      { text: 'What was said.' },
    ];
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: { settings: { maxRetries: 2 } } });
    for (const text of ['Go. '.repeat(60_000), 'On.']) await collect(talk.send(text));
    const events = await collect(talk.compact());
    const [end] = of(events, 'end');
    assert.equal(end?.reason, 'done', String(end?.error));
    assert.deepEqual(plain(of(events, 'retry')), [
      { type: 'retry', attempt: 2, status: 429, wait: 60 },
    ]);
    assert.equal(server.requests.length, 4);
  });
});

describe('an epoch', () => {
  test('is told once, and again with its reason when a strategy is given up', async () => {
    const refused: Reply = { error: { status: 400, body: 'tool_addition: not supported.' } };
    const [endpoint] = NATIVE_ENDPOINTS;
    await using server = await startModelServer({
      script: [refused, { text: 'One.' }, { text: 'Two.' }],
    });
    const { talk } = begin(server, {
      endpoint,
      fold: { strategy: 'native', capabilities: endpoint?.capabilities ?? [] },
      agent: { settings: { ...endpoint?.settings, maxRetries: 0 } },
    });
    const events = await collect(talk.send('Go.'));
    events.push(...(await collect(talk.send('Go on.'))));
    assert.deepEqual(
      of(events, 'epoch').map(({ strategy }) => strategy),
      ['native', 'dispatch'],
    );
    assert.match(of(events, 'epoch')[1]?.reason ?? '', /refused.*tool_addition/);
    const [fallback, ...more] = of(events, 'fallback');
    assert.deepEqual([fallback?.from, fallback?.to, more], ['native', 'dispatch', []]);
    assert.match(fallback?.reason ?? '', /tool_addition/);
  });

  test('continues when the list of tools changes; the names are told', async () => {
    const groups = (count: number) => [
      fakeGroup({ groupId: 'mcp:a', tools: fakeTools(3).slice(0, count) }),
    ];
    await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
    const { talk, fold } = begin(server, { fold: { groups: groups(2), strategy: 'dispatch' } });
    const events: AgentEvent[] = [];
    for (const count of [2, 3, 3, 1, 2]) {
      fold.update(groups(count));
      events.push(...(await collect(talk.send('Go.'))));
    }
    const names = fakeTools(3).map(({ name }) => `a__${name}`);
    const [first = '', second = '', third = ''] = names;
    assert.ok(first !== second);
    assert.deepEqual(plain(of(events, 'tools-changed')), [
      { type: 'tools-changed', added: [third], removed: [] },
      { type: 'tools-changed', added: [], removed: [second, third] },
      { type: 'tools-changed', added: [second], removed: [] },
    ]);
    assert.equal(of(events, 'epoch').length, 1);
    assert.deepEqual(of(events, 'prefix-broken'), []);
  });
});

describe('the end of a turn', () => {
  test('tells how many rounds are left', async () => {
    const again: Reply = { calls: [call(LIST, {})] };
    await using server = await startModelServer({ script: [again, { text: 'Done.' }] });
    const { talk } = begin(server, { agent: { maxRounds: 4 } });
    assert.equal(ended(await collect(talk.send('Go.'))).roundsLeft, 3);
  });

  test('has a code if the turn failed', async () => {
    for (const [status, code] of [
      [401, 'model-refused'],
      [429, 'rate-limited'],
      [529, 'overloaded'],
      [400, 'invalid-request'],
    ] as const) {
      const script = [{ error: { status, body: 'No.' } }];
      await using server = await startModelServer({ script });
      const { talk } = begin(server);
      assert.equal(ended(await collect(talk.send('Go.'))).code, code);
    }
    const server = await startModelServer({ script: [] });
    const { talk } = begin(server);
    await server[Symbol.asyncDispose]();
    assert.equal(ended(await collect(talk.send('Go.'))).code, 'network');
  });
});
