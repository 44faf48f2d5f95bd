import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editsBetween } from '../near-names.ts';
import { WEIGHTS } from './fields.ts';
import { Repairs } from './query.ts';
import { ToolIndex } from './tool-index.ts';

const letters = fc.constantFrom(...'abcdeé');
const word = fc.array(letters, { minLength: 1, maxLength: 11 }).map((list) => list.join(''));

/** Whether two words differ at their first letter alone: another one, one more, one less, or swapped. */
function isRestRight(one: string, other: string): boolean {
  const [a, b] = [one.slice(1), other.slice(1)];
  return a === b || a === other || b === one || one.charAt(0) + one.slice(2) === b;
}

test('no word within the allowed edits is overlooked', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (known, asked) => {
      const index = new ToolIndex(WEIGHTS);
      index.add({ key: 'a', name: known.join(' '), group: '', description: '' });
      index.merge();
      const view = index.view(() => true);
      const found = new Repairs(index).nearest(asked, view);
      const allowed = asked.length < 5 ? 0 : asked.length < 8 ? 1 : 2;
      const near = index.vocabulary
        .list()
        .filter((one) => one[0] === asked[0] || isRestRight(asked, one))
        .filter((one) => editsBetween(asked, one, allowed) <= allowed);
      const fewest = Math.min(...near.map((one) => editsBetween(asked, one, allowed)));
      if (allowed === 0 || near.length === 0) assert.equal(found, undefined);
      else assert.equal(editsBetween(asked, found ?? '', allowed), fewest);
    }),
  );
});
