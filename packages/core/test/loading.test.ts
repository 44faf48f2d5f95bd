import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTool, fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { ToolLayerOptions } from '../src/session/options.ts';
import type { DeferredToolGroup } from '../src/tool/group.ts';
import type { Tool } from '../src/tool/tool.ts';
import { Conversation, simpleTools, text } from './conversation.test-support.ts';

function dispatch(groups: readonly DeferredToolGroup[], options: ToolLayerOptions = {}) {
  const layer = createToolLayer({ groups, strategy: 'dispatch', ...options });
  return { layer, conversation: new Conversation(layer.session()) };
}

/** The group, and when its loader begins to run. */
function beginning({ loader, ...group }: DeferredToolGroup) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin: typeof loader = (options) => {
    resolve();
    return loader(options);
  };
  return { group: { ...group, loader: begin }, promise };
}

const abc = () => fakeGroup({ groupId: 'mcp:a', tools: simpleTools('one', 'three', 'two') });
const load = (...tool_names: string[]) =>
  [
    'load_tools',
    tool_names.length === 0 ? { group_id: 'mcp:a' } : { group_id: 'mcp:a', tool_names },
  ] as const;

suite('load_tools', () => {
  test('answers with keys in a fixed order, names sorted, schemas in the order of their author', async () => {
    const { conversation } = dispatch([abc()]);
    const answer = await conversation.answer(...load());
    assert.deepEqual(Object.keys(answer), [
      'group_id',
      'expanded',
      'tool_names',
      'remaining',
      'schemas',
    ]);
    assert.deepEqual(answer.tool_names, ['one', 'three', 'two']);
    assert.equal(answer.remaining, 0);
    const [schema] = Object(answer.schemas);
    assert.deepEqual(Object.keys(schema), ['name', 'description', 'parameters']);
    assert.equal(schema.name, 'a__one');
  });

  test('promise 27: loading twice gives the same bytes, whatever was loaded between', async () => {
    const group = abc();
    const { conversation } = dispatch([group]);
    const first = await conversation.answer(...load('two'));
    const second = await conversation.answer(...load('one'));
    assert.deepEqual([first.remaining, second.remaining], [2, 1]);
    assert.equal(text(await conversation.answer(...load('two'))), text(first));
    assert.equal(text(await conversation.answer(...load('one'))), text(second));
    const rest = await conversation.answer(...load('three', 'one'));
    assert.equal(rest.remaining, 0);
    assert.equal((await conversation.answer(...load('two'))).repeated, 3);
    assert.equal(text(await conversation.answer(...load('three', 'one'))), text(rest));
    assert.equal(group.loads, 1);
  });

  test('promise 27: loads of one step, which do not know of each other, are re-served as they were', async () => {
    const { conversation } = dispatch([abc()]);
    const routes = await conversation.step([load('two'), load('one'), load('two', 'three')]);
    const before = routes.map((route) => text(route.kind === 'answer' && route.result));
    const again = [];
    for (const call of [load('two'), load('one'), load('two', 'three')])
      again.push(text(await conversation.answer(...call)));
    assert.deepEqual(again, before);
  });

  test('promise 27: a resume by messages and state at once re-serves the same bytes', async () => {
    const { layer, conversation } = dispatch([abc()]);
    const [first] = await conversation.step([load('two'), load('one')]);
    await conversation.step();
    const resumed = new Conversation(layer.session({ state: conversation.session.state() }));
    resumed.messages.splice(0, 1, ...conversation.messages);
    assert.equal(
      text(await resumed.answer(...load('two'))),
      text(first?.kind === 'answer' && first.result),
    );
  });

  test('promise 26: partly unknown names load the known and report the rest', async () => {
    const { conversation } = dispatch([abc()]);
    const answer = await conversation.answer(...load('one', 'a__two', 'onne', 'nope'));
    assert.deepEqual(answer.tool_names, ['one', 'two']);
    assert.deepEqual(answer.unknown, ['onne', 'nope']);
    const none = await conversation.answer(...load('onne'));
    assert.deepEqual([none.expanded, none.did_you_mean], [false, ['one']]);
  });

  test('promise 26: what the server has and the snapshot lacks is callable; what it lacks is said', async () => {
    const group = fakeGroup({
      groupId: 'mcp:a',
      tools: simpleTools('real', 'extra'),
      names: ['real', 'promised'],
    });
    const { conversation } = dispatch([group]);
    await conversation.step();
    const { system } = conversation.last;
    assert.equal((await conversation.call('a__extra', { issue_id: '1' })).kind, 'run');
    assert.equal((await conversation.call('extra', { issue_id: '1' })).kind, 'run');
    const missing = await conversation.answer('a__promised', {});
    assert.equal(missing.error, 'tool_missing');
    assert.match(String(missing.message), /mcp:a is loaded but does not offer promised/);
    const loaded = await conversation.answer(...load());
    assert.deepEqual([loaded.tool_names, loaded.remaining], [['extra', 'real'], 0]);
    const found = await conversation.answer('tool_search', { query: 'promised' });
    assert.ok(!text(found.matches).includes('promised'));
    assert.equal(conversation.last.system, system);
  });

  test('a loader that returns nothing, duplicates or junk leaves a group that answers in words', async () => {
    const warnings: string[] = [];
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic.self = cyclic;
    const junk = [
      null,
      7,
      {},
      { name: '' },
      { name: 3 },
      { name: 'odd', description: 4, inputSchema: {} },
      { name: 'cyclic', inputSchema: cyclic },
      { name: 'big', inputSchema: { minimum: 1n } },
      { name: 'bare' },
      ...simpleTools('twice', 'twice'),
    ] as unknown as Tool[];
    const groups = [
      fakeGroup({ groupId: 'mcp:none', tools: [] }),
      { groupId: 'mcp:void', toolNames: ['x'], loader: async () => undefined as unknown as Tool[] },
      { groupId: 'mcp:a', toolNames: ['twice'], loader: async () => junk },
    ];
    const { conversation } = dispatch(groups, { onWarning: (warning) => warnings.push(warning) });
    const none = await conversation.answer('load_tools', { group_id: 'mcp:none' });
    assert.deepEqual([none.expanded, none.error], [false, 'The group has no tools.']);
    for (let i = 0; i < 2; i++) {
      assert.equal(
        (await conversation.answer('load_tools', { group_id: 'mcp:void' })).expanded ?? false,
        false,
      );
    }
    assert.match(
      String((await conversation.answer('void__x', {})).message),
      /: the loader returned no list of tools\. No tool was run\.$/,
    );
    const loaded = await conversation.answer(...load());
    assert.deepEqual(loaded.tool_names, ['bare', 'twice']);
    assert.equal(warnings.length, 9);
    assert.equal((await conversation.call('a__bare', {})).kind, 'run');
  });

  test('promise 25: a failing loader is told to the model, tried again, and leaves other groups alone', async () => {
    const bad = fakeGroup({ groupId: 'mcp:bad', failures: 2, error: new Error('no token') });
    const { conversation } = dispatch([bad, abc()]);
    const [failed, fine] = await conversation.step([
      ['load_tools', { group_id: 'mcp:bad' }],
      load(),
    ]);
    assert.ok(
      failed?.kind === 'answer' && failed.isError && fine?.kind === 'answer' && !fine.isError,
    );
    assert.equal(failed.result.error, 'The group could not be loaded: no token.');
    assert.equal(failed.result.expanded, false);
    assert.equal((await conversation.answer('bad__list_issue', {})).error, 'load_failed');
    assert.deepEqual(conversation.session.state().expandedGroups, { 'mcp:a': null });
    assert.equal((await conversation.answer('load_tools', { group_id: 'mcp:bad' })).expanded, true);
    assert.equal(bad.loads, 3);
  });

  test('promise 25: a slow group is loaded once for all calls of a step', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = fakeGroup({ groupId: 'mcp:a', tools: simpleTools('one'), gate: promise });
    const { conversation } = dispatch([group]);
    const step = conversation.step([
      load(),
      load('one'),
      ['a__one', { issue_id: '1' }],
      ['tool_describe', { name: 'one' }],
    ]);
    resolve();
    assert.deepEqual(
      (await step).map(({ kind }) => kind),
      ['answer', 'answer', 'run', 'answer'],
    );
    assert.equal(group.loads, 1);
  });

  test('tells the host once of what was newly loaded, by the wish of the model', async () => {
    const expanded: [string, string[]][] = [];
    const onToolsExpanded = (id: string, tools: readonly Tool[]) =>
      expanded.push([id, tools.map(({ name }) => name)]);
    const { conversation } = dispatch([abc()], { onToolsExpanded });
    await conversation.call('a__three', { issue_id: '1' });
    await conversation.call(...load('one'));
    await conversation.call(...load());
    await conversation.call(...load());
    assert.deepEqual(expanded, [
      ['mcp:a', ['one']],
      ['mcp:a', ['three', 'two']],
    ]);
  });

  test('finds a group by id, slug or display name in any case; an unknown one gets near ids, never all', async () => {
    const groups = Array.from({ length: 40 }, (_, i) =>
      fakeGroup({ groupId: `mcp:server-${i}`, displayName: `Server ${i}` }),
    );
    const { conversation } = dispatch(groups);
    for (const group_id of ['mcp:server-7', 'server-7', 'MCP:SERVER-7', 'server 7']) {
      assert.equal(
        (await conversation.answer('load_tools', { group_id })).group_id,
        'mcp:server-7',
      );
    }
    for (const group_id of ['mcp:servr-7', 'mcp:server', '', undefined, 7, 'zzz']) {
      const answer = await conversation.answer('load_tools', { group_id });
      assert.equal(answer.expanded, false);
      assert.ok(Object(answer.did_you_mean ?? []).length <= 5);
      assert.equal(typeof answer.next, 'string');
      assert.ok(text(answer).length < 600);
    }
  });

  test('promise 5: a changed schema says so and carries a fingerprint, again and again the same', async () => {
    const before = fakeGroup({
      groupId: 'mcp:a',
      fingerprint: '1',
      tools: simpleTools('one', 'two'),
    });
    const one = {
      ...simpleTools('one')[0],
      name: 'one',
      inputSchema: { type: 'object' },
      description: 'Does something else now.',
    };
    const after = fakeGroup({
      groupId: 'mcp:a',
      fingerprint: '2',
      tools: [one, ...simpleTools('two')],
    });
    const { conversation } = dispatch([before]);
    await conversation.answer('tool_search', { query: 'one' });
    const first = await conversation.answer(...load());
    assert.equal(first.changed, undefined);
    conversation.session.update([after]);
    const second = await conversation.answer(...load());
    assert.deepEqual(second.changed, ['one']);
    assert.match(Object(second.schemas)[0].fingerprint, /^[0-9a-f]{16}$/);
    assert.equal(Object(second.schemas)[1].fingerprint, undefined);
    assert.equal(text(await conversation.answer(...load())), text(second));
    assert.match(
      text(await conversation.answer('tool_describe', { name: 'one' })),
      /"changed":\["a__one"\]/,
    );
    conversation.session.update([before]);
    assert.equal(text(await conversation.answer(...load())), text(first));
  });

  test('names changed without a fingerprint are a reason to load again', async () => {
    const { layer, conversation } = dispatch([abc()]);
    await conversation.call(...load());
    const grown = fakeGroup({
      groupId: 'mcp:a',
      tools: simpleTools('one', 'three', 'two', 'four'),
    });
    layer.update([grown]);
    assert.equal((await conversation.call('a__four', { issue_id: '1' })).kind, 'run');
    assert.equal(grown.loads, 1);
    layer.update([abc()]);
    layer.refresh('mcp:a');
  });

  test('an update or refresh while a load is in flight: who waits gets the group as it now is', async () => {
    const { promise } = Promise.withResolvers<void>();
    const old = fakeGroup({
      groupId: 'mcp:a',
      fingerprint: '1',
      tools: simpleTools('one'),
      gate: promise,
    });
    const begun = beginning(old);
    const { layer, conversation } = dispatch([begun.group]);
    const { session } = conversation;
    session.present(conversation.messages);
    const waiting = session.route({ id: '1', name: 'a__one', input: { issue_id: '1' } });
    await begun.promise;
    const now = fakeGroup({ groupId: 'mcp:a', fingerprint: '2', tools: simpleTools('one') });
    layer.update([now]);
    assert.equal((await waiting).kind, 'run');
    assert.deepEqual([old.loads, old.aborted, now.loads], [1, 1, 1]);
    const gone = fakeGroup({ groupId: 'mcp:b', tools: simpleTools('two'), gate: promise });
    const going = beginning(gone);
    layer.update([now, going.group]);
    session.present(conversation.messages);
    const lost = session.route({ id: '2', name: 'b__two', input: { issue_id: '1' } });
    await going.promise;
    layer.update([now]);
    const answer = await lost;
    assert.equal(answer.kind === 'answer' && answer.result.error, 'tool_removed');
    assert.equal(gone.aborted, 1);
  });
});

