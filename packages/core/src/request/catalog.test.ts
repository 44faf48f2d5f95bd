import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../tool/tokens.ts';
import type { TokenCounter } from '../tool/tool.ts';
import { byCodePoint } from '../values/json.ts';
import { type CatalogGroup, catalogBudget, renderCatalog } from './catalog.ts';

const counters: readonly TokenCounter[] = [
  estimateTokens,
  (text) => text.length,
  (text) => text.split('\n').length,
  // Not even monotonic: nobody promised that counters are sensible.
  (text) => (text.length * 7919) % 997,
  () => 0,
  () => Number.NaN,
];

const line = fc.option(fc.string({ unit: 'binary', maxLength: 100 }), { nil: undefined });
const toolName = fc.string({
  unit: fc.constantFrom('a', 'b', '_', '-', '9'),
  minLength: 1,
  maxLength: 64,
});
const anyGroup: fc.Arbitrary<CatalogGroup> = fc.record({
  groupId: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  displayName: line,
  description: line,
  tools: fc.array(fc.record({ name: toolName, description: line }), { maxLength: 40 }),
  listed: fc.boolean(),
  unavailable: fc.option(fc.record({ reason: fc.string({ unit: 'binary' }) }), { nil: undefined }),
});
const anyGroups = fc.array(anyGroup, { maxLength: 12 });

function plainGroup(groupId: string, count: number, description?: string): CatalogGroup {
  const tools = Array.from({ length: count }, (_, i) => ({ name: `tool_${i}`, description }));
  return {
    groupId,
    displayName: undefined,
    description: 'About it',
    tools,
    listed: true,
    unavailable: undefined,
  };
}

const words: TokenCounter = (text) => text.split(/\s+/).length;

