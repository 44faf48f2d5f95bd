import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGroup } from '../../testing/index.ts';
import { createToolLayer } from '../layer.ts';
import { strategies } from '../strategy.ts';
import type { TranscriptMessage } from '../transcript.ts';
import type { Strategy } from './strategy.ts';

test('a strategy that appends puts each schema behind the load that asked for it, once', async () => {
  // None of the strategies here appends yet; the place for one that does must work all the same.
  const table = strategies as Record<string, Strategy>;
  table.dispatch = { ...strategies.dispatch, delivers: 'append' };
  const group = fakeGroup({ groupId: 'mcp:github', count: 3 });
  const session = createToolLayer({ groups: [group], strategy: 'dispatch' }).session();
  const messages: TranscriptMessage[] = [{ role: 'user' }];
  const first = session.present(messages);
  const load = async (id: string, name: string | undefined) => {
    const call = { id, name: 'load_tools', input: { group_id: 'mcp:github', tool_names: [name] } };
    const route = await session.route(call);
    assert.ok(route.kind === 'answer' && !route.isError && route.result.schemas === undefined);
    messages.push({ role: 'assistant', calls: [call], notes: first.note ? [first.note] : [] });
    messages.push({ role: 'tool', results: [{ id, output: route.result, isError: false }] });
    return session.present(messages);
  };
  const [a, b] = group.toolNames ?? [];
  await load('1', a);
  await load('2', b);
  const last = await load('3', a);
  assert.deepEqual(last.tools, first.tools);
  assert.deepEqual(
    last.inserts.map(({ position, tools }) => [position, tools?.map((tool) => tool.name)]),
    [
      [3, [`github__${a}`]],
      [5, [`github__${b}`]],
      [7, []],
    ],
  );
});
