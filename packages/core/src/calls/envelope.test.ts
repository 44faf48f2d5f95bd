import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readEnvelope, readObject } from './route.ts';
import { readNames, settleArguments } from './target.ts';

const declared = new Set(['title', 'body', 'input']);

function settle(input: unknown, parameters: ReadonlySet<string> = declared, key = 'tool_name') {
  return settleArguments(readEnvelope(input, key), parameters);
}

const wanted = { title: 'x' };
const repaired: readonly (readonly [string, unknown])[] = [
  ['as it should be', { tool_name: 't', arguments: wanted }],
  ['the whole as JSON text', JSON.stringify({ tool_name: 't', arguments: wanted })],
  [
    'the whole encoded twice',
    JSON.stringify(JSON.stringify({ tool_name: 't', arguments: wanted })),
  ],
  ['arguments as JSON text', { tool_name: 't', arguments: JSON.stringify(wanted) }],
  [
    'arguments encoded twice',
    { tool_name: 't', arguments: JSON.stringify(JSON.stringify(wanted)) },
  ],
  ['flattened', { tool_name: 't', title: 'x' }],
  ['flattened beside empty arguments', { tool_name: 't', arguments: {}, title: 'x' }],
  ['flattened beside blank arguments', { tool_name: 't', arguments: '', title: 'x' }],
  ['nested twice', { tool_name: 't', arguments: { arguments: wanted } }],
  ['nested three times', { tool_name: 't', arguments: { arguments: { arguments: wanted } } }],
  ['nested as text', { tool_name: 't', arguments: { arguments: JSON.stringify(wanted) } }],
  [
    'an envelope in an envelope',
    { tool_name: 't', arguments: { tool_name: 't', arguments: wanted } },
  ],
  ['under args', { tool_name: 't', args: wanted }],
  ['under parameters, as text', { tool_name: 't', parameters: JSON.stringify(wanted) }],
  ["another dispatcher's key", { name: 't', arguments: wanted }],
];

const empty: readonly unknown[] = [undefined, null, '', '  ', 'null', {}, '{}'];

const refused: readonly (readonly [string, unknown])[] = [
  ['text that is no JSON', { tool_name: 't', arguments: '{"title": ' }],
  ['a list', { tool_name: 't', arguments: ['x'] }],
  ['a number', { tool_name: 't', arguments: 7 }],
  ['false', { tool_name: 't', arguments: false }],
  ['a list nested', { tool_name: 't', arguments: { arguments: ['x'] } }],
  ['flattened with a stranger', { tool_name: 't', title: 'x', colour: 'red' }],
  ['only a stranger', { tool_name: 't', colour: 'red' }],
  ['two readings: beside and inside', { tool_name: 't', arguments: { title: 'x' }, body: 'y' }],
  ['two readings: a parameter called input', { tool_name: 't', input: { title: 'x' } }],
  ['args that are garbage', { tool_name: 't', args: 'not json' }],
];