suite('catalog', () => {
  test('promise 33: the budget holds for any groups, counter and header', () => {
    fc.assert(
      fc.property(
        anyGroups,
        fc.nat({ max: 600 }),
        fc.constantFrom(...counters),
        fc.string({ maxLength: 300 }),
        fc.nat({ max: 600 }),
        (groups, budget, countTokens, header, hints) => {
          const catalog = renderCatalog(
            header,
            groups,
            budget,
            Math.min(hints, budget),
            countTokens,
          );
          assert.ok(catalog.text === '' || countTokens(catalog.text) <= budget);
          assert.ok(catalog.tokens <= budget);
          assert.ok(catalog.namesVisible <= catalog.namesTotal);
          assert.ok(catalog.groupsVisible <= groups.length);
        },
      ),
    );
  });

  test('promise 33: every group is shown while one line each fits', () => {
    fc.assert(
      fc.property(
        fc.array(anyGroup, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 900 }),
        (groups, budget) => {
          const bare = groups.map((group) => ({
            ...group,
            tools: [],
            displayName: undefined,
            description: undefined,
          }));
          // One line for each, names left out, with counts of the same width.
          const one = renderCatalog('H', bare, Number.POSITIVE_INFINITY, 0, estimateTokens);
          const counts = groups.length * 6;
          fc.pre(one.tokens + counts <= budget);
          const catalog = renderCatalog('H', groups, budget, 0, estimateTokens);
          assert.equal(catalog.groupsVisible, groups.length);
        },
      ),
    );
  });

  test('promise 33: the header goes before the groups do', () => {
    const groups = [plainGroup('mcp:a', 3), plainGroup('mcp:b', 3)];
    const header = 'How to use them, at length. '.repeat(20);
    const lines = '- mcp:a (3 tools)\n- mcp:b (3 tools)';
    const shown = renderCatalog(header, groups, estimateTokens(lines), 0, estimateTokens);
    assert.deepEqual([shown.text, shown.groupsVisible], [lines, 2]);
  });

  test('promise 36: no name or description adds a line or stands where structure stands', () => {
    fc.assert(
      fc.property(anyGroups, fc.boolean(), (groups, hints) => {
        fc.pre(groups.length > 0);
        const limit = Number.POSITIVE_INFINITY;
        const { text } = renderCatalog('H', groups, limit, hints ? limit : 0, words);
        const lines = text.split(/\r\n|[\n\r\u2028\u2029\u0085]/).slice(2);
        const described = groups.some((group) => group.tools.some((tool) => tool.description));
        const expected = groups.reduce(
          (sum, { tools }) =>
            sum + 1 + (hints && described ? tools.length : Math.min(1, tools.length)),
          0,
        );
        assert.equal(lines.length, expected);
        assert.equal(lines.filter((text) => text.startsWith('- ')).length, groups.length);
        assert.ok(
          lines.every((text) => /^(- | {2}[A-Za-z0-9_-])/.test(text)),
          text,
        );
      }),
    );
  });

  test('degrades by steps: hints, names, names without descriptions, fewer names, counts, one count', () => {
    const small = Array.from({ length: 8 }, (_, i) => plainGroup(`mcp:b${i}`, 2, 'Does another.'));
    const groups = [plainGroup('mcp:a', 30, 'Does one thing.'), ...small];
    const at = (budget: number) =>
      renderCatalog('Header', groups, budget, budget, (text) => text.length);
    const full = at(Number.POSITIVE_INFINITY);
    assert.match(full.text, /tool_0: Does one thing\n/);
    const seen: string[] = [];
    for (let budget = full.tokens; budget >= 0; budget--) {
      const { text, namesVisible, groupsVisible } = at(budget);
      const step =
        text === ''
          ? 'nothing'
          : text.includes('Does one')
            ? 'hints'
            : groupsVisible === 0
              ? text.startsWith('Header')
                ? 'one count'
                : 'bare count'
              : namesVisible === 0
                ? 'counts'
                : text.includes('… (+')
                  ? 'fewer names'
                  : text.includes('About it')
                    ? 'names'
                    : 'names alone';
      if (seen.at(-1) !== step) seen.push(step);
    }
    assert.deepEqual(seen, [
      'hints',
      'names',
      'names alone',
      'fewer names',
      'counts',
      'one count',
      'bare count',
      'nothing',
    ]);
    const fewer = at(500);
    assert.match(fewer.text, /… \(\+\d+ more\)/);
    assert.match(fewer.text, /mcp:b7 \(2 tools\)\n {2}tool_0, tool_1$/);
  });

  test('says what is wrong with a group that cannot be used, in one line', () => {
    const broken: CatalogGroup = {
      ...plainGroup('mcp:a', 1),
      unavailable: { reason: 'no\n- token', remedy: 'run `login`' },
    };
    const { text } = renderCatalog('H', [broken], 1_000, 0, words);
    assert.match(text, /^- mcp:a "About it" \(unavailable: no - token; run 'login'\)$/m);
  });

  test('promise 2: the same groups give the same bytes, and 1,000 give them in one pass each', () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `mcp:${(i * 7919) % 1_000}`).sort(
      byCodePoint,
    );
    const groups = ids.map((id) => plainGroup(id, 50));
    let counted = 0;
    const count: TokenCounter = (text) => {
      counted++;
      return estimateTokens(text);
    };
    const first = renderCatalog('H', groups, 4_000, 4_000, count);
    assert.ok(counted <= 20, `counted ${counted} times`);
    assert.equal(renderCatalog('H', groups, 4_000, 4_000, estimateTokens).text, first.text);
  });

  test('the budget is the smaller of 4,000 and 5 % of the window, unless it is said', () => {
    assert.equal(catalogBudget({}, undefined), 4_000);
    assert.equal(catalogBudget({}, 8_000), 400);
    assert.equal(catalogBudget({}, 1_000_000), 4_000);
    assert.equal(catalogBudget({ budget: 10 }, 8_000), 10);
    assert.equal(catalogBudget({ budget: -1 }, 8_000), 0);
  });
});