suite('search and describe', () => {
  test('search shows names, groups, cut descriptions, and schemas while they fit', async () => {
    const wordy = { ...fakeTool(0, { name: 'wordy' }), description: `Wordy ${'x'.repeat(1_000)}` };
    const { conversation } = dispatch(
      [fakeGroup({ groupId: 'mcp:a', tools: [wordy, ...fakeTools(100)] })],
      {
        limits: { search: 300 },
      },
    );
    const answer = await conversation.answer('tool_search', {
      query: 'wordy list issue',
      limit: 99,
    });
    assert.equal(answer.total_available, 101);
    const matches = Object(answer.matches) as Record<string, unknown>[];
    assert.equal(matches.length, 20);
    assert.ok(matches.every(({ description }) => String(description).length <= 400));
    const withSchema = matches.filter(({ parameters }) => parameters !== undefined).length;
    assert.ok(withSchema > 0 && withSchema < 10);
    const two = await conversation.answer('tool_search', { queries: ['wordy', 'zzzz'] });
    const results = Object(two.results) as Record<string, unknown>[];
    assert.deepEqual(
      results.map(({ query }) => query),
      ['wordy', 'zzzz'],
    );
  });

  test('a blank search and one without hits say what to do next', async () => {
    const { conversation } = dispatch([abc()]);
    for (const input of [{}, { query: ' ' }, null, { queries: [] }]) {
      const answer = await conversation.answer('tool_search', input);
      assert.deepEqual(
        [answer.error ?? answer.cause, answer.total_available ?? 3],
        ['missing_query', 3],
      );
    }
    const nothing = await conversation.answer('tool_search', { query: 'qqqq' });
    assert.deepEqual([nothing.matches, typeof nothing.next], [[], 'string']);
  });

  test('an unknown name is sent to tool_search only where that is declared', async () => {
    const { conversation } = dispatch([abc()]);
    const small = dispatch([abc()], { catalog: { budget: 8 } }).conversation;
    assert.equal(
      String((await conversation.answer('zz', {})).next),
      'Look through the list of tools.',
    );
    assert.match(String((await small.answer('zz', {})).next), /or ask tool_search\.$/);
  });

  test('search after search is answered with a way out', async () => {
    const { conversation } = dispatch([abc()]);
    for (const query of ['a', 'b', 'c']) await conversation.answer('tool_search', { query });
    assert.match(
      String((await conversation.answer('tool_search', { query: 'd' })).next),
      /4 searches in a row/,
    );
  });

  test('describe loses nothing, works for declared tools too, and reports the rest', async () => {
    const schema = {
      $defs: { d: { enum: ['x'] } },
      type: 'object',
      properties: { a: { $ref: '#/$defs/d' } },
      'x-odd': [1],
    };
    const group = fakeGroup({ groupId: 'mcp:a', tools: [{ name: 'one', inputSchema: schema }] });
    const { conversation } = dispatch([group], { tools: simpleTools('calculator') });
    const answer = await conversation.answer('tool_describe', {
      names: '["one","calculator","onne"]',
    });
    const [one, calculator] = Object(answer.tools);
    assert.equal(text(one.parameters), text(schema));
    assert.equal(calculator.name, 'calculator');
    assert.deepEqual(Object(answer.not_found)[0].did_you_mean, ['a__one']);
  });
});
