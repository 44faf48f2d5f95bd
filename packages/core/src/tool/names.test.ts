import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { canonicalName, groupSlug, isLegalName, MAX_NAME } from './names.ts';

const odd = fc.string({ unit: 'binary', maxLength: 80 });
const similar = fc.string({ unit: fc.constantFrom('a', 'A', '_', '-', '.', ':'), maxLength: 70 });
const halves = fc.string({ unit: fc.constantFrom('\ud800', '\ud801', '\udc00'), maxLength: 3 });
const anyName = fc.oneof(
  odd,
  similar,
  halves,
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
);

suite('names', () => {
  test('promise 8: canonical names are legal, short and the same every time', () => {
    fc.assert(
      fc.property(anyName, anyName, (groupId, tool) => {
        const name = canonicalName(groupSlug(groupId), tool);
        assert.ok(isLegalName(name), name);
        assert.ok(name.length <= MAX_NAME);
        assert.equal(canonicalName(groupSlug(groupId), tool), name);
      }),
    );
  });

  test('promise 8: distinct tools of distinct groups have distinct names', () => {
    const pair = fc.tuple(
      anyName.map((id) => `mcp:${id}`),
      anyName,
    );
    fc.assert(
      fc.property(pair, pair, ([groupA, toolA], [groupB, toolB]) => {
        fc.pre(groupA !== groupB || toolA !== toolB);
        const a = canonicalName(groupSlug(groupA), toolA);
        const b = canonicalName(groupSlug(groupB), toolB);
        assert.notEqual(a, b);
      }),
      { numRuns: 2_000 },
    );
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ['mcp:github', 'create_issue', 'github__create_issue'],
    ['github', 'create_issue', 'github__create_issue'],
    ['mcp:my-server', 'a', 'my-server__a'],
    ['mcp:github', '_private', 'github___private'],
    ['mcp:github', 'x'.repeat(56), `github__${'x'.repeat(56)}`],
  ];
  for (const [groupId, tool, expected] of cases) {
    test(`${groupId} and ${tool.slice(0, 20)} need no hash`, () => {
      assert.equal(canonicalName(groupSlug(groupId), tool), expected);
    });
  }

  test('what had to be changed keeps a hash of the whole, after as much as fits', () => {
    assert.match(canonicalName('github', 'make/issue'), /^github__make_issue_[0-9a-f]{8}$/);
    assert.notEqual(canonicalName('github', 'make/issue'), canonicalName('github', 'make issue'));
    assert.match(canonicalName('github', 'x'.repeat(57)), /^github__x{47}_[0-9a-f]{8}$/);
    assert.match(groupSlug('mcp:Ünïversität der Künste'), /^[A-Za-z0-9_-]{1,15}-[0-9a-f]{8}$/);
    assert.notEqual(groupSlug('mcp:a__b'), groupSlug('mcp:a_b'));
  });
});
