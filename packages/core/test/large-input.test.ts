import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { NearIndex } from '../src/near-names.ts';
import { createLexicalSearch } from '../src/search.ts';
import { createToolLayer } from '../src/session/layer.ts';
import { Conversation, simpleTools, text } from './conversation.test-support.ts';

const many = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i));
const names = many(300, (i) => `tool_${i}`);
const LONG = 'create an issue '.repeat(60_000);

function talk(strategy: 'dispatch' | 'bridge') {
  const queries: string[] = [];
  const search = createLexicalSearch();
  const layer = createToolLayer({
    groups: [fakeGroup({ groupId: 'mcp:a', tools: simpleTools(...names) })],
    strategy,
    search: {
      index: (documents) => search.index(documents),
      search: (query, options) => {
        queries.push(query);
        return search.search(query, options);
      },
    },
  });
  return { conversation: new Conversation(layer.session()), queries };
}

suite('input of any size', () => {
  test('promise 32: of thousands of queries a few are searched, and of a long one its beginning and its end', async () => {
    const { conversation, queries } = talk('bridge');
    const answer = await conversation.answer('tool_search', {
      queries: many(10_000, (i) => `need number ${i}`),
    });
    assert.deepEqual([queries.length, answer.ignored_queries], [7, 9_993]);
    const long = await conversation.answer('tool_search', { query: LONG });
    assert.ok(queries.every((query) => query.length <= 20_000));
    assert.deepEqual([queries.at(-1)?.length, long.matches !== undefined], [20_000, true]);
    assert.ok(text(long).length < 20_000);
  });

  test('promise 32: of thousands of names a thousand are looked up, and the answer says so', async () => {
    const { conversation } = talk('dispatch');
    const tool_names = [...names, ...many(99_700, (i) => `nope_${i}`)];
    const answer = await conversation.answer('load_tools', { group_id: 'mcp:a', tool_names });
    assert.equal(answer.ignored_names, 99_000);
    assert.equal((answer.unknown as string[]).length, 10);
    assert.deepEqual(answer.tool_names, names.slice(0, (answer.tool_names as string[]).length));
    const none = await conversation.answer('load_tools', {
      group_id: 'mcp:a',
      tool_names: many(100_000, (i) => `nope_${i}`),
    });
    assert.ok(text(none).length < 2_000);
  });

  test('promise 32: of thousands of names ten are described', async () => {
    const { conversation } = talk('bridge');
    const answer = await conversation.answer('tool_describe', {
      names: many(100_000, (i) => `nope_${i}`),
    });
    assert.equal((answer.not_found as unknown[]).length, 10);
    assert.equal((answer.omitted as unknown[]).length, 10);
    assert.ok(text(answer).length < 20_000);
  });

  test('promise 32: a name of any length gets a short answer', async () => {
    for (const strategy of ['dispatch', 'bridge'] as const) {
      for (const [name, input] of [
        [LONG, {}],
        ['deferred_tool_call', { tool_name: LONG, arguments: {} }],
        ['tool_call', { name: LONG, arguments: {} }],
        ['tool_describe', { name: LONG }],
        ['load_tools', { group_id: LONG }],
        ['load_tools', { group_id: 'mcp:a', tool_names: [LONG] }],
        ['request_tool', { name: LONG }],
      ] as const) {
        const { conversation } = talk(strategy);
        assert.ok(
          text(await conversation.answer(name, input)).length < 4_000,
          text([name.slice(0, 40)]),
        );
      }
    }
  });

  test('promise 16: among thousands of names alike, few are looked at closely, and the nearest are found', () => {
    const index = new NearIndex(many(50_000, (i) => `srv${i % 500}__get_item_${i}`));
    for (const [query, nearest] of [
      ['get_itm_31234', 'srv234__get_item_31234'],
      ['srv7__gt_item_507', 'srv7__get_item_507'],
      ['item_4999', 'srv499__get_item_4999'],
      ['SRV1-GET-ITEM-1', 'srv1__get_item_1'],
    ] as const) {
      let asked = 0;
      const found = index.nearest(query, 5, () => ++asked > 0);
      assert.equal(found[0], nearest);
      assert.ok(asked <= 2_100, `${query}: ${asked}`);
    }
  });
});
