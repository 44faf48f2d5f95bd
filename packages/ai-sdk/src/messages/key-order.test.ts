import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { inKeyOrder, keyOrdersOf, readKeyOrders } from './key-order.ts';

/** As PostgreSQL's `jsonb` keeps keys: short ones first, then by bytes. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(Reflect.get(value, key))]));
}

suite('the order of keys', () => {
  const rows = fc.array(fc.constant({ name: 'Ada', id: 1, since: { year: 1843, day: 2 } }));

  test('comes back, wherever a store sorts', () => {
    const values = fc.oneof(
      rows,
      fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), fc.jsonValue()),
      fc.record({ status: fc.string(), items: rows, at: fc.integer() }),
    );
    fc.assert(
      fc.property(values, (value) => {
        const orders = keyOrdersOf(value);
        if (!orders) return;
        const kept = readKeyOrders(JSON.parse(JSON.stringify(orders)));
        assert.ok(kept);
        const restored = JSON.stringify(inKeyOrder(sorted(value), kept));
        // The first request holds the same bytes.
        assert.equal(restored, JSON.stringify(inKeyOrder(value, kept)));
        assert.deepEqual(JSON.parse(restored), JSON.parse(JSON.stringify(value)));
      }),
    );
    const row = { name: 'Ada', id: 1, at: { z: 1, a: 2 } };
    const orders = keyOrdersOf([row, row]) ?? [];
    assert.equal(orders.length, 2);
    assert.equal(
      JSON.stringify(inKeyOrder(sorted([row, row]), orders)),
      JSON.stringify([row, row]),
    );
  });

  test('is not kept where there is none, or where it is long', () => {
    for (const value of ['text', 1, null, undefined, [], {}, [1], { a: 1 }])
      assert.equal(keyOrdersOf(value), undefined);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key_${n}`, n]));
    assert.equal(keyOrdersOf(wide), undefined);
    assert.equal(
      keyOrdersOf(Array.from({ length: 20_000 }, (_, n) => ({ a: n, b: n }))),
      undefined,
    );
  });

  test('that a browser changed does nothing', () => {
    for (const odd of [1, 'a', {}, [1], [['a', 1]], [null]])
      assert.equal(readKeyOrders(odd), undefined);
    const value = { a: 1, b: 2 };
    for (const orders of [[['a', 'b', 'c']], [['a']], [['a', 'a']], []])
      assert.equal(JSON.stringify(inKeyOrder(value, orders)), JSON.stringify(value));
    const own = JSON.parse('{"__proto__": 1, "constructor": 2}');
    assert.deepEqual(Object.keys(inKeyOrder(own, [['constructor', '__proto__']]) as object), [
      'constructor',
      '__proto__',
    ]);
  });
});
