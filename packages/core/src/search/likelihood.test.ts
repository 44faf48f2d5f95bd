import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bestSigns, likelihoodOf, SCORES, scoreOf } from './likelihood.ts';

const none = bestSigns([]);
const { vectors } = SCORES;

suite('the score of signs', () => {
  test('is below `fits` exactly where perhaps no tool serves the query', () => {
    for (let similarity = 0; similarity <= 1; similarity += 0.02) {
      const signs = { ...none, similarity, words: similarity, likeness: similarity };
      const isServed = likelihoodOf(signs, vectors.served) >= vectors.doubt;
      assert.equal(scoreOf(signs, vectors) >= vectors.scale.fits, isServed, `${similarity}`);
    }
  });

  test('has a lower bar for a doubt where tools are few, and is the same above it', () => {
    const fits = (signs: typeof none) => scoreOf(signs, vectors) >= vectors.scale.fits;
    const all = Array.from({ length: 50 }, (_, n) => ({ ...none, similarity: n / 50 }));
    const few = all.map((signs) => ({ ...signs, fewTools: Math.log(30) }));
    assert.ok(few.filter(fits).length > all.filter(fits).length);
    for (const [n, signs] of all.entries())
      if (fits(signs)) assert.equal(scoreOf(few[n] ?? signs, vectors), scoreOf(signs, vectors));
  });

  test('falls if reference tools answer better, and rises if the tool is like those that answer', () => {
    const signs = { ...none, words: 0.5, meaning: 0.6, similarity: 0.5, missing: 0.5 };
    const usual = { ...signs, referenceSimilarity: 0.4, likeness: 0.5 };
    const score = scoreOf(usual, vectors);
    assert.ok(scoreOf({ ...usual, referenceSimilarity: 0.6 }, vectors) < score);
    assert.ok(scoreOf({ ...usual, likeness: 0.8 }, vectors) > score);
  });

  test('is never above the share of first hits that are right at best', () => {
    const all = { ...none, words: 1, missing: 0, meaning: 1, similarity: 1, likeness: 1 };
    assert.ok(scoreOf(all, vectors) <= vectors.most);
  });
});