suite('envelope', () => {
  for (const [what, input] of repaired) {
    test(`promise 11: ${what} is read`, () => {
      assert.equal(readEnvelope(input, 'tool_name').target, 't');
      assert.deepEqual(settle(input), { ok: true, arguments: wanted });
    });
  }
  for (const value of empty) {
    test(`promise 11: ${JSON.stringify(value)} is a call without arguments`, () => {
      assert.deepEqual(settle({ tool_name: 't', arguments: value }), { ok: true, arguments: {} });
    });
  }
  for (const [what, input] of refused) {
    test(`promise 11: ${what} is a problem, not a call without arguments`, () => {
      assert.equal(settle(input).ok, false);
    });
  }

  test('a tool with a parameter called arguments, or with no known parameters, is taken literally', () => {
    const nested = { tool_name: 't', arguments: { arguments: { a: 1 } } };
    const literal = { ok: true, arguments: { arguments: { a: 1 } } };
    assert.deepEqual(settle(nested, new Set(['arguments'])), literal);
    assert.deepEqual(settle(nested, new Set()), literal);
    const odd = { tool_name: 't', arguments: { name: 't', arguments: { a: 1 } } };
    assert.deepEqual(settle(odd, new Set(['name'])), { ok: true, arguments: odd.arguments });
    assert.deepEqual(settle({ tool_name: 't', input: { colour: 1 } }), {
      ok: true,
      arguments: { input: { colour: 1 } },
    });
  });

  test('the key of the dispatcher takes precedence over parameters with the name of another key', () => {
    const flat = { name: 't', tool_name: 'hammer' };
    assert.equal(readEnvelope(flat, 'name').target, 't');
    assert.deepEqual(settle(flat, new Set(['tool_name']), 'name'), {
      ok: true,
      arguments: { tool_name: 'hammer' },
    });
  });

  test('promise 37: parameters called constructor and __proto__ are data', () => {
    const text = '{"tool_name":"t","arguments":{"__proto__":{"a":1},"constructor":2}}';
    const settled = settle(text, new Set(['__proto__', 'constructor']));
    assert.ok(settled.ok);
    assert.equal(JSON.stringify(settled.arguments), '{"__proto__":{"a":1},"constructor":2}');
    const flat = settle(
      '{"tool_name":"t","__proto__":1,"toString":2}',
      new Set(['__proto__', 'toString']),
    );
    assert.equal(JSON.stringify(flat.ok && flat.arguments), '{"__proto__":1,"toString":2}');
    assert.equal(settle('{"tool_name":"t","__proto__":1}').ok, false);
  });

  test('a broken envelope still names its target', () => {
    const broken = readEnvelope(
      '{"tool_name": "github__x", "arguments": {"name": "y"',
      'tool_name',
    );
    assert.equal(broken.target, 'github__x');
    assert.match(broken.problem ?? '', /not valid JSON/);
    assert.equal(readEnvelope('{"arguments": {"name": "y"', 'tool_name').target, undefined);
  });

  test('promise 11: no input of a model throws or loses its arguments', () => {
    const key = fc.constantFrom(
      'tool_name',
      'name',
      'arguments',
      'args',
      'input',
      'title',
      'x',
      '__proto__',
      'constructor',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.string(),
        tie('object'),
        tie('object').map((v) => JSON.stringify(v)),
      ),
      object: fc
        .array(fc.tuple(key, tie('any')), { maxLength: 4 })
        .map((list) => Object.fromEntries(list)),
    }));
    const input = fc.oneof(
      value.any,
      fc.string().map((junk) => `{"tool_name":"t",${junk}`),
    );
    fc.assert(
      fc.property(input, fc.subarray(['title', 'x', 'input', 'arguments']), (written, names) => {
        const envelope = readEnvelope(written, 'tool_name');
        const settled = settleArguments(envelope, new Set(names));
        if (!settled.ok || envelope.problem !== undefined) return;
        if (Object.keys(settled.arguments).length > 0) return;
        // A call without arguments is correct only if the input was blank at every level.
        const leaves = leavesOf(written, envelope.target);
        assert.deepEqual(leaves, [], JSON.stringify(written));
      }),
      { numRuns: 3_000 },
    );
  });
});

/** All non-blank content of an envelope. JSON text is parsed. */
function leavesOf(value: unknown, target: string | undefined): unknown[] {
  if (typeof value === 'string' && value.trim() === target) return [];
  const read = readObject(value);
  if (read.kind === 'nothing') return [];
  if (read.kind === 'unusable') return typeof value === 'string' ? [value.trim()] : [value];
  return Object.values(read.value).flatMap((member) => leavesOf(member, target));
}

suite('lists of names', () => {
  const cases: readonly (readonly [unknown, string[] | undefined])[] = [
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    [[], undefined],
    ['a', ['a']],
    [
      ['a', ' a ', 'b'],
      ['a', 'b'],
    ],
    ['["a","b"]', ['a', 'b']],
    ['[a', ['[a']],
    [
      [{ toString: 1 }, 3, null],
      ['{"toString":1}', '3'],
    ],
  ];
  for (const [value, expected] of cases) {
    test(`${JSON.stringify(value)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readNames(value), expected);
    });
  }
});
