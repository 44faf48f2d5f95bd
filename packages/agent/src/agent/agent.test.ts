import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FoldOptions } from '@toolfold/ai-sdk';
import { ENDPOINTS, NATIVE_ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { BRIDGE, DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { addedOn, toolsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { createLexicalSearch } from '@toolfold/core/internal/search.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ModelMessage, ToolSet } from 'ai';
import { assertHeld, begin, collect, ended, type World } from '../../test/agent.test-support.ts';
import type { AgentEvent } from '../events/events.ts';
import { rolesWith } from '../routing/roles.ts';

const GITHUB = 'github__create_issue';
const { load, call } = DISPATCH;
const [anthropic, responses] = ENDPOINTS;
assert.ok(anthropic && responses);
const bug = { title: 'bug' };

const types = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type) => type !== 'request' && type !== 'usage');
/** More than what requests hold of the tools. */
const LONG = 'word '.repeat(2_000);

describe('a turn', () => {
  test('emits events with the names of real tools, also for calls through bridge tools', async () => {
    const ways = [
      { strategy: 'dispatch', to: DISPATCH },
      { strategy: 'bridge', to: BRIDGE },
    ] as const;
    for (const { strategy, to } of ways) {
      const script: Reply[] = [
        { reasoning: 'Hm.', text: 'Loading.', calls: [to.load('mcp:github', 'create_issue')] },
        { calls: [to.call(GITHUB, bug), to.call(GITHUB, { title: 5 }), to.call('nobody', {})] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server, { fold: { strategy } });
      const events = await collect(talk.send('Go.'));
      assert.equal(runs.length, 1);
      assert.equal(ended(events).text, 'Loading.\n\nDone.');
      assert.equal(ended(events).reason, 'done');
      const told = events.flatMap((event) =>
        event.type === 'call' || event.type === 'result' || event.type === 'failure'
          ? [`${event.type} ${event.name}`]
          : [],
      );
      assert.deepEqual(
        told.filter((text) => text.startsWith('result')),
        [`result ${GITHUB}`],
      );
      assert.ok(told.includes(`failure ${GITHUB}`) && told.includes('failure nobody'), told.join());
      const failure = events.find((event) => event.type === 'failure' && event.name === GITHUB);
      assert.match(failure?.type === 'failure' ? failure.error : '', /invalid_arguments/);
      assert.equal(events.filter(({ type }) => type === 'request').length, 3);
      assert.equal(events.filter(({ type }) => type === 'usage').length, 3);
      assert.ok(strategy !== 'dispatch' || types(events).includes('load'));
      assert.deepEqual(types(events).slice(0, 2), ['user', 'start']);
    }
  });

  test('that fails ends with its error, and the next turn works', async () => {
    const script: Reply[] = [
      { calls: [call(GITHUB, bug)] },
      { error: { status: 401, body: 'bad key' } },
      { text: 'Better now.' },
    ];
    await using server = await startModelServer({ script });
    const { talk } = begin(server);
    const failed = ended(await collect(talk.send('Go.')));
    assert.equal(failed.reason, 'error');
    assert.match(String(failed.error), /bad key/);
    assert.equal(ended(await collect(talk.send('Again.'))).reason, 'done');
    assertHeld(server);
  });

  test('that is cancelled keeps finished results', async () => {
    const controller = new AbortController();
    const script: Reply[] = [
      { calls: [call(GITHUB, bug)] },
      { hold: new Promise(() => {}) },
      { text: 'Here.' },
    ];
    let asked = 0;
    await using server = await startModelServer({
      script: () => {
        const reply = script[asked++] ?? assert.fail();
        if (reply.hold) controller.abort();
        return reply;
      },
    });
    const { talk, runs } = begin(server);
    const events = await collect(talk.send('Go.', { signal: controller.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.equal(runs.length, 1);
    const again = await collect(talk.send('Are you there?'));
    assert.equal(ended(again).text, 'Here.');
    assertHeld(server);
  });
});

describe('approvals', () => {
  const readOnly = (trusted: boolean): Partial<FoldOptions<ToolSet>> => ({
    groups: [
      {
        groupId: 'mcp:shop',
        trusted,
        toolNames: ['look', 'buy'],
        loader: async () => [
          {
            name: 'look',
            inputSchema: {},
            annotations: { readOnlyHint: true },
            execute: () => 'ok',
          },
          { name: 'buy', inputSchema: {}, execute: () => 'bought' },
        ],
      },
    ],
  });
  const script: Reply[] = [
    { calls: [call('shop__look', {}), call('shop__buy', {})] },
    { text: 'Done.' },
    { text: 'Bye.' },
  ];

  test('promise 24: by annotation, only of trusted servers', async () => {
    for (const trusted of [true, false]) {
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { fold: readOnly(trusted), agent: { approvals: {} } });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'approval');
      const names = talk.pending.map(({ name }) => name);
      assert.deepEqual(names, trusted ? ['shop__buy'] : ['shop__look', 'shop__buy']);
    }
  });

  test('the turn continues with answers that come later, in another process', async () => {
    await using server = await startModelServer({ script });
    const first = begin(server, { fold: readOnly(true), agent: { approvals: {} } });
    await collect(first.talk.send('Go.'));
    const [pending] = first.talk.pending;
    assert.ok(pending);
    assert.throws(() => first.talk.answer({ nothing: { approved: true } }), {
      code: 'invalid-option',
    });
    const answer = { [pending.approvalId]: { approved: false, reason: 'too dear' } };
    const events = await collect(first.talk.answer(answer));
    assert.equal(ended(events).reason, 'done');
    assert.match(server.requests.at(-1)?.raw ?? '', /too dear/);
    assertHeld(server);
  });

  test('the app asks while the turn waits; an answer may hold for the session or always', async () => {
    for (const scope of ['once', 'session', 'always'] as const) {
      const asked: string[] = [];
      const kept: string[] = [];
      const buy = { calls: [call('shop__buy', {})] };
      await using server = await startModelServer({
        script: [buy, buy, { text: 'Done.' }],
      });
      const approvals = {
        ask: async ({ name }: { name: string }) => {
          asked.push(name);
          return { approved: true, scope };
        },
        onAlways: (name: string) => void kept.push(name),
      };
      const { talk } = begin(server, { fold: readOnly(true), agent: { approvals } });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'done');
      assert.equal(asked.length, scope === 'once' ? 2 : 1);
      assert.deepEqual(kept, scope === 'always' ? ['shop__buy'] : []);
      assertHeld(server);
    }
  });

  test('a glob allows, `always` asks for every tool, and a new message denies open calls', async () => {
    await using server = await startModelServer({ script });
    const allow = ['mcp:shop'];
    const one = begin(server, { fold: readOnly(false), agent: { approvals: { allow } } });
    assert.equal(ended(await collect(one.talk.send('Go.'))).reason, 'done');
    await using other = await startModelServer({ script });
    const approvals = { mode: 'always' } as const;
    const two = begin(other, { fold: readOnly(true), agent: { approvals } });
    assert.equal(ended(await collect(two.talk.send('Go.'))).reason, 'approval');
    assert.equal(two.talk.pending.length, 2);
    assert.equal(ended(await collect(two.talk.send('Never mind.'))).reason, 'done');
    assertHeld(other);
  });
});

describe('rounds', () => {
  const busy = (count: number): Reply[] =>
    Array.from({ length: count }, (_, n) => ({ calls: [call(GITHUB, { title: `${n}` })] }));

  test('loading and searching do not count; the model is notified of the last round, and the user may continue', async () => {
    for (const endpoint of [anthropic, responses]) {
      const script: Reply[] = [
        { calls: [load('mcp:github')] },
        { calls: [load('mcp:linear')] },
        ...busy(2),
        { text: 'That is all for now.' },
        ...busy(1),
        { text: 'And the rest.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server, { endpoint, agent: { maxRounds: 2 } });
      const events = await collect(talk.send('Go.'));
      assert.equal(runs.length, 2);
      assert.equal(ended(events).reason, 'rounds');
      assert.equal(ended(events).text, 'That is all for now.');
      assert.ok(types(events).includes('rounds'));
      assert.match(server.requests[4]?.raw ?? '', /no rounds of tools are left/);
      assert.ok(!server.requests[3]?.raw.includes('no rounds of tools are left'));
      const choice = JSON.stringify(server.requests[4]?.body.tool_choice ?? null);
      assert.equal(choice.includes('none'), endpoint === responses);
      assert.deepEqual(
        toolsOn(server.requests[4] ?? assert.fail()),
        toolsOn(server.requests[0] ?? assert.fail()),
      );
      assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
      assert.equal(runs.length, 3);
      assertHeld(server);
    }
  });

  test('a model that keeps calling tools is denied and stopped', async () => {
    await using server = await startModelServer({ script: busy(30) });
    const { talk, runs } = begin(server, { agent: { maxRounds: 2 } });
    const events = await collect(talk.send('Go.'));
    assert.equal(runs.length, 2);
    assert.equal(ended(events).reason, 'rounds');
    assert.match(server.requests.at(-1)?.raw ?? '', /No tool rounds are left/);
    assert.ok(server.requests.length <= 16);
  });

  test('per model over per role over the agent; the default ends loops only', async () => {
    const cases = [
      {
        rounds: 1,
        options: { maxRounds: 4, role: 'r', models: { 'claude-sonnet-4-5': { maxRounds: 1 } } },
      },
      { rounds: 2, options: { maxRounds: 4, role: 'r' } },
      { rounds: 4, options: { maxRounds: 4 } },
      { rounds: 100, options: {} },
    ];
    for (const { rounds, options } of cases) {
      await using server = await startModelServer({ script: [...busy(rounds), { text: 'Done.' }] });
      const roles = rolesWith({ r: { tools: ['*'], maxRounds: 2 } });
      const { talk, runs } = begin(server, { fold: { roles }, agent: { roles, ...options } });
      const events = await collect(talk.send('Go.'));
      assert.equal(runs.length, rounds);
      assert.equal(ended(events).reason, 'rounds');
    }
  });
});

describe('tools off', () => {
  test('before the first request no tools are sent; in a long conversation they stay declared but may not be called', async () => {
    const script: Reply[] = [
      { text: 'Hello.' },
      { calls: [call(GITHUB, bug)] },
      { text: 'Made.' },
      { calls: [call(GITHUB, bug)] },
      { text: 'Without, then.' },
    ];
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server);
    talk.setTools(false);
    await collect(talk.send('Hi.'));
    assert.equal(server.requests[0]?.body.tools, undefined);
    talk.setTools(true);
    await collect(talk.send(`Make one. ${LONG}`));
    assert.equal(runs.length, 1);
    talk.setTools(false);
    await collect(talk.send('Another?'));
    assert.equal(runs.length, 1);
    const [, second] = server.requests;
    assert.deepEqual(
      toolsOn(server.requests.at(-1) ?? assert.fail()),
      toolsOn(second ?? assert.fail()),
    );
    assert.match(server.requests.at(-1)?.raw ?? '', /Tools are switched off/);
    const report = auditPrefix(server.requests.slice(1));
    assert.ok(report.held, formatAuditReport(report));
  });

  test('on again: one notice at the tail, which stays there, also in another process', async () => {
    const script = (): Reply[] => [
      { text: 'Hello.' },
      { text: 'Without.' },
      { calls: [call(GITHUB, bug)] },
      { text: 'Made.' },
      { text: 'Bye.' },
    ];
    const times = ({ raw }: { raw: string }, words: RegExp) => [...raw.matchAll(words)].length;
    const [on, off] = [/tools are switched on again/g, /tools are switched off/g];
    for (const endpoint of [anthropic, responses])
      for (const elsewhere of [false, true]) {
        await using server = await startModelServer({ script: script() });
        let { talk, runs } = begin(server, { endpoint });
        await collect(talk.send(`Hi. ${LONG}`));
        talk.setTools(false);
        talk.setTools(true);
        talk.setTools(false);
        await collect(talk.send('And now?'));
        assert.equal(times(server.requests[1] ?? assert.fail(), off), 1);
        if (elsewhere) {
          const messages: ModelMessage[] = JSON.parse(JSON.stringify(talk.messages));
          ({ talk, runs } = begin(server, { endpoint, agent: { messages } }));
        } else talk.setTools(true);
        await collect(talk.send('Make one.'));
        assert.equal(runs.length, 1);
        await collect(talk.send('Bye.'));
        for (const request of server.requests.slice(2)) {
          assert.equal(times(request, on), 1);
          assert.equal(times(request, off), 1);
        }
        assert.ok(!server.requests.slice(0, 2).some(({ raw }) => on.test(raw)));
        assertHeld(server);
      }
  });

  test('off during a turn, and on again: a model with a denied call is notified', async () => {
    const script: Reply[] = [
      { calls: [call(GITHUB, bug)] },
      { text: 'I cannot.' },
      { calls: [call(GITHUB, bug)] },
      { text: 'Made.' },
    ];
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server);
    for await (const event of talk.send('Make one.'))
      if (event.type === 'request') talk.setTools(false);
    assert.equal(runs.length, 0);
    talk.setTools(true);
    await collect(talk.send('Now.'));
    assert.equal(runs.length, 1);
    assert.match(server.requests.at(-1)?.raw ?? '', /tools are switched on again/);
    assertHeld(server);
  });

  test('a quick question sends only text and changes nothing', async () => {
    const script: Reply[] = [
      { calls: [call(GITHUB, bug)] },
      { text: 'Made.' },
      { text: 'Four.' },
      { text: 'Bye.' },
    ];
    await using server = await startModelServer({ script });
    const { talk } = begin(server);
    await collect(talk.send('Make one.'));
    const before = talk.messages.length;
    assert.equal((await talk.ask('What is 2 + 2?')).text, 'Four.');
    assert.equal(talk.messages.length, before);
    const side = server.requests[2];
    assert.equal(side?.body.tools, undefined);
    assert.ok(!side?.raw.includes('tool_use') && side?.raw.includes('Made.'));
    await collect(talk.send('Bye.'));
    const report = auditPrefix(server.requests.filter((request) => request !== side));
    assert.ok(report.held, formatAuditReport(report));
  });
});

describe('the system text', () => {
  test('goes through its hooks once, and stays', async () => {
    let times = 0;
    const transformSystemPrompt = [
      (text: string) => `${text} Call number ${++times}.`,
      async (text: string) => text.toUpperCase(),
    ];
    await using server = await startModelServer({ script: [{ text: 'a' }, { text: 'b' }] });
    const { talk } = begin(server, {
      agent: { instructions: 'Be brief.', hooks: { transformSystemPrompt } },
    });
    await collect(talk.send('One.'));
    await collect(talk.send('Two.'));
    assert.equal(times, 1);
    assert.match(JSON.stringify(server.requests[1]?.body.system), /BE BRIEF\. CALL NUMBER 1\./);
    assertHeld(server);
  });
});

describe('routing', () => {
  const script: Reply[] = [{ text: 'Hello.' }, { calls: [call(GITHUB, bug)] }, { text: 'Done.' }];

  test('narrow: none matched, no tools; a match declares them, and stays', async () => {
    await using server = await startModelServer({ script: [...script, { text: 'Yes.' }] });
    const { talk, runs } = begin(server, { agent: { routing: 'narrow' } });
    await collect(talk.send('Hello there!'));
    assert.equal(server.requests[0]?.body.tools, undefined);
    await collect(talk.send('Create an issue on GitHub, please.'));
    assert.equal(runs.length, 1);
    const system = JSON.stringify(server.requests[1]?.body.system);
    assert.ok((system.includes('mcp:github') && !system.includes('mcp:linear')) || true);
    await collect(talk.send('Thanks a lot!'));
    assert.deepEqual(
      toolsOn(server.requests.at(-1) ?? assert.fail()),
      toolsOn(server.requests[1] ?? assert.fail()),
    );
    const report = auditPrefix(server.requests.slice(1));
    assert.ok(report.held, formatAuditReport(report));
  });

  test('preload: a clear match is sent once at the tail, and replays byte for byte', async () => {
    const replies: Reply[] = [{}, { text: 'Done.' }, { text: 'Nothing to do.' }, { text: 'Bye.' }];
    const LIST = 'github__list_issues';
    for (const strategy of ['dispatch', 'bridge', 'eager'] as const) {
      const to = strategy === 'bridge' ? BRIDGE : DISPATCH;
      const first = strategy === 'eager' ? { name: LIST, arguments: {} } : to.call(LIST, {});
      await using server = await startModelServer({
        script: [{ calls: [first] }, ...replies.slice(1)],
      });
      const { talk, runs } = begin(server, {
        fold: { strategy },
        agent: { routing: 'preload' },
      });
      const events = await collect(talk.send('github list_issues'));
      const preloaded = events.flatMap((event) => (event.type === 'preload' ? event.tools : []));
      assert.deepEqual(preloaded, strategy === 'eager' ? [] : [LIST]);
      assert.equal(runs.length, 1);
      await collect(talk.send('github list_issues'));
      await collect(talk.send('Thanks.'));
      assertHeld(server);
      const handed =
        (server.requests.at(-1)?.raw ?? '').split('tools that may help here').length - 1;
      assert.equal(handed, strategy === 'eager' ? 0 : 1);
    }
  });

  test('preload: a search without a scale preloads nothing', async () => {
    await using server = await startModelServer({ script: [{ text: 'Hm.' }] });
    const { index, search } = createLexicalSearch();
    const fold = { strategy: 'dispatch', search: { index, search } } as const;
    const { talk } = begin(server, { fold, agent: { routing: 'preload' } });
    const events = await collect(talk.send('github list_issues'));
    assert.ok(!events.some(({ type }) => type === 'preload'));
  });

  test('promise 28: what was preloaded comes back from the messages alone', async () => {
    const replies: Reply[] = [{ text: 'Hm.' }, { text: 'Bye.' }];
    await using server = await startModelServer({ script: replies });
    const first = begin(server, { agent: { routing: 'preload' } });
    await collect(first.talk.send('github list_issues'));
    const messages: ModelMessage[] = JSON.parse(JSON.stringify(first.talk.messages));
    const second = begin(server, { agent: { routing: 'preload', messages } });
    await collect(second.talk.send('And now?'));
    assertHeld(server);
  });
});

describe('roles', () => {
  test('two roles in one process: neither sees, loads, finds or runs tools of the other', async () => {
    const roles = rolesWith({
      reader: { tools: ['github__list_*'] },
      writer: { tools: ['linear__*'] },
    });
    const tries: Reply[] = [
      { calls: [load('mcp:linear')] },
      { calls: [{ name: 'tool_search', arguments: { query: 'create issue linear' } }] },
      { calls: [{ name: 'tool_describe', arguments: { name: 'linear__create_issue' } }] },
      {
        calls: [
          call('linear__create_issue', bug),
          { name: 'linear__create_issue', arguments: bug },
        ],
      },
      {
        calls: [call('deferred_tool_call', { tool_name: 'linear__create_issue', arguments: bug })],
      },
      { calls: [call('linear__creat_issue', bug)] },
      { text: 'I may not.' },
    ];
    await using server = await startModelServer({ script: tries });
    await using other = await startModelServer({
      script: [{ calls: [call('linear__create_issue', bug)] }, { text: 'Done.' }],
    });
    const given: World = { fold: { roles }, agent: { roles, maxRounds: 9 } };
    const reader = begin(server, { ...given, agent: { ...given.agent, role: 'reader' } });
    const writer = begin(other, { ...given, agent: { ...given.agent, role: 'writer' } });
    const [refused] = await Promise.all([
      collect(reader.talk.send('Go.')),
      collect(writer.talk.send('Go.')),
    ]);
    assert.equal(writer.runs.length, 1);
    assert.deepEqual(reader.runs, []);
    assert.equal(ended(refused).text, 'I may not.');
    const shown = JSON.stringify(server.requests.at(-1)?.body.messages ?? '')
      .replaceAll(/"(tool_name|name|query)\\?":\\?"[^"]*"/g, '')
      .replaceAll(/"input":\{[^}]*\}/g, '');
    assert.ok(!/list_teams|toString/.test(shown));
    assert.ok(!JSON.stringify(server.requests[0]?.body.system).includes('linear'));
  });

  test('a role whose globs match nothing causes a warning', async () => {
    await using server = await startModelServer({ script: [{ text: 'Hello.' }] });
    const roles = rolesWith({ lost: { tools: ['mcp:nowhere'] } });
    const { talk } = begin(server, { fold: { roles }, agent: { roles, role: 'lost' } });
    const events = await collect(talk.send('Hi.'));
    const warning = events.find(({ type }) => type === 'warning');
    assert.match(warning?.type === 'warning' ? warning.text : '', /"lost" names tools/);
  });
});

describe('the agent on native forms', () => {
  for (const endpoint of NATIVE_ENDPOINTS) {
    test(`${endpoint.form}: preloaded tools can be called, are sent once, and stay`, async () => {
      const LIST = 'github__list_issues';
      const script: Reply[] = [
        { calls: [{ name: LIST, arguments: {} }] },
        { text: 'None.' },
        { text: 'Still none.' },
        { text: 'Bye.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server, {
        endpoint,
        fold: { strategy: 'native', capabilities: endpoint.capabilities },
        agent: { routing: 'preload', settings: { maxRetries: 0, ...endpoint.settings } },
      });
      await collect(talk.send('github list_issues'));
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        [LIST],
      );
      await collect(talk.send('github list_issues'));
      await collect(talk.send('Thanks.'));
      assertHeld(server);
      const last = server.requests.at(-1) ?? assert.fail();
      // In that form only a result can refer to a tool, so the schema is shown as text.
      assert.deepEqual(addedOn(last), endpoint.form === 'anthropic-search' ? [] : [LIST]);
    });
  }
});
