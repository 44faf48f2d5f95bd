import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { Conversation, simpleTools, text } from '../../test/conversation.test-support.ts';
import { createToolLayer } from '../session/layer.ts';
import type { DeferredToolGroup } from './group.ts';
import { DEFAULT_LIMITS, estimateTokens } from './tokens.ts';
import type { Tool } from './tool.ts';

/** A tool whose definition costs about so many tokens. */
function bigTool(name: string, tokens: number): Tool {
  const properties: Record<string, object> = {};
  for (let i = 0; i < tokens / 20; i++) {
    properties[`parameter_${i}`] = {
      type: 'string',
      description: 'One of a great many parameters of it.',
    };
  }
  return {
    name,
    description: 'Big.',
    inputSchema: { type: 'object', properties, required: ['parameter_0'] },
  };
}

function talk(groups: readonly DeferredToolGroup[]) {
  return new Conversation(createToolLayer({ groups, strategy: 'dispatch' }).session());
}

/** Room for what frames the schemas: names, keys, the way on. */
const FRAME = 1_500;

suite('promise 32: everything shown has a bound', () => {
  const many = fakeGroup({
    groupId: 'mcp:many',
    tools: Array.from({ length: 500 }, (_, i) => bigTool(`tool_${i}`, 1_000)),
  });
  const one = fakeGroup({
    groupId: 'mcp:one',
    tools: [bigTool('huge', 30_000), bigTool('small', 100)],
  });

  test('promise 32: a group of 500 tools of 1,000 tokens is served in parts, with the way to the rest', async () => {
    const conversation = talk([many]);
    const seen = new Set<string>();
    let request: object = { group_id: 'mcp:many' };
    const served: number[] = [];
    while (served.length < 3) {
      const answer = await conversation.answer('load_tools', request);
      assert.ok(estimateTokens(text(answer)) <= DEFAULT_LIMITS.load + FRAME);
      const names = answer.tool_names as string[];
      assert.ok(names.length > 0 && names.every((name) => !seen.has(name)));
      served.push(names.length);
      for (const name of names) seen.add(name);
      assert.equal(answer.remaining, 500 - seen.size);
      const next =
        String(answer.next)
          .match(/(?:being|tool_names:) (.*)\.$/)?.[1]
          ?.split(', ') ?? [];
      request = { group_id: 'mcp:many', tool_names: next };
    }
    const [first = 0, ...rest] = served;
    assert.ok(first >= 15);
    assert.equal(
      rest.reduce((a, b) => a + b),
      20,
    );
  });

  test('promise 32: search, describe, refusals and errors of the same tools keep to their budgets', async () => {
    const conversation = talk([many, one]);
    const names = Array.from({ length: 50 }, (_, i) => `tool_${i}`);
    const bounds: [string, object, number][] = [
      ['tool_search', { query: 'big', limit: 20 }, DEFAULT_LIMITS.search],
      [
        'tool_search',
        { queries: Array.from({ length: 50 }, (_, i) => `big ${'x'.repeat(i)} ${i}`), limit: 20 },
        DEFAULT_LIMITS.search + 5_000,
      ],
      ['tool_describe', { names }, DEFAULT_LIMITS.load],
      ['many__tool_1', { nonsense: 'x'.repeat(10_000) }, DEFAULT_LIMITS.schema],
      ['one__huge', {}, DEFAULT_LIMITS.schema],
      ['x'.repeat(100_000), {}, 0],
      [
        'load_tools',
        { group_id: 'x'.repeat(100_000), tool_names: names.map((name) => name.repeat(500)) },
        0,
      ],
      [
        'load_tools',
        { group_id: 'mcp:one', tool_names: Array.from({ length: 5_000 }, (_, i) => `nope_${i}`) },
        0,
      ],
      [
        'deferred_tool_call',
        {
          tool_name: 'one__small',
          ...Object.fromEntries(names.map((name) => [name.repeat(99), 1])),
        },
        0,
      ],
    ];
    for (const [name, input, budget] of bounds) {
      const tokens = estimateTokens(text(await conversation.answer(name, input)));
      assert.ok(tokens <= budget + FRAME, `${name.slice(0, 20)}: ${tokens}`);
    }
  });

  test('promise 32: one schema over the limit is served whole, alone; the echo of it in an error is cut', async () => {
    const conversation = talk([one]);
    const answer = await conversation.answer('load_tools', { group_id: 'mcp:one' });
    assert.deepEqual([answer.tool_names, answer.remaining], [['huge'], 1]);
    assert.ok(text(answer).includes('parameter_1499'));
    const refused = await conversation.answer('one__huge', {});
    assert.equal(typeof refused.schema_note, 'string');
  });

  test('promise 32: beyond twice the limit one schema is shortened, says so, and is served alike again', async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `value_${i}`);
    const tools: Tool[] = [
      { name: 'prose', description: 'word '.repeat(40_000), inputSchema: { type: 'object' } },
      {
        name: 'values',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'string', enum: values }, b: { type: 'number' } },
          required: ['a'],
        },
      },
    ];
    for (const strategy of ['dispatch', 'bridge'] as const) {
      const groups = [fakeGroup({ groupId: 'mcp:h', tools })];
      const conversation = new Conversation(createToolLayer({ groups, strategy }).session());
      for (const { name } of tools) {
        const asks = [
          ['load_tools', { group_id: 'mcp:h', tool_names: [name] }, 'schemas'],
          ['tool_describe', { name }, 'tools'],
        ] as const;
        for (const [bridge, input, key] of [...asks, ...asks]) {
          const answer = await conversation.answer(bridge, input);
          assert.ok(estimateTokens(text(answer)) <= DEFAULT_LIMITS.load + FRAME);
          const [shown] = answer[key] as Record<string, unknown>[];
          assert.match(String(shown?.schema_note), /Shortened/);
          assert.equal(answer.changed, undefined);
          if (name === 'values')
            assert.match(text(shown), /"b":\{"type":"number"\}.*"required":\["a"\]/);
        }
      }
    }
  });

  test('promise 32: a notice of a thousand changes is short', async () => {
    const layer = createToolLayer({ groups: [many, ...fakes('old')], strategy: 'dispatch' });
    const session = layer.session();
    const { note } = session.present([{ role: 'user' }]);
    const notes = note ? [note] : [];
    const fewer = fakeGroup({ groupId: 'mcp:many', tools: simpleTools('only') });
    layer.update([fewer, ...fakes('new')]);
    const { inserts } = session.present([
      { role: 'user' },
      { role: 'assistant', notes },
      { role: 'user' },
    ]);
    const [insert] = inserts;
    assert.ok(
      insert && estimateTokens(insert.text) < 1_500,
      String(insert && estimateTokens(insert.text)),
    );
    assert.match(insert.text, /and \d+ more changes/);
  });
});

