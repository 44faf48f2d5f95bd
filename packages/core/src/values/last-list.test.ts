import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LastList } from './snapshot.ts';

const clone = (values: readonly object[]): object[] => JSON.parse(JSON.stringify(values));

describe('what was made of a list', () => {
  test('is what is made of each value alone, whatever the last list was', () => {
    const text = (value: object) => JSON.stringify(value);
    const value = fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(value, { maxLength: 4 })), (lists) => {
        const last = new LastList(text);
        for (const list of lists) assert.deepEqual(last.of(clone(list)), list.map(text));
      }),
    );
  });

  test('is made again only where the list differs', () => {
    const made: object[] = [];
    const last = new LastList((value: object) => made.push(value));
    const list = [{ a: [1, { b: 'x' }] }, { a: null }];
    last.of(list);
    last.of(clone([...list, { more: true }]));
    assert.deepEqual(made, [...list, { more: true }]);
    // The order of keys counts: a text of the value has it.
    for (const [one, other] of [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [{ a: [1] }, { a: [1, 2] }],
      [{ a: [] }, { a: {} }],
      [{ a: undefined }, {}],
    ] as const) {
      last.of([one]);
      const count: number = made.length;
      last.of([other]);
      assert.equal(made.length, count + 1);
    }
  });

  test('follows changes in place, and does not change with them', () => {
    const last = new LastList((value: object) => value);
    const value = { deep: { text: 'one' } };
    const [first] = last.of([value]);
    value.deep.text = 'two';
    assert.deepEqual(first, { deep: { text: 'one' } });
    assert.deepEqual(last.of([value]), [{ deep: { text: 'two' } }]);
  });

  test('is always made of what is not plain data, and of the value itself', () => {
    const made: [object, boolean][] = [];
    const last = new LastList((value: object, isConstant) => made.push([value, isConstant]));
    const value = { bytes: new Uint8Array(2) };
    last.of([value]);
    last.of([value]);
    assert.deepEqual(
      made.map(([one, isConstant]) => one === value && !isConstant),
      [true, true],
    );
  });

  test('is the same where the caller knows what holds the same, and lists that were returned stay as they are', () => {
    const step = fc.record({
      changed: fc.array(fc.nat(6)),
      length: fc.nat(6),
      same: fc.tuple(fc.nat(6), fc.nat(8)),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let kept: readonly (readonly [index: number, value: object])[] = [];
        const last = new LastList((value: object) => [value]);
        let values: { n: number }[] = [];
        const returned: unknown[] = [];
        for (const { changed, length, same } of steps) {
          const [from, to] = same;
          values = Array.from({ length }, (_, at) => {
            const before = values[at];
            const mayDiffer = at < from || at >= to || !before;
            const differs = changed.includes(at) && mayDiffer;
            return before && !differs ? { ...before } : { n: returned.length + 1 };
          });
          const made = last.of(values, same);
          assert.deepEqual(
            made,
            values.map((value) => [value]),
          );
          for (const [at, value] of kept)
            if (at >= from && at < Math.min(to, length)) assert.equal(made[at], value);
          kept = [...made.entries()];
          returned.push([made, structuredClone(made)]);
        }
        for (const [made, then] of returned as [unknown, unknown][]) assert.deepEqual(made, then);
      }),
    );
  });

  test('is made anew after something could not be made', () => {
    let isBroken = false;
    const last = new LastList((value: { n: number }) => {
      if (isBroken && value.n > 2) throw new Error('broken');
      return value.n;
    });
    last.of([{ n: 1 }, { n: 1 }, { n: 1 }]);
    isBroken = true;
    assert.throws(() => last.of([{ n: 1 }, { n: 2 }, { n: 3 }]));
    isBroken = false;
    assert.deepEqual(last.of([{ n: 1 }, { n: 2 }, { n: 3 }]), [1, 2, 3]);
    assert.deepEqual(last.of([{ n: 1 }, { n: 1 }]), [1, 1]);
  });

  test('knows values that nobody changes by their identity', () => {
    const value = { bytes: new Uint8Array(2) };
    const made: object[] = [];
    const last = new LastList((one: object) => made.push(one), new WeakSet([value]));
    last.of([value]);
    last.of([value]);
    assert.deepEqual(made, [value]);
  });
});
