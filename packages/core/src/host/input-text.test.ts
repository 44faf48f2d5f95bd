import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { inputText } from './input-text.ts';

/** Values that are easily confused, and strings that look like the marks of other values. */
const LOOK_ALIKES = [
  ...[null, undefined, true, false, 0, -0, 1, NaN, Infinity, -Infinity, 0n, 1n, -1n],
  ...['', "'", "''", '0', '1', '-0', 'null', 'undefined', "'undefined", 'true', '#1', "'#1"],
  ...['number 0', 'number NaN', 'number Infinity', 'bigint 1', "'bigint 1", '{}', '[]', '""'],
  ...[new Date(0), new Date(1), new Date(NaN), 'Date 0', "'Date 0", new Date(0).toISOString()],
  ...[new Map(), new Map([[1, 2]]), new Map([['1', 2]]), {}, [], [[1, 2]], 'Map []', 'Map [[1,2]]'],
  ...[
    new Set(),
    new Set([1]),
    new Set(['1']),
    'Set []',
    'Set [1]',
    [1],
    ['1'],
    [undefined],
    [null],
  ],
  ...[/a/, /a/g, 'RegExp /a/', '/a/', new Uint8Array([1, 2]), 'bytes 1,2', [1, 2], { 0: 1, 1: 2 }],
  ...[new URL('https://a.example.com/'), 'text https://a.example.com/', 'https://a.example.com/'],
  ...[{ a: undefined }, { a: null }, { a: 'undefined' }, { a: 1 }, { a: 1n }, { a: { a: 1 } }],
  ...[[[]], [[[]]], [[], []], { '': [] }, { toJSON: 1 }, { constructor: 1 }, '\ud800', '\\ud800'],
] as const;

const alike = fc.constantFrom<unknown>(...LOOK_ALIKES);
/** Values that a schema can produce, built from parts that look alike. */
const made = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    alike,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', 'toString'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 }).map((list) => new Map(list)),
    fc.array(tie('value'), { maxLength: 2 }).map((list) => new Set(list)),
  ),
})).value;

