import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  choosePreload,
  matchedCategories,
  PRELOAD_LIMIT,
  type PreloadOptions,
} from './preload-choice.ts';

const rest = { key: 'rest', score: 0.5 };
const hit = (key: string, score: number) => ({ key, score });

function choose(options: Partial<PreloadOptions>): readonly string[] {
  return choosePreload({
    matched: [],
    hits: [],
    already: new Set(),
    tokensOf: () => 100,
    ...options,
  });
}

suite('preload choice', () => {
  test('clear hits in matched categories first, then other clear hits', () => {
    const hits = [hit('a', 0.95), hit('b', 0.93), hit('c', 0.92), rest];
    const matched = [{ category: 'x', tools: ['c', 'd', 'e', 'f'] }];
    assert.deepEqual(choose({ hits }), ['a', 'b', 'c']);
    assert.deepEqual(choose({ hits, matched }), ['c', 'a', 'b']);
  });

  test('a weaker hit needs a matched category', () => {
    const hits = [hit('a', 0.85), hit('b', 0.85), rest];
    assert.deepEqual(choose({ hits }), []);
    const matched = [{ category: 'x', tools: ['b', 'd', 'e', 'f'] }];
    assert.deepEqual(choose({ hits, matched }), ['b']);
  });

  test('a weak hit is never clear, also in a matched category or as the only hit', () => {
    const matched = [{ category: 'x', tools: ['a', 'd', 'e', 'f'] }];
    assert.deepEqual(choose({ hits: [hit('a', 0.7)], matched }), []);
  });

  test('hits as good as the first that is left out are not clear', () => {
    const even = ['a', 'b', 'c', 'd'].map((key) => hit(key, 0.95));
    assert.deepEqual(choose({ hits: even }), []);
    assert.deepEqual(choose({ hits: even.slice(0, 3) }), ['a', 'b', 'c']);
    const [a] = even;
    assert.ok(a);
    assert.deepEqual(choose({ hits: [a, hit('b', 0.94), hit('c', 0.94), hit('d', 0.93)] }), []);
    assert.deepEqual(choose({ hits: [a, hit('b', 0.92), hit('c', 0.91), hit('d', 0.9)] }), ['a']);
  });

  test('a tool that the user names is clear, unless too many have the name', () => {
    const named = ['a', 'b', 'c', 'd'].map((key) => hit(key, 2.4));
    assert.deepEqual(choose({ hits: named }), []);
    assert.deepEqual(choose({ hits: [...named.slice(0, 1), hit('b', 1.5), hit('c', 1.4), rest] }), [
      'a',
      'b',
      'c',
    ]);
    assert.deepEqual(choose({ hits: [hit('a', 2.5), ...named.slice(1), hit('e', 2.3)] }), []);
    const ends = ['b', 'c', 'd'].map((key) => hit(key, 1.4));
    assert.deepEqual(choose({ hits: [hit('a', 2.1), ...ends] }), ['a']);
  });

  test('in a category of at most three tools a hit need not be clear', () => {
    const hits = [hit('z', 0.95), hit('d', 0.6), hit('b', 0.6), hit('a', 0.5)];
    const three = { category: 'x', tools: ['a', 'b', 'c'] };
    const four = { category: 'y', tools: ['d', 'e', 'f', 'g'] };
    assert.deepEqual(choose({ hits, matched: [four, three] }), ['z', 'b', 'a']);
    assert.deepEqual(choose({ hits, matched: [four] }), ['z']);
    assert.deepEqual(choose({ matched: [four, three] }), []);
  });

  test('a category has its tools within the view, sorted', () => {
    const tool = (bare: string) => ({ name: `g__${bare}`, bare, groupId: 'mcp:g' });
    const category = { name: 'x', words: ['x'], tools: ['*__a*', 'mcp:g/b'] };
    const view = ['b', 'c', 'a2', 'a1'].map(tool);
    assert.deepEqual(matchedCategories([category], view), [
      { category: 'x', tools: ['g__a1', 'g__a2', 'g__b'] },
    ]);
    assert.deepEqual(matchedCategories([category], []), [{ category: 'x', tools: [] }]);
  });

  test('never chooses schemas that are already shown or not loaded', () => {
    const hits = [hit('a', 0.95), hit('b', 0.95), hit('c', 0.95), rest];
    const tokensOf = (name: string) => (name === 'b' ? undefined : 100);
    assert.deepEqual(choose({ hits, tokensOf, already: new Set(['a']) }), ['c']);
  });

  test('schemas that do not fit are skipped', () => {
    const hits = [hit('a', 0.95), hit('b', 0.95), hit('c', 0.95), rest];
    const tokensOf = (name: string) => ({ a: 900, b: 700, c: 600 })[name];
    assert.deepEqual(choose({ hits, tokensOf }), ['a', 'c']);
    assert.deepEqual(choose({ hits, tokensOf, limit: { schemas: 3, tokens: 899 } }), ['b']);
    assert.deepEqual(choose({ hits, limit: { schemas: 0, tokens: 1_500 } }), []);
  });

  test('within its limits for any input, each name once', () => {
    const name = fc.constantFrom(...'abcdefgh');
    const names = fc.uniqueArray(name, { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ category: name, tools: names }), { maxLength: 3 }),
        fc.uniqueArray(
          fc.record({ key: name, score: fc.double({ min: 0, max: 3, noNaN: true }) }),
          { selector: ({ key }) => key },
        ),
        names,
        fc.dictionary(name, fc.nat(1_000)),
        (matched, hits, already, sizes) => {
          hits.sort((a, b) => b.score - a.score);
          const chosen = choose({
            matched,
            hits,
            already: new Set(already),
            tokensOf: (key) => (Object.hasOwn(sizes, key) ? sizes[key] : undefined),
          });
          const tokens = chosen.reduce((sum, key) => sum + (sizes[key] ?? Number.NaN), 0);
          assert.ok(chosen.length <= PRELOAD_LIMIT.schemas && tokens <= PRELOAD_LIMIT.tokens);
          assert.equal(new Set(chosen).size, chosen.length);
          assert.ok(chosen.every((key) => !already.includes(key)));
        },
      ),
    );
  });
});