function fakes(prefix: string): DeferredToolGroup[] {
  return Array.from({ length: 300 }, (_, i) =>
    fakeGroup({ groupId: `mcp:${prefix}_${i}`, count: 2 }),
  );
}

suite('promise 39: odd sizes', () => {
  test('promise 39: 50,000 tools: the catalog fits, and each is found and run', async () => {
    const groups = Array.from({ length: 50 }, (_, i) =>
      fakeGroup({ groupId: `mcp:s${i}`, tools: fakeTools(1_000, i) }),
    );
    const layer = createToolLayer({ groups });
    for (const strategy of ['dispatch', 'bridge', 'lazy'] as const) {
      const conversation = new Conversation(layer.session({ strategy }));
      await conversation.step();
      assert.ok(estimateTokens(conversation.last.system) <= 4_000);
      assert.ok(groups.every(({ groupId }) => conversation.last.system.includes(groupId)));
      assert.ok(conversation.last.tools.some(({ name }) => name === 'tool_search'));
      const [{ name, inputSchema } = { name: '', inputSchema: {} }] = fakeTools(1, 49);
      const found = await conversation.answer('tool_search', { query: `s49 ${name}` });
      assert.ok(text(found.matches).includes(`s49__${name}`));
      assert.equal(found.total_available, 50_000);
      const refused = await conversation.answer(`s49__${name}`, {});
      assert.equal(text(Object(refused.schema).required), text(Object(inputSchema).required));
      assert.equal(
        text((await conversation.answer(`s49__${name}x`, {})).did_you_mean).includes(
          `s49__${name}`,
        ),
        true,
      );
    }
  });

  test('promise 39: no tools, one tool, and nothing that can be used: the app is still served', async () => {
    const empty = createToolLayer().session();
    assert.deepEqual([empty.present([]).system, empty.present([]).tools], ['', []]);
    assert.match(empty.explain().reason, /nothing to defer/);
    const one = createToolLayer({ tools: simpleTools('own') }).session();
    assert.deepEqual(
      one.present([]).tools.map(({ name }) => name),
      ['own'],
    );
    const broken = {
      ...fakeGroup({ groupId: 'mcp:a', count: 200 }),
      unavailable: { reason: 'gone' },
    };
    const session = createToolLayer({ groups: [broken] }).session();
    await session.prepare();
    session.present([]);
    assert.match(session.explain().reason, /no group can be used/);
  });

  test('promise 39: where every loader fails, eager goes on with the rest and says what is missing', async () => {
    const warnings: string[] = [];
    const groups = [
      fakeGroup({ groupId: 'mcp:a', failures: Number.POSITIVE_INFINITY }),
      fakeGroup({ groupId: 'mcp:b', tools: simpleTools('x') }),
    ];
    const layer = createToolLayer({
      tools: simpleTools('own'),
      groups,
      strategy: 'eager',
      onWarning: (warning) => warnings.push(warning),
    });
    const session = layer.session();
    await session.prepare();
    assert.deepEqual(
      session.present([]).tools.map(({ name }) => name),
      ['own', 'b__x'],
    );
    assert.match(warnings.join(), /mcp:a/);
  });
});