describe('inputText', () => {
  test('equal JSON values, their keys in equal order, have equal texts', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        assert.equal(inputText(JSON.parse(JSON.stringify(value))), inputText(value));
      }),
    );
  });

  test('a copy has the same text as the original', () => {
    const copied = made.filter((value) => !JSON.stringify(value, plain).includes('URL'));
    fc.assert(
      fc.property(copied, (value) => {
        assert.equal(inputText(structuredClone(value)), inputText(value));
      }),
    );
  });

  test('promise 51: values that look alike have different texts', () => {
    for (const one of LOOK_ALIKES) {
      for (const other of LOOK_ALIKES) {
        if (one === other || isDeepStrictEqual(one, other)) continue;
        const pair = `${String(typeof one)} ${inputText(one)}, ${typeof other} ${inputText(other)}`;
        assert.notEqual(inputText(one), inputText(other), pair);
      }
    }
  });

  test('promise 51: equal texts mean equal values', () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        if (inputText(one) === inputText(other)) assert.ok(isDeepStrictEqual(one, other));
      }),
      { numRuns: 2_000 },
    );
  });

  test('promise 51: a text never equals the value that it describes', () => {
    fc.assert(
      fc.property(made, (value) => {
        assert.notEqual(inputText(inputText(value)), inputText(value));
        assert.notEqual(inputText([inputText(value)]), inputText([value]));
        assert.notEqual(inputText([value]), inputText(value));
        assert.notEqual(inputText({ a: value }), inputText({}));
      }),
    );
  });

  test('a change of one leaf, however deep, changes the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), alike, alike, fc.nat(20), (around, one, other, depth) => {
        if (isDeepStrictEqual(one, other)) return;
        const nested = (leaf: unknown) => {
          let value = leaf;
          for (let level = 0; level < depth; level++)
            value = level % 2 === 0 ? [around, value] : { around, value };
          return inputText(value);
        };
        assert.notEqual(nested(one), nested(other));
      }),
    );
  });

  test('a value without a complete text equals only itself, and nothing throws', () => {
    const throwing = () => {
      throw new Error('not to be read');
    };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const odd: (() => unknown)[] = [
      () => circular({}),
      () => circular([]),
      () => ({ deep: circular({}) }),
      () => Object.defineProperty({}, 'a', { get: throwing, enumerable: true }),
      () => ({ toJSON: throwing }),
      () => ({ toJSON: () => 1n }),
      () => ({ toJSON: () => circular({}) }),
      () => new Proxy({}, { ownKeys: throwing }),
      () => new Proxy({ a: 1 }, { get: throwing }),
      () => new Proxy({}, { getPrototypeOf: throwing }),
      () => new Proxy(new Map(), {}),
      () => new Proxy(new Date(), {}),
      () => Object.create(Date.prototype),
      () => Object.create(Map.prototype),
      () => nested(200_000),
      () => new Error('a'),
      () => Promise.resolve(1),
      () => () => 1,
    ];
    for (const make of [...odd, () => revoked]) {
      const value = make();
      assert.equal(typeof inputText(value), 'string', String(make));
      assert.equal(typeof inputText([{ value }]), 'string', String(make));
      if (value !== revoked) assert.notEqual(inputText(value), inputText(make()), String(make));
      assert.notEqual(inputText(value), inputText({}), String(make));
    }
    assert.notEqual(inputText(Symbol('a')), inputText(Symbol('a')));
  });

  test('promise 51: an unreadable value equals no value, and nothing throws', () => {
    const throwing = () => {
      throw new Error('not to be read');
    };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const unreadable: unknown[] = [
      circular({}),
      circular([]),
      { toJSON: throwing },
      { deep: circular({}) },
      Object.defineProperty({}, 'a', { get: throwing, enumerable: true }),
      new Proxy({}, { ownKeys: throwing }),
      new Proxy({ a: 1 }, { get: throwing }),
      new Proxy({}, { getPrototypeOf: throwing }),
      new Proxy(new Map(), {}),
      new Proxy(new Date(), {}),
      Object.create(Date.prototype),
      Object.create(Map.prototype),
      nested(200_000),
      revoked,
    ];
    unreadable.forEach((value, index) => {
      assert.equal(typeof inputText(value), 'string', `${index}`);
      assert.equal(typeof inputText([{ value }]), 'string', `${index}`);
      // The value may have changed between the two calls.
      assert.notEqual(inputText(value), inputText(value), `${index}`);
      assert.notEqual(inputText(value), inputText({}), `${index}`);
    });
  });

  test('a member called `toJSON` is a member like any other', () => {
    assert.equal(inputText({ toJSON: 1 }), inputText({ toJSON: 1 }));
    assert.notEqual(inputText({ toJSON: 1 }), inputText({ toJSON: 2 }));
  });

  test('returns a text even if `toJSON` returns nothing', () => {
    for (const nothing of [undefined, () => 1, Symbol('a')]) {
      const value = { toJSON: () => nothing };
      assert.equal(typeof inputText(value), 'string');
      assert.notEqual(inputText({ a: value }), inputText({}));
    }
  });

  test('an object with a `toJSON` does not equal the value that it returns', () => {
    for (const said of [{ a: 1 }, [], 1, null, NaN, true])
      assert.notEqual(inputText({ secret: 1, toJSON: () => said }), inputText(said));
  });

  test('promise 51: an object with private state equals only itself', () => {
    const kept: (() => unknown)[] = [
      () => new Blob(['a']),
      () => new Headers({ a: 'a' }),
      () => new URLSearchParams('a=a'),
      () => new FormData(),
      () => new WeakMap(),
      () => new SharedArrayBuffer(1),
      () => new Private(),
    ];
    for (const make of kept) assert.notEqual(inputText(make()), inputText(make()), String(make));
  });

  test('values of another type are other values', () => {
    const pairs = [
      [Object('a'), "'a"],
      [Object("'a"), 'a'],
      [Object(1), 1],
      [new Uint8Array([1]), new Int8Array([1])],
      [new Uint8Array([1, 0]), new Uint16Array([1])],
    ];
    for (const [one, other] of pairs) assert.notEqual(inputText(one), inputText(other));
  });

  test('reading a proxy does not change the text of other values', () => {
    let reads = 0;
    const shifty = new Proxy({ a: 1 }, { get: (_, key) => (key === 'a' ? ++reads : undefined) });
    const before = inputText({ a: 1 });
    assert.notEqual(inputText(shifty), inputText(shifty));
    assert.equal(inputText({ a: 1 }), before);
  });
});

class Private {
  readonly #state = {};

  get state(): object {
    return this.#state;
  }
}

function circular<T extends object>(value: T): T {
  return Object.assign(value, { self: value, 0: value });
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** A replacer that shows URLs, which `structuredClone` does not copy. */
function plain(this: unknown, key: string, value: unknown): unknown {
  const member = (this as Record<string, unknown>)[key];
  if (member instanceof URL) return 'URL';
  if (member instanceof Map || member instanceof Set) return [...member];
  return typeof value === 'bigint' ? String(value) : (value ?? null);
}
