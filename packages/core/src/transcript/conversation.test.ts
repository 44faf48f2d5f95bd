import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { BridgeKind } from '../tool/strategies.ts';
import { conversationOf, readTranscript, type TranscriptSummary } from './conversation.ts';
import { callSignature } from './reduce.ts';
import type { TranscriptMessage } from './transcript.ts';

const kinds: Record<string, BridgeKind> = {
  load_tools: 'load_tools',
  request_tool: 'request_tool',
  tool_search: 'tool_search',
};

function read(given: unknown): TranscriptSummary {
  const messages = given as TranscriptMessage[];
  const state = readTranscript(messages, (name) =>
    Object.hasOwn(kinds, name) ? kinds[name] : undefined,
  );
  return conversationOf(state, messages);
}

let exchanges = 0;

function exchange(name: string, input: unknown, output: unknown, isError = false, notes?: unknown) {
  const id = String(++exchanges);
  return [
    { role: 'assistant', calls: [{ id, name, input }], notes },
    { role: 'tool', results: [{ id, output, isError }] },
  ];
}

function load(groupId: string, tools: string[], remaining: number) {
  return exchange(
    'load_tools',
    { group_id: groupId },
    {
      group_id: groupId,
      expanded: true,
      tool_names: tools,
      remaining,
      schemas: tools.map((name) => ({ name, parameters: {} })),
    },
  );
}

const epoch = (fingerprint: string) => ({ strategy: 'dispatch', fingerprint, scope: 's' });

suite('reading a transcript', () => {
  test('promise 28: what is loaded is what the results say, in order', () => {
    const { expansions, loaded } = read([
      { role: 'user' },
      ...load('mcp:a', ['x'], 1),
      ...load('mcp:a', ['y'], 0),
      ...exchange('request_tool', {}, { name: 'b__z', declared: true }),
    ]);
    assert.deepEqual(expansions, [
      { groupId: 'mcp:a', toolNames: ['x'], whole: false, askedAt: 1, position: 2 },
      { groupId: 'mcp:a', toolNames: ['y'], whole: true, askedAt: 3, position: 4 },
    ]);
    assert.deepEqual(
      loaded.map(({ name }) => name),
      ['x', 'y', 'b__z'],
    );
  });

  test('a failed load, a result without its call, and a real tool that looks like one load nothing', () => {
    const output = { group_id: 'mcp:a', expanded: true, tool_names: ['x'], remaining: 0 };
    const messages = [
      ...exchange('load_tools', {}, output, true),
      ...exchange('load_tools', {}, { ...output, expanded: false }),
      ...exchange('github__load', {}, output),
      { role: 'tool', results: [{ id: 'nobody', output, isError: false }] },
    ];
    assert.deepEqual(read(messages).loaded, []);
  });

  test('failures count per call until it goes well; searches count until anything else is called', () => {
    const failed = exchange('a', { b: 1, c: 2 }, 'no', true);
    const { failures } = read([...failed, ...failed]);
    assert.equal(failures.get(callSignature('a', { c: 2, b: 1 })), 2);
    assert.equal(read([...failed, ...exchange('a', { c: 2, b: 1 }, 'yes')]).failures.size, 0);
    const search = exchange('tool_search', {}, {});
    assert.equal(read([...search, ...search]).searches, 2);
    assert.equal(read([...search, ...load('mcp:a', [], 0), ...search]).searches, 1);
  });

  test('notes carry epoch and notices; a new epoch leaves the notices of the old one behind', () => {
    const said = (note: object) => ({ role: 'assistant', notes: [note] });
    const first = [
      said({ epoch: epoch('1'), announced: 'l1' }),
      said({ inserts: ['n'], announced: 'l2' }),
    ];
    assert.deepEqual(read(first).inserts, [{ position: 1, text: 'n' }]);
    assert.equal(read(first).announced, 'l2');
    const second = read([...first, said({ epoch: epoch('2'), announced: 'l3' })]);
    assert.deepEqual([second.inserts, second.announced, second.epoch], [[], 'l3', epoch('2')]);
    const same = read([...first, said({ epoch: epoch('1'), announced: 'l2' })]);
    assert.equal(same.inserts.length, 1);
  });

  test('the schemas that results show are remembered in order, of a search hit its parameters', () => {
    const parameters = { type: 'object' };
    const hit = { name: 'a', description: 'cut…', parameters };
    const { shownSchemas } = read([
      ...exchange(
        'tool_search',
        {},
        { results: [{ matches: [hit] }, { matches: [{ name: 'b' }, { ...hit, name: 'd' }] }] },
      ),
      ...exchange(
        'load_tools',
        {},
        { expanded: true, schemas: [{ ...hit, description: 'whole' }] },
      ),
      ...exchange(
        'load_tools',
        {},
        { expanded: true, schemas: [{ name: 'c', parameters, description: 'c' }] },
      ),
    ]);
    assert.deepEqual(
      shownSchemas.map(({ name, position, definition }) => [name, position, definition]),
      [
        ['a', 1, { parameters }],
        ['d', 1, { parameters }],
        ['a', 3, { name: 'a', description: 'whole', parameters }],
        ['c', 5, { name: 'c', parameters, description: 'c' }],
      ],
    );
  });

  test('promise 28: is pure, and passes over what it does not know', () => {
    const junk = fc.anything({ maxDepth: 3, withNullPrototype: true });
    const note = fc.oneof(
      junk,
      fc.record({ epoch: junk, inserts: junk, announced: junk, declared: junk }),
    );
    const id = fc.constantFrom('1', '2');
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system') }),
      fc.record({
        role: fc.constant('assistant'),
        notes: fc.oneof(junk, fc.array(note)),
        calls: fc.array(
          fc.record({
            id,
            name: fc.constantFrom('load_tools', 'tool_search', 'request_tool', 'x', '__proto__'),
            input: junk,
          }),
        ),
      }),
      fc.record({
        role: fc.constant('tool'),
        results: fc.array(
          fc.record({
            id,
            output: fc.oneof(
              junk,
              fc.record({
                group_id: junk,
                expanded: junk,
                tool_names: junk,
                schemas: junk,
                matches: junk,
                results: junk,
              }),
            ),
            isError: fc.boolean(),
          }),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
        const first = read(messages);
        assert.deepEqual(read(messages), first);
        for (const { text } of first.inserts) assert.equal(typeof text, 'string');
        for (const { name } of first.loaded) assert.equal(typeof name, 'string');
      }),
      { numRuns: 500 },
    );
  });

  test('input nested deeper than the stack is a signature like any other', () => {
    let deep: unknown = {};
    for (let i = 0; i < 50_000; i++) deep = [deep];
    assert.equal(typeof callSignature('a', deep), 'string');
    assert.equal(read(exchange('a', {}, deep, true)).failures.size, 1);
  });
});
