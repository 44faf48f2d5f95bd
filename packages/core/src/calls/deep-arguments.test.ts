import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolLayer } from '../session/layer.ts';

const LEVELS = 100_000;
const text = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const value: unknown = JSON.parse(text);
const loader = async () => [{ name: 'find', inputSchema: { type: 'object' } }];
const groups = [{ groupId: 'g', toolNames: ['find'], loader }];
const session = createToolLayer({ groups, strategy: 'dispatch' }).session();

const INPUTS: Readonly<Record<string, unknown>> = {
  'an object': { tool_name: 'g__find', arguments: value },
  'a text': `{"tool_name":"g__find","arguments":${text}}`,
  'a text inside': { tool_name: 'g__find', arguments: text },
  'beside the name': { tool_name: 'g__find', a: value },
};

for (const [name, input] of Object.entries(INPUTS))
  test(`arguments that are nested too deeply are refused, with the schema: ${name}`, async () => {
    session.present([{ role: 'user' }]);
    const route = await session.route({ id: '1', name: 'deferred_tool_call', input });
    assert.ok(route.kind === 'answer' && route.isError, route.kind);
    assert.equal(route.result.error, 'invalid_arguments');
    const shown = JSON.stringify(route.result);
    assert.match(shown, /nested more than 200 levels deep\. Nest them less/);
    assert.ok(shown.length < 1_000, shown);
  });

test('a load with a group that is nested too deeply is answered', async () => {
  session.present([{ role: 'user' }]);
  const input = { group_id: 'g', tool_names: [value] };
  const route = await session.route({ id: '1', name: 'load_tools', input });
  assert.ok(route.kind === 'answer' && route.isError);
  assert.match(JSON.stringify(route.result), /nested more than 200 levels/);
});

test('arguments with as many levels as are accepted run', async () => {
  const fine: unknown = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`);
  session.present([{ role: 'user' }]);
  const input = { tool_name: 'g__find', arguments: fine };
  const route = await session.route({ id: '1', name: 'deferred_tool_call', input });
  assert.equal(route.kind, 'run');
});
