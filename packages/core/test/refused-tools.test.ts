import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { ToolLayerOptions } from '../src/session/options.ts';
import type { AcceptedTools } from '../src/tool/declared-tools.ts';
import type { Tool } from '../src/tool/tool.ts';
import { Conversation } from './conversation.test-support.ts';

const plain = { type: 'object', properties: { id: { type: 'string' } } } as const;
const either = { ...plain, anyOf: [{ required: ['id'] }] } as const;
const tool = (name: string, inputSchema: Tool['inputSchema'] = plain): Tool => ({
  name,
  inputSchema,
});

const ACCEPTS: AcceptedTools = {
  by: 'P',
  most: 6,
  brokenRule: ({ parameters }) => ('anyOf' in parameters ? 'anyOf' : undefined),
};

const groupsOf = (names: readonly string[] | boolean = true) => [
  fakeGroup({ groupId: 'mcp:a', tools: [tool('fine'), tool('odd', either)], names }),
  fakeGroup({ groupId: 'mcp:b', tools: [tool('other')] }),
];

function layerOf(options: ToolLayerOptions) {
  const warnings: string[] = [];
  const layer = createToolLayer({ onWarning: (text) => warnings.push(text), ...options });
  return { layer, warnings };
}

const names = (conversation: Conversation) => conversation.last.tools.map(({ name }) => name);

suite('tools that the endpoint refuses, in the core', () => {
  test('are declared where nothing is said of the endpoint', async () => {
    const conversation = new Conversation(
      layerOf({ groups: groupsOf(), strategy: 'eager' }).layer.session(),
    );
    await conversation.step();
    assert.deepEqual(names(conversation), ['a__fine', 'a__odd', 'b__other']);
  });

  test('make auto choose dispatch, whatever has loaded before', async () => {
    const seen = new Set<string>();
    for (const first of [[], ['mcp:a'], ['mcp:b', 'mcp:a'], ['mcp:a', 'mcp:b']]) {
      const { layer } = layerOf({ groups: groupsOf(), tools: [tool('own')] });
      const session = layer.session({ accepts: ACCEPTS });
      for (const groupId of first)
        await layer
          .session({ strategy: 'dispatch' })
          .route({ id: '1', name: 'load_tools', input: { group_id: groupId } });
      const conversation = new Conversation(session);
      await conversation.step();
      assert.equal(session.explain().strategy, 'dispatch');
      seen.add(JSON.stringify([conversation.last.system, conversation.last.tools]));
    }
    assert.equal(seen.size, 1);
  });

  test('of a group that names its tools only when it loads are left out as well', async () => {
    for (const strategy of ['eager', 'inject', 'lazy'] as const) {
      const { layer } = layerOf({ groups: groupsOf(false), strategy });
      const conversation = new Conversation(layer.session({ accepts: ACCEPTS }));
      await conversation.step();
      if (strategy === 'inject') await conversation.answer('load_tools', { group_id: 'mcp:a' });
      if (strategy === 'lazy') await conversation.answer('request_tool', { name: 'a__odd' });
      await conversation.step();
      assert.ok(!names(conversation).includes('a__odd'), strategy);
      const { error } = await conversation.answer('a__odd', { id: '1' });
      assert.equal(error, 'not_declarable', strategy);
    }
  });

  test('in a state of another model begin a new epoch', async () => {
    const options: ToolLayerOptions = {
      groups: groupsOf(),
      strategy: 'dispatch',
      exposure: { 'mcp:a': 'inline' },
    };
    const other = layerOf(options).layer.session();
    await other.prepare();
    other.present();
    const state = JSON.parse(JSON.stringify(other.state()));
    const conversation = new Conversation(
      layerOf(options).layer.session({ state, accepts: ACCEPTS }),
    );
    await conversation.step();
    assert.ok(names(conversation).includes('a__fine'));
    assert.ok(!names(conversation).includes('a__odd'));
  });

  test('that appear in a conversation of auto begin a new epoch with a way to call them', async () => {
    const { layer } = layerOf({ groups: groupsOf().slice(1) });
    const session = layer.session({ accepts: ACCEPTS });
    const conversation = new Conversation(session);
    await conversation.step();
    assert.equal(session.explain().strategy, 'eager');
    session.update(groupsOf());
    await conversation.step();
    assert.equal(session.explain().strategy, 'dispatch');
    const route = await conversation.call('deferred_tool_call', {
      tool_name: 'a__odd',
      arguments: { id: '1' },
    });
    assert.equal(route.kind, 'run');
  });

  test('that were loaded with another model are not declared with this one', async () => {
    const { layer, warnings } = layerOf({ groups: groupsOf(), strategy: 'inject' });
    const before = new Conversation(layer.session());
    await before.answer('load_tools', { group_id: 'mcp:a' });
    const session = layer.session({ accepts: ACCEPTS });
    await session.prepare(before.messages);
    const { tools, refused } = session.present(before.messages);
    assert.ok(!tools.some(({ name }) => name === 'a__odd'));
    assert.deepEqual(
      refused.map(({ name }) => name),
      ['a__odd'],
    );
    session.present(before.messages);
    await new Promise(setImmediate);
    assert.equal(warnings.filter((text) => text.includes('a__odd')).length, 1);
  });

  test('more loads in one step than there is room for are cut in the order of their calls', async () => {
    const tools = Array.from({ length: 9 }, (_, n) => tool(`t${n}`));
    const { layer } = layerOf({
      groups: [fakeGroup({ groupId: 'mcp:a', tools })],
      strategy: 'inject',
    });
    const conversation = new Conversation(layer.session({ accepts: ACCEPTS }));
    const load = (...tool_names: string[]) =>
      ['load_tools', { group_id: 'mcp:a', tool_names }] as const;
    await conversation.step([load('t0', 't1', 't2'), load('t3', 't4', 't5')]);
    await conversation.step();
    assert.deepEqual(names(conversation), [
      'load_tools',
      'a__t0',
      'a__t1',
      'a__t2',
      'a__t3',
      'a__t4',
    ]);
  });

  test('are not catalogued where they are own tools that cannot be called', async () => {
    const { layer } = layerOf({ tools: [tool('odd', either), tool('fine')], strategy: 'inject' });
    const conversation = new Conversation(layer.session({ accepts: ACCEPTS }));
    await conversation.step();
    assert.match(conversation.last.system, /fine/);
    assert.doesNotMatch(conversation.last.system, /odd/);
  });
});
