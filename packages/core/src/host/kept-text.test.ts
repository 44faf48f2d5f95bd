import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inputText, isReadable, projectedText } from './input-text.ts';

/** Every place of a JSON value: the object that holds it, and its key. */
function placesIn(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** A list of changes to make in place: which place, and what stands there then; undefined removes a member. */
const changes = fc.array(fc.tuple(fc.nat(), fc.option(fc.jsonValue(), { nil: undefined })), {
  minLength: 1,
  maxLength: 5,
});
const input = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

describe('promise 51: texts that are kept', () => {
  test('follow every change in place, and changes back', () => {
    fc.assert(
      fc.property(input, changes, (value, list) => {
        const before = structuredClone(value);
        const first = inputText(value);
        assert.equal(inputText(value), first);
        for (const [at, put] of list) {
          const places = placesIn(value);
          const { holder, key } = places[at % places.length] ?? { holder: value, key: 'new' };
          if (put === undefined && !Array.isArray(holder)) delete holder[key];
          else holder[key] = put ?? null;
          // For JSON values both forms are the same text, and only one of them is kept.
          assert.equal(inputText(value), projectedText(value));
        }
        for (const key of Object.keys(value)) delete value[key];
        for (const [key, member] of Object.entries(before))
          Object.defineProperty(value, key, { value: member, enumerable: true });
        assert.equal(inputText(value), first);
      }),
      { numRuns: 500 },
    );
  });

  test('another object with the same content has the same text; one with other content has its own', () => {
    fc.assert(
      fc.property(input, input, (one, other) => {
        assert.equal(inputText(one), inputText(structuredClone(one)));
        assert.equal(inputText(other), projectedText(other));
        assert.equal(inputText(one), projectedText(one));
      }),
    );
  });

  test('what changes without a change of members is read again', () => {
    const [date, list, map] = [new Date(0), { items: [1, 2] }, new Map([['a', 1]])];
    for (const [value, change] of [
      [{ date }, () => date.setTime(1)],
      [{ map }, () => map.set('a', 2)],
      [list, () => list.items.push(3)],
      [{ list }, () => Object.assign(list.items, { length: 1 })],
      [{ n: 0 }, (it: { n: number }) => Object.assign(it, { n: -0 })],
      [{ n: 0 }, (it: object) => Object.setPrototypeOf(it, { toJSON: () => 'other' })],
      [{ n: 0 }, (it: object) => Object.assign(it, { toJSON: () => 'other' })],
      [{ n: undefined }, (it: { n?: undefined }) => delete it.n],
    ] as readonly (readonly [object, (value: never) => unknown])[]) {
      const before = inputText(value);
      assert.equal(inputText(value), before);
      change(value as never);
      assert.notEqual(inputText(value), before);
    }
  });

  test('a value that cannot be read equals nothing, itself neither', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const throws = {
      get member() {
        throw new Error('No.');
      },
    };
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    // Writing and comparing need different amounts of the stack.
    const deep = Array.from({ length: 40 }, (_, at) => nested(500 * at));
    for (const value of [circle, throws, ...deep, nested(200_000)]) {
      const text = inputText(value);
      assert.equal(inputText(value) === text, isReadable(text));
    }
    const symbol = { symbol: Symbol.iterator };
    assert.notEqual(inputText(symbol), inputText(symbol));
  });
});
