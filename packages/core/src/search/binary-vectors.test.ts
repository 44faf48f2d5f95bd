import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BinaryVectors } from './document-vectors.ts';
import { TopDocuments, VisibleDocuments } from './view.ts';

const cases = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 20 }))
  .chain(([dimensions, count]) =>
    fc.record({
      dimensions: fc.constant(dimensions),
      count: fc.constant(count),
      vectors: fc.int8Array({ minLength: dimensions * count, maxLength: dimensions * count }),
      query: fc.float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true }),
      visible: fc.uint8Array({ minLength: count, maxLength: count, max: 1 }),
      least: fc.nat(8),
    }),
  );

test('the nearest by binary are those of a count one by one', () => {
  fc.assert(
    fc.property(cases, ({ dimensions, count, vectors, query, visible, least }) => {
      const differing = (document: number) =>
        query.reduce((sum, value, i) => {
          const other = vectors[document * dimensions + i] ?? 0;
          return sum + (value > 0 === other > 0 ? 0 : 1);
        }, 0);
      const seen = [...Array(count).keys()].filter((document) => visible[document] === 1);
      const sorted = seen.map(differing).sort((a, b) => a - b);
      const most = sorted[Math.min(least, sorted.length) - 1] ?? -1;
      const binary = new BinaryVectors(vectors, dimensions);
      const found = [...binary.nearest(query, least, new VisibleDocuments(1, visible))];
      assert.deepEqual(
        found,
        seen.filter((document) => differing(document) <= most),
      );
    }),
  );
});

test('the best are those of a sorted list', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
  fc.assert(
    fc.property(scores, fc.nat(12), (list, limit) => {
      const best = new TopDocuments(limit, (a, b) => a < b);
      for (const [document, score] of list.entries()) best.offer(document, score);
      const sorted = list
        .map((score, document) => ({ document, score }))
        .sort((a, b) => b.score - a.score || a.document - b.document);
      assert.deepEqual(
        best.items().toSorted((a, b) => b.score - a.score || a.document - b.document),
        sorted.slice(0, limit),
      );
    }),
  );
});
