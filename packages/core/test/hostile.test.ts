// test: harm
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import fc from 'fast-check';
import { createToolLayer } from '../src/session/layer.ts';
import { isStrategyName, strategies } from '../src/tool/strategies.ts';
import { Conversation, text } from './conversation.test-support.ts';

const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const schema = JSON.parse(
  '{"type":"object","properties":{"constructor":{"type":"string"},"toString":{"type":"string"}},"required":["constructor"]}',
);

suite('odd and hostile input', () => {
  for (const strategy of Object.keys(strategies).filter(isStrategyName)) {
    test(`promise 37: names from Object.prototype are names like any other in ${strategy}`, async () => {
      const tools = odd.map((name) => ({ name, description: name, inputSchema: schema }));
      const groups = odd.map((name) => fakeGroup({ groupId: name, tools }));
      const layer = createToolLayer({ tools, groups, strategy });
      const conversation = new Conversation(layer.session());
      await conversation.step();
      for (const groupId of odd) {
        const loaded = await conversation.answer('load_tools', { group_id: groupId });
        assert.deepEqual(loaded.tool_names, [...odd].sort());
        for (const { name, groupId: owner } of groupsTools(layer, groupId)) {
          const route = await conversation.call('deferred_tool_call', {
            tool_name: name,
            arguments: { constructor: 'x' },
          });
          assert.ok(route.kind === 'run' && route.tool.groupId === owner, name);
          assert.equal(
            (await conversation.answer(name, { toString: 7 })).error,
            'invalid_arguments',
          );
        }
      }
      const own = await conversation.call('__proto__', { constructor: 'x' });
      assert.ok(own.kind === 'run' && own.tool.groupId === undefined);
      await conversation.answer('tool_search', { query: 'constructor' });
      await conversation.step();
      const state = JSON.parse(text(conversation.session.state()));
      assert.deepEqual(
        Object.keys(state.expandedGroups)
          .filter((id) => odd.includes(id))
          .sort(),
        [...odd].sort(),
      );
      assert.doesNotThrow(() => layer.session({ state }).present(conversation.messages));
    });
  }

  test('promise 36: names and descriptions of servers forge no structure, in catalog, answers or notices', async () => {
    const line = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\n', '\r', '\u2028', '\u0085', '"', '-', '#', ' ', '(', '\u202e'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 40,
    });
    const group = fc.record({
      // The id of the app's own tools is reserved.
      groupId: line.filter((id) => id !== 'app'),
      displayName: line,
      description: line,
      names: fc.uniqueArray(line, { maxLength: 4 }),
      about: line,
    });
    const groups = fc.uniqueArray(group, {
      selector: ({ groupId }) => groupId,
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(groups, groups, async (before, after) => {
        const made = (list: typeof before) =>
          list.map(({ names, about, ...rest }) =>
            fakeGroup({
              ...rest,
              tools: names.map((name) => ({ name, description: about, inputSchema: {} })),
            }),
          );
        const layer = createToolLayer({
          groups: made(before),
          strategy: 'dispatch',
          catalog: { header: 'HEADER' },
        });
        const session = layer.session();
        const { system } = session.present([]);
        if (system !== '') {
          const lines = system.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/);
          assert.deepEqual(lines.slice(0, 2), ['HEADER', '']);
          assert.equal(lines.filter((text) => text.startsWith('- ')).length, before.length);
          assert.ok(lines.slice(2).every((text) => /^(- | {2}[A-Za-z0-9_-])/.test(text)));
        }
        layer.update(made(after));
        const [insert] = session.present([{ role: 'user' }]).inserts;
        if (!insert) return;
        const lines = insert.text.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/);
        assert.match(lines[0] ?? '', /^\[Notice from the application/);
        assert.ok(
          lines
            .slice(1)
            .every((text) => /^- (group|added to|removed from|tools of|and \d+ more)/.test(text)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('promise 38: a malformed schema lets the call through with a warning; a broken one is shown all the same', async () => {
    const warnings: string[] = [];
    const schemas: unknown[] = [
      null,
      true,
      [],
      'x',
      { $ref: 'https://example.com/x' },
      { type: 'object', properties: { a: { pattern: '(' } } },
    ];
    const tools = schemas.map((inputSchema, i) => ({
      name: `t${i}`,
      inputSchema: inputSchema as never,
    }));
    const layer = createToolLayer({
      groups: [fakeGroup({ groupId: 'mcp:a', tools })],
      strategy: 'dispatch',
      onWarning: (warning) => warnings.push(warning),
    });
    const conversation = new Conversation(layer.session());
    const loaded = await conversation.answer('load_tools', { group_id: 'mcp:a' });
    assert.equal(Object(loaded.schemas).length, schemas.length);
    for (const a of ['x', 'y'])
      for (const { name } of tools)
        assert.equal((await conversation.call(`a__${name}`, { a })).kind, 'run');
    assert.equal(warnings.length, 2);
    assert.match(warnings.join('\n'), /a__t4: .*\na__t5: /);
  });
});

function groupsTools(layer: ReturnType<typeof createToolLayer>, groupId: string) {
  const { tools } = layer.session({ strategy: 'dispatch' }).explain();
  return tools
    .filter(({ group }) => group === groupId)
    .map(({ name, group }) => ({ name, groupId: group }));
}
