import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { createToolLayer, type ToolLayer } from '../src/session/layer.ts';
import { fingerprint } from '../src/tool/hash.ts';
import type { Tool } from '../src/tool/tool.ts';
import { Conversation, simpleTools } from './conversation.test-support.ts';

const LOAD = ['load_tools', { group_id: 'mcp:desk' }] as const;
const DESCRIBE = ['tool_describe', { name: 'desk__open_ticket' }] as const;
const SEARCH = ['tool_search', { query: 'open ticket' }] as const;
const REQUEST = ['request_tool', { name: 'desk__open_ticket' }] as const;

const groups = (tools: readonly Tool[] = simpleTools('open_ticket', 'close_ticket')) => [
  fakeGroup({ groupId: 'mcp:desk', tools, fingerprint: fingerprint(tools) }),
];
const layerOf = (strategy: 'dispatch' | 'bridge' | 'inject' | 'lazy') =>
  createToolLayer({ groups: groups(), strategy });
const begin = (layer: ToolLayer) => new Conversation(layer.session());

suite('an equal load or search that succeeds', () => {
  const cases: readonly (readonly [Parameters<typeof layerOf>[0], readonly [string, object]])[] = [
    ['dispatch', LOAD],
    ['inject', LOAD],
    ['bridge', DESCRIBE],
    ['bridge', SEARCH],
    ['lazy', REQUEST],
  ];
  for (const [strategy, step] of cases)
    test(`${step[0]} in ${strategy} is answered in full twice, then in one line`, async () => {
      const talk = begin(layerOf(strategy));
      const answers = [];
      for (let times = 0; times < 4; times++) answers.push(await talk.answer(...step));
      const [first, second, third, fourth] = answers;
      if (step !== SEARCH && step !== REQUEST) assert.deepEqual(second, first, 'promise 27');
      assert.equal(second?.repeated, undefined);
      assert.equal(third?.repeated, 3);
      assert.equal(fourth?.repeated, 4);
      assert.match(String(third?.next), /call a tool, or ask the user/);
    });

  test('another process with the same messages answers the same', async () => {
    const talk = begin(layerOf('dispatch'));
    for (let times = 0; times < 2; times++) await talk.answer(...LOAD);
    const other = begin(layerOf('dispatch'));
    other.messages.splice(0, 1, ...structuredClone(talk.messages));
    assert.deepEqual(await other.answer(...LOAD), await talk.answer(...LOAD));
  });

  test('is answered in full again where the messages do not hold the schema any more', async () => {
    const talk = begin(layerOf('dispatch'));
    const first = await talk.answer(...LOAD);
    for (let times = 0; times < 3; times++) await talk.answer(...LOAD);
    // Compaction drops the answers in full, and leaves a line.
    talk.messages.splice(1, 6);
    assert.deepEqual(await talk.answer(...LOAD), first);
    // It may also leave digests in their place.
    for (const message of talk.messages)
      if (message.role === 'tool')
        Object.assign(message, { results: message.results.map((r) => ({ ...r, output: 'cut' })) });
    assert.deepEqual(await talk.answer(...LOAD), first);
  });

  test('is answered in full again where a schema has changed', async () => {
    const layer = layerOf('dispatch');
    const talk = begin(layer);
    for (let times = 0; times < 3; times++) await talk.answer(...LOAD);
    talk.session.update(groups(simpleTools('open_ticket', 'close_ticket', 'print_ticket')));
    const changed = await talk.answer(...LOAD);
    assert.equal(changed.repeated, undefined);
    assert.match(JSON.stringify(changed), /print_ticket/);
  });

  test('counts only equal ones, whatever stands between', async () => {
    const talk = begin(layerOf('dispatch'));
    const one = ['load_tools', { group_id: 'mcp:desk', tool_names: ['open_ticket'] }] as const;
    for (let times = 0; times < 2; times++) {
      assert.equal((await talk.answer(...LOAD)).repeated, undefined);
      assert.equal((await talk.answer(...one)).repeated, undefined);
      await talk.call('deferred_tool_call', {
        tool_name: 'desk__open_ticket',
        arguments: { issue_id: 'a' },
      });
    }
    assert.equal((await talk.answer(...LOAD)).repeated, 3);
  });

  test('is always answered in full to a host that keeps no messages', async () => {
    const session = layerOf('dispatch').session();
    for (let times = 0; times < 4; times++) {
      const call = { id: `call_${times}`, name: LOAD[0], input: LOAD[1] };
      const route = await session.route(call);
      assert.ok(route.kind === 'answer' && route.result.repeated === undefined);
      session.record(call, { output: route.result, isError: false });
    }
  });
});
