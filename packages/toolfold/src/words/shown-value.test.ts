import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { shownArguments, shownText, shownValue } from './calls.ts';

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
      assert.ok(shownText(value).length <= MOST);
      assert.ok(shownArguments(value).length <= MOST);
    });

  test('never throws', () => {
    const odd = [
      ...[undefined, null, Number.NaN, Symbol('s'), () => 1, 7n, Object.create(null)],
      ...[{ toJSON: () => assert.fail() }, { content: [{ type: Object.create(null) }] }],
      ...[{ content: [null] }, { content: [[]] }, { content: [{}] }, new Map(), new Date(0)],
    ];
    for (const value of [...odd, odd]) {
      assert.equal(typeof shownText(value), 'string');
      assert.equal(typeof shownArguments(value), 'string');
    }
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        assert.equal(typeof shownText(value), 'string');
        assert.equal(typeof shownArguments(value), 'string');
      }),
      { numRuns: 300 },
    );
  });

  test('of an MCP result is its texts and links, and a word for what is no text', () => {
    const content = [
      { type: 'text', text: 'One.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'resource_link', uri: 'file:///a' },
      { type: 'audio' },
    ];
    assert.equal(shownText({ content }), 'One.\n[image]\ninside\nfile:///a\n[audio]');
  });

  test('of a result without parts is JSON', () => {
    assert.equal(shownText({ content: [], total: 5 }), '{\n  "content": [],\n  "total": 5\n}');
    assert.equal(shownText({ content: 'text' }), '{\n  "content": "text"\n}');
    assert.equal(shownText('plain'), 'plain');
    assert.equal(shownText(undefined), '');
  });

  test('says how much is missing', () => {
    assert.match(shownText('x'.repeat(20_005)), /^x+\n… \(\+5 characters\)$/);
    const part = { type: 'text', text: 'x'.repeat(30_000) };
    assert.match(shownText({ content: [part, part] }), /x\n… \(\+40,001 characters\)$/);
    assert.match(shownText({ content: Array(102).fill({ type: 'a' }) }), /\[a\]\n… \(\+2\)$/);
    assert.match(shownText(Array(105).fill(1)), /"… \(\+5\)"\n\]$/);
    const wide = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`k${at}`, at]));
    assert.match(shownArguments(wide), /k99: 99, …: … \(\+3\)$/);
  });

  test('a small value is copied, a large one becomes its text', () => {
    const small = Array.from({ length: 150 }, (_, at) => ({ at }));
    assert.deepEqual(shownValue(small), small);
    for (const value of [...Object.values(LARGE), 1n, () => 1, undefined, { n: 1n }]) {
      const text = shownValue(value);
      assert.ok(typeof text === 'string' && text.length < 21_000);
    }
  });

  test('of arguments is one line', () => {
    const given = { path: '/a b', lines: [1, 2], deep: { is: true }, none: undefined };
    assert.equal(
      shownArguments(given),
      'path: /a b, lines: [1,2], deep: {"is":true}, none: undefined',
    );
    assert.equal(shownArguments([1, 2]), '[1,2]');
    assert.equal(shownArguments(undefined), '');
  });
});
