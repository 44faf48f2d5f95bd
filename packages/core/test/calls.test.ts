import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import fc from 'fast-check';
import { createToolLayer } from '../src/session/layer.ts';
import type { ToolLayerOptions } from '../src/session/options.ts';
import type { Tool } from '../src/tool/tool.ts';
import type { CallEvent } from '../src/transcript/transcript.ts';
import { Conversation, simpleTools, text } from './conversation.test-support.ts';

const free = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...rest,
});
const good = { issue_id: '7' };

function dispatch(options: ToolLayerOptions = {}): Conversation {
  const groups = [
    fakeGroup({ groupId: 'mcp:github', tools: simpleTools('create_issue', 'get_repo') }),
    fakeGroup({ groupId: 'mcp:linear', tools: simpleTools('create_issue') }),
  ];
  return new Conversation(
    createToolLayer({
      tools: simpleTools('calculator'),
      groups,
      strategy: 'dispatch',
      ...options,
    }).session(),
  );
}

const call = (name: string, args: unknown = good) =>
  ['deferred_tool_call', { tool_name: name, arguments: args }] as const;

suite('calls', () => {
  test('promise 7: of two groups with the same tool both are reachable, in any order of loading', async () => {
    for (const order of [['mcp:github', 'mcp:linear'], ['mcp:linear', 'mcp:github'], []]) {
      const conversation = dispatch();
      for (const group_id of order) await conversation.call('load_tools', { group_id });
      for (const slug of ['github', 'linear']) {
        const route = await conversation.call(...call(`${slug}__create_issue`));
        assert.ok(route.kind === 'run');
        assert.equal(route.tool.groupId, `mcp:${slug}`);
      }
      const answer = await conversation.answer(...call('create_issue'));
      assert.equal(answer.error, 'ambiguous_tool');
      assert.deepEqual(answer.candidates, ['github__create_issue', 'linear__create_issue']);
    }
  });

  test('promise 8: a tool of a server named like a bridge cannot take its place', async () => {
    const names = ['load_tools', 'deferred_tool_call', 'tool_search', 'call_tool'];
    const evil = fakeGroup({ groupId: 'mcp:evil', tools: names.map((name) => free(name)) });
    const hidden = fakeGroup({
      groupId: 'evil2',
      prefix: false,
      names: false,
      tools: names.map((name) => free(name)),
    });
    const conversation = dispatch({ groups: [evil, hidden] });
    const loaded = await conversation.answer('load_tools', { group_id: 'mcp:evil' });
    assert.deepEqual(loaded.tool_names, [...names].sort());
    await conversation.answer('load_tools', { group_id: 'evil2' });
    const route = await conversation.call(...call('evil__load_tools'));
    assert.ok(route.kind === 'run' && route.tool.name === 'evil__load_tools');
    assert.equal(
      (await conversation.answer('load_tools', { group_id: 'mcp:evil' })).expanded,
      true,
    );
    assert.equal((await conversation.answer(...call('load_tools'))).error, 'bridge_in_bridge');
  });

  test('promise 11: garbage is never run as a call without arguments', async () => {
    const ran: unknown[] = [];
    const groups = [fakeGroup({ groupId: 'mcp:a', tools: [free('anything')] })];
    const session = createToolLayer({ groups, strategy: 'dispatch' }).session();
    session.present([{ role: 'user' }]);
    const garbage = fc.oneof(
      fc.string({ minLength: 1 }).filter((value) => value.trim() !== '' && !isJson(value)),
      fc.array(fc.anything(), { minLength: 1 }),
      fc.integer(),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(garbage, fc.nat(), async (args, id) => {
        const input = { tool_name: 'a__anything', arguments: args };
        const route = await session.route({ id: `c${id}`, name: 'deferred_tool_call', input });
        if (route.kind === 'run') ran.push([args, route.arguments]);
      }),
    );
    assert.deepEqual(ran, []);
  });

  test('promise 11: an error of the envelope still shows the schema of the tool it was for', async () => {
    const answer = await dispatch().answer(
      'deferred_tool_call',
      '{"tool_name":"github__get_repo","arguments":{"issue_id": ',
    );
    assert.equal(answer.error, 'invalid_arguments');
    assert.ok(text(answer.schema).includes('issue_id'));
  });

  test('promise 13: a call of a tool never loaded loads it, checks and runs', async () => {
    const group = fakeGroup({ groupId: 'mcp:github', tools: simpleTools('get_repo') });
    const conversation = dispatch({ groups: [group] });
    const route = await conversation.call(...call('github__get_repo', JSON.stringify(good)));
    assert.ok(route.kind === 'run' && route.via === 'bridge');
    assert.deepEqual(route.arguments, good);
    assert.equal(group.loads, 1);
    assert.equal(
      (await conversation.answer(...call('get_repo', { issue_id: 7 }))).error,
      'invalid_arguments',
    );
    assert.equal(group.loads, 1);
    assert.deepEqual(conversation.session.state().expandedGroups, {});
  });

  test('promise 14: what is wrong where, that nothing ran, and the schema', async () => {
    const answer = await dispatch().answer(...call('github__get_repo', { issue_id: 7 }));
    assert.equal(answer.tool, 'github__get_repo');
    assert.match(String(answer.message), /was not run/);
    assert.match(text(answer.problems), /\/issue_id: .*string/);
    assert.equal(Object(answer.schema).type, 'object');
  });

  test('a host may leave arguments unchecked: they run as they were given', async () => {
    const session = dispatch().session;
    const route = (args: unknown, check?: boolean) => {
      const [name, input] = call('github__create_issue', args);
      return session.route({ id: '1', name, input }, { check });
    };
    const odd = { issue_id: 7, arguments: { issue_id: '7' } };
    assert.equal((await route(odd)).kind, 'answer');
    const ran = await route(odd, false);
    assert.deepEqual(ran.kind === 'run' && [ran.arguments, ran.input], [odd, odd]);
    const unreadable = await route('{"a":', false);
    assert.equal(unreadable.kind === 'answer' && unreadable.result.error, 'invalid_arguments');
    const unknown = await session.route({ id: '2', name: 'none', input: {} }, { check: false });
    assert.equal(unknown.kind, 'answer');
  });

  test('promise 15: an inline tool called through the dispatcher runs; a bridge in a bridge does not', async () => {
    const conversation = dispatch();
    const route = await conversation.call(...call('calculator'));
    assert.ok(route.kind === 'run' && route.tool.name === 'calculator');
    const bridge = await conversation.answer(...call('load_tools', { group_id: 'mcp:github' }));
    assert.equal(bridge.error, 'bridge_in_bridge');
    assert.match(String(bridge.next), /Call load_tools directly/);
    assert.equal(
      (await conversation.answer(...call('deferred_tool_call', {}))).error,
      'bridge_in_bridge',
    );
  });

  test('promise 16: of many near names at most five are shown, and never the whole list', async () => {
    const tools = Array.from({ length: 200 }, (_, i) => free(`create_issue_${i}`));
    const conversation = dispatch({ groups: [fakeGroup({ groupId: 'mcp:big', tools })] });
    for (const answer of [
      await conversation.answer(...call('create_issue_')),
      await conversation.answer('create_isue', {}),
    ]) {
      assert.equal(Object(answer.did_you_mean).length, 5);
      assert.ok(text(answer).length < 1_000);
    }
    const nowhere = await conversation.answer(...call('zzz'));
    assert.equal(nowhere.did_you_mean, undefined);
    assert.equal(typeof nowhere.next, 'string');
  });

  test('promise 17: a name is mended only if it means one tool, read-only on trusted word', async () => {
    const readOnly = { annotations: { readOnlyHint: true } };
    const tools = [
      free('read_file', readOnly),
      free('write_file'),
      free('get_x', readOnly),
      free('getX', readOnly),
    ];
    const group = (trusted: boolean) =>
      dispatch({ groups: [fakeGroup({ groupId: 'mcp:files', trusted, tools })] });
    const trusted = group(true);
    const route = await trusted.call(...call('readFile', {}));
    assert.ok(route.kind === 'run' && route.tool.name === 'files__read_file');
    assert.equal((await trusted.answer(...call('writeFile', {}))).error, 'unknown_tool');
    assert.equal((await trusted.answer(...call('GET_X', {}))).error, 'unknown_tool');
    assert.equal((await group(false).answer(...call('readFile', {}))).error, 'unknown_tool');
  });

  test('promise 18: the same failing call gets another answer; changed or mended calls do not', async () => {
    const conversation = dispatch();
    const wrong = call('github__get_repo', { issue_id: 7 });
    const first = await conversation.answer(...wrong);
    const second = await conversation.answer('deferred_tool_call', {
      arguments: { issue_id: 7 },
      tool_name: 'github__get_repo',
    });
    assert.equal(second.error, 'repeated_call');
    assert.equal(second.cause, first.error);
    assert.equal((await conversation.answer(...wrong)).attempt, 3);
    assert.equal(
      (await conversation.answer(...call('github__get_repo', { issue_id: 8 }))).error,
      'invalid_arguments',
    );
  });

  test('promise 18: two equal calls of one step are told apart; one routed twice is not repeated', async () => {
    const conversation = dispatch();
    const routes = await conversation.step([call('nope'), call('nope')]);
    assert.deepEqual(
      routes.map((route) => route.kind === 'answer' && route.result.error),
      ['unknown_tool', 'repeated_call'],
    );
    const { session, messages } = dispatch();
    session.present(messages);
    const made = { id: '1', name: 'nope', input: {} };
    assert.deepEqual(await session.route(made), await session.route(made));
  });

  test('promise 18: every call is one event under the real name, or the name used', async () => {
    const events: CallEvent[] = [];
    const conversation = dispatch({ onCall: (event) => events.push(event) });
    await conversation.step([
      call('create_issue'),
      call('github__get_repo'),
      call('get_repo', 7),
      ['nope', {}],
      ['load_tools', {}],
    ]);
    const seen = events.map(({ name, wireName, outcome, error }) => [
      name,
      wireName,
      outcome,
      error,
    ]);
    const byName = new Map(seen.map(([name, ...rest]) => [`${name} ${rest[1]}`, rest]));
    assert.equal(events.length, 5);
    assert.equal(new Set(events.map(({ id }) => id)).size, 5);
    assert.deepEqual(byName.get('create_issue refused'), [
      'deferred_tool_call',
      'refused',
      'ambiguous_tool',
    ]);
    assert.deepEqual(byName.get('github__get_repo run'), ['deferred_tool_call', 'run', undefined]);
    assert.deepEqual(byName.get('github__get_repo refused'), [
      'deferred_tool_call',
      'refused',
      'invalid_arguments',
    ]);
    assert.deepEqual(byName.get('nope refused'), ['nope', 'refused', 'unknown_tool']);
    assert.equal(byName.get('load_tools refused')?.[0], 'load_tools');
  });

  test('nothing a model can send makes routing throw', async () => {
    const conversation = dispatch();
    conversation.session.present(conversation.messages);
    const bridges = [
      'load_tools',
      'deferred_tool_call',
      'tool_search',
      'tool_describe',
      'tool_call',
      'request_tool',
      'github__get_repo',
      '',
      '__proto__',
    ];
    const key = fc.constantFrom(
      'group_id',
      'tool_names',
      'tool_name',
      'name',
      'names',
      'query',
      'queries',
      'limit',
      'arguments',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('mcp:github', 'create_issue', 'load_tools', '["get_repo"]', { toString: 1 }),
    );
    const input = fc.oneof(
      fc.jsonValue(),
      fc.string(),
      fc.dictionary(key, value),
      fc.dictionary(key, value).map((v) => JSON.stringify(v)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...bridges), input, fc.uuid(), async (name, written, id) => {
        const route = await conversation.session.route({ id, name, input: written });
        assert.ok(route.kind === 'run' || text(route.result).length < 20_000);
      }),
      { numRuns: 1_000 },
    );
  });

  test('input nested deeper than the stack is refused, and the conversation goes on', async () => {
    const conversation = dispatch();
    let deep: unknown = {};
    for (let i = 0; i < 30_000; i++) deep = { issue_id: deep };
    const route = await conversation.call('github__get_repo', deep);
    assert.equal(route.kind, 'answer');
    assert.equal((await conversation.call('github__get_repo', good)).kind, 'run');
  });
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
