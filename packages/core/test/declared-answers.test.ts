import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { createToolLayer } from '../src/session/layer.ts';
import { Conversation, inlineTools, simpleTools } from './conversation.test-support.ts';

const begin = (strategy: 'dispatch' | 'bridge' | 'lazy' | 'inject') =>
  new Conversation(
    createToolLayer({
      tools: inlineTools('ask_user'),
      groups: [
        fakeGroup({ groupId: 'mcp:desk', tools: simpleTools('open_ticket') }),
        fakeGroup({ groupId: 'mcp:park', tools: inlineTools('water_garden') }),
      ],
      exposure: { 'park__*': 'inline' },
      strategy,
    }).session(),
  );

suite('a declared tool can be called now', () => {
  for (const strategy of ['dispatch', 'inject'] as const)
    test(`says load_tools in ${strategy}, whatever stands in the call`, async () => {
      for (const input of [
        { group_id: 'ask_user' },
        { group_id: 'app', tool_names: ['ask_user'] },
        { group_id: 'mcp:desk', tool_names: ['ask_user'] },
        { group_id: '', tool_names: ['ask_user'] },
      ]) {
        const answer = await begin(strategy).answer('load_tools', input);
        assert.deepEqual(answer.callable_now, ['ask_user'], JSON.stringify(input));
        assert.match(String(answer.next), /You have ask_user already/);
        assert.equal(answer.error, undefined);
      }
    });

  test('says load_tools beside what it loads, the same each time', async () => {
    const talk = begin('dispatch');
    const input = { group_id: 'mcp:desk', tool_names: ['open_ticket', 'ask_user', 'nothing'] };
    const answer = await talk.answer('load_tools', input);
    assert.deepEqual(answer.tool_names, ['open_ticket']);
    assert.deepEqual(answer.callable_now, ['ask_user']);
    assert.deepEqual(answer.unknown, ['nothing']);
    assert.deepEqual(await talk.answer('load_tools', input), answer);
  });

  test('says load_tools of an inline tool of a group', async () => {
    const answer = await begin('dispatch').answer('load_tools', { group_id: 'mcp:park' });
    assert.deepEqual(answer.callable_now, ['park__water_garden']);
  });

  test('says tool_search, and only where it fits', async () => {
    const found = await begin('bridge').answer('tool_search', { query: 'ask user' });
    assert.deepEqual(found.callable_now, ['ask_user']);
    const other = await begin('bridge').answer('tool_search', { query: 'open ticket' });
    assert.equal(other.callable_now, undefined);
  });

  test('says tool_describe, with the schema', async () => {
    const answer = await begin('bridge').answer('tool_describe', { name: 'ask_user' });
    assert.deepEqual(answer.callable_now, ['ask_user']);
    assert.equal(Object(answer.tools).length, 1);
  });

  test('says request_tool', async () => {
    const answer = await begin('lazy').answer('request_tool', { name: 'ask_user' });
    assert.match(String(answer.next), /Call ask_user now/);
  });
});
