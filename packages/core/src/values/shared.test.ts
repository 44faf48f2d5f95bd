import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Recent, sharedByContent } from './index.ts';

suite('values that are shared by content', () => {
  test('equal content has one value, by kind', () => {
    let made = 0;
    const make = () => ({ number: ++made });
    const first = sharedByContent('one kind', 'content', make);
    assert.equal(sharedByContent('one kind', 'content', make), first);
    assert.notEqual(sharedByContent('other kind', 'content', make), first);
    assert.notEqual(sharedByContent('one kind', 'other content', make), first);
    assert.equal(made, 3);
  });

  test('what fails is made again, and very long content is not kept', () => {
    const fail = () => {
      throw new Error('no');
    };
    assert.throws(() => sharedByContent('failing', 'content', fail), /no/);
    assert.deepEqual(
      sharedByContent('failing', 'content', () => []),
      [],
    );
    const long = 'x'.repeat(2_000_000);
    const first = sharedByContent('long', long, () => ({}));
    assert.notEqual(
      sharedByContent('long', long, () => ({})),
      first,
    );
  });

  test('values are bounded by their number and by the length of their keys', () => {
    const few = new Recent<number>(3);
    for (const [at, key] of ['a', 'b', 'c'].entries()) few.set(key, at);
    few.get('a');
    few.set('d', 3);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => few.get(key)),
      [0, undefined, 2, 3],
    );
    const short = new Recent<number>(100, 10);
    for (const key of ['aaaa', 'bbbb', 'aaaa', 'cc', 'dddd']) short.set(key, 1);
    assert.deepEqual(
      ['aaaa', 'bbbb', 'cc', 'dddd'].map((key) => short.get(key)),
      [1, undefined, 1, 1],
    );
    short.delete('dddd');
    short.set('eeee', 1);
    assert.equal(short.size, 3);
    assert.equal(short.get('aaaa'), 1);
  });
});
