import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Postings, TermWeights } from './postings.ts';

const TERM = 0;
const documents = fc
  .uniqueArray(fc.nat(300), { maxLength: 120 })
  .map((list) => list.toSorted((a, b) => a - b));

test('documents are found in the list of a term, and no others', () => {
  fc.assert(
    fc.property(documents, documents, (listed, asked) => {
      const postings = new Postings();
      const weights = new TermWeights(1);
      for (const document of listed) {
        weights.add(TERM, 1, 0);
        postings.add(document, weights);
      }
      postings.merge(
        1,
        Int32Array.from({ length: 301 }, (_, number) => number),
      );
      const places = postings.places(TERM, Uint32Array.from(asked));
      assert.deepEqual(
        [...places],
        asked.map((document) => listed.indexOf(document)),
      );
    }),
  );
});
