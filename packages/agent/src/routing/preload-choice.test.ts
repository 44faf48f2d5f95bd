import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  choosePreload,
  likelihoodOf,
  PRELOAD_LIMIT,
  type PreloadCandidate,
  type PreloadOptions,
  type PreloadSigns,
  toolsInCategories,
} from './preload-choice.ts';

const best: PreloadSigns = {
  score: 0.9,
  lead: 0.5,
  gap: 0.6,
  first: 1,
  named: 1,
  length: 2,
  category: 1,
};
const found = (key: string, signs: Partial<PreloadSigns> = {}): PreloadCandidate => ({
  key,
  signs: { ...best, ...signs },
  isNamed: true,
});

function choose(options: Partial<PreloadOptions>): readonly string[] {
  return choosePreload({
    candidates: [],
    hasShown: () => false,
    tokensOf: () => 100,
    ...options,
  });
}

suite('preload choice', () => {
  test('the likeliest first; equal ones by name', () => {
    const candidates = [found('c', { score: 0.7 }), found('b'), found('a')];
    assert.deepEqual(choose({ candidates }), ['a', 'b', 'c']);
  });

  test('unlikely ones are not chosen, wherever they stand', () => {
    const weak = found('weak', { score: 0.3, lead: 0, gap: 0.1, named: 0.2, category: 0 });
    assert.deepEqual(choose({ candidates: [weak] }), []);
    assert.deepEqual(choose({ candidates: [weak, found('a')] }), ['a']);
    assert.deepEqual(choose({ candidates: [weak], least: 0 }), ['weak']);
  });

  test('a tool that the turn does not name is not chosen, however likely it is', () => {
    const unnamed = { ...found('a'), isNamed: false };
    assert.deepEqual(choose({ candidates: [unnamed, found('b')] }), ['b']);
  });

  test('a schema must be expected to save more than it costs', () => {
    const candidates = [found('a')];
    const weak = found('b', { score: 0.7, lead: 0.1, gap: 0.4, named: 0.4 });
    const likelihoods = [best, weak.signs].map((signs) => likelihoodOf(signs).toFixed(1));
    assert.deepEqual(likelihoods, ['0.9', '0.5']);
    const tokensOf = () => 200;
    // A load would send 8,000 tokens more, or only 400.
    assert.deepEqual(choose({ candidates, tokensOf, requestTokens: () => 8_000 }), ['a']);
    assert.deepEqual(choose({ candidates: [weak], tokensOf, requestTokens: () => 8_000 }), ['b']);
    assert.deepEqual(choose({ candidates: [weak], tokensOf, requestTokens: () => 400 }), []);
    // The larger the schema, the surer it must be.
    assert.deepEqual(choose({ candidates, tokensOf: () => 1_400, requestTokens: () => 400 }), []);
    assert.deepEqual(choose({ candidates, tokensOf: () => 20, requestTokens: () => 400 }), ['a']);
  });

  test('the request is counted only where a schema could be preloaded, and once', () => {
    let times = 0;
    const requestTokens = () => {
      times += 1;
      return 8_000;
    };
    const candidates = [found('a'), found('b')];
    assert.deepEqual(choose({ candidates, requestTokens, hasShown: () => true }), []);
    assert.deepEqual(choose({ candidates, requestTokens, least: 1 }), []);
    assert.equal(times, 0);
    assert.deepEqual(choose({ candidates, requestTokens }), ['a', 'b']);
    assert.equal(times, 1);
  });

  test('a category holds the tools within the view that a glob matches', () => {
    const tool = (bare: string) => ({ name: `g__${bare}`, bare, groupId: 'mcp:g' });
    const category = { name: 'x', words: ['x'], tools: ['*__a*', 'mcp:g/b'] };
    const view = ['b', 'c', 'a2', 'a1'].map(tool);
    assert.deepEqual([...toolsInCategories([category], view)], ['g__b', 'g__a2', 'g__a1']);
    assert.equal(toolsInCategories([category], []).size, 0);
    assert.equal(toolsInCategories([], view).size, 0);
  });

  test('never chooses schemas that are already shown or not loaded', () => {
    const candidates = ['a', 'b', 'c'].map((key) => found(key));
    const tokensOf = (name: string) => (name === 'b' ? undefined : 100);
    assert.deepEqual(choose({ candidates, tokensOf, hasShown: (key) => key === 'a' }), ['c']);
  });

  test('schemas that do not fit are skipped', () => {
    const candidates = ['a', 'b', 'c'].map((key) => found(key));
    const tokensOf = (name: string) => ({ a: 900, b: 700, c: 600 })[name];
    assert.deepEqual(choose({ candidates, tokensOf }), ['a', 'c']);
    assert.deepEqual(choose({ candidates, tokensOf, limit: { schemas: 3, tokens: 899 } }), ['b']);
    assert.deepEqual(choose({ candidates, limit: { schemas: 0, tokens: 1_500 } }), []);
  });

  test('within its limits for any input, each name once', () => {
    const name = fc.constantFrom(...'abcdefgh');
    const sign = fc.double({ min: -1, max: 3, noNaN: true });
    const isNamed = fc.boolean();
    const signs = fc.record({
      ...{ score: sign, lead: sign, gap: sign, first: sign },
      ...{ named: sign, length: sign, category: sign },
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ key: name, signs, isNamed }), { selector: ({ key }) => key }),
        fc.uniqueArray(name, { maxLength: 6 }),
        fc.dictionary(name, fc.nat(1_000)),
        (candidates, already, sizes) => {
          const chosen = choose({
            candidates,
            hasShown: (key) => already.includes(key),
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
