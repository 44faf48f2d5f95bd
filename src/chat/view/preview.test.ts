import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { argumentsOf, previewOf } from './preview.ts';

/** Most characters that a preview may have: its texts, and the signs and spaces of its JSON. */
const MOST = 500_000;

function cyclic(): unknown {
  const all: unknown[] = [];
  for (let at = 0; at < 100; at += 1) all.push(at % 2 === 0 ? all : { all });
  return { all };
}

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let at = 0; at < levels; at += 1) value = { value };
  return value;
}

const LARGE: Readonly<Record<string, unknown>> = {
  'a string of 50 MB': 'x'.repeat(50_000_000),
  'an object of such strings': { a: 'x'.repeat(50_000_000), b: ['y'.repeat(50_000_000)] },
  'a name of 50 MB': { ['x'.repeat(50_000_000)]: 1 },
  'a million members': Array.from({ length: 1_000_000 }, (_, at) => at),
  'an object that holds itself': cyclic(),
  'ten thousand levels': nested(10_000),
  'lists of lists of lists': Array(99).fill(Array(99).fill(Array(99).fill('text '.repeat(99)))),
  'MCP texts': { content: Array(500).fill({ type: 'text', text: 'x'.repeat(1_000_000) }) },
  'a large number': { n: 10n ** 50_000n },
};

describe('a preview', () => {
  for (const [name, value] of Object.entries(LARGE))
    test(`is bounded: ${name}`, () => {
      assert.ok(previewOf(value).length <= MOST);
      assert.ok(argumentsOf(value).length <= MOST);
    });

  test('never throws', () => {
    const odd = [
      ...[undefined, null, Number.NaN, Symbol('s'), () => 1, 7n, Object.create(null)],
      ...[{ toJSON: () => assert.fail() }, { content: [{ type: Object.create(null) }] }],
      ...[{ content: [null] }, { content: [[]] }, { content: [{}] }, new Map(), new Date(0)],
    ];
    for (const value of [...odd, odd]) {
      assert.equal(typeof previewOf(value), 'string');
      assert.equal(typeof argumentsOf(value), 'string');
    }
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        assert.equal(typeof previewOf(value), 'string');
        assert.equal(typeof argumentsOf(value), 'string');
      }),
      { numRuns: 300 },
    );
  });

  test('of an MCP result is its texts, and a word for what is no text', () => {
    const content = [
      { type: 'text', text: 'One.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'resource_link', uri: 'file:///a' },
      {},
    ];
    assert.equal(previewOf({ content }), 'One.\n[image]\n[resource]\n[resource_link]\n[unknown]');
  });

  test('of a result without parts is JSON', () => {
    assert.equal(previewOf({ content: [], total: 5 }), '{\n  "content": [],\n  "total": 5\n}');
    assert.equal(previewOf({ content: 'text' }), '{\n  "content": "text"\n}');
    assert.equal(previewOf('plain'), 'plain');
    assert.equal(previewOf(undefined), '');
  });

  test('of arguments is one line', () => {
    const given = { path: '/a b', lines: [1, 2], deep: { is: true }, none: undefined };
    assert.equal(
      argumentsOf(given),
      'path: /a b, lines: [1,2], deep: {"is":true}, none: undefined',
    );
    assert.equal(argumentsOf([1, 2]), '[1,2]');
    assert.equal(argumentsOf(undefined), '');
  });
});
