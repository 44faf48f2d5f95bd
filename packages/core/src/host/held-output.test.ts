import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { heldOutput } from './held-output.ts';

const circle: Record<string, unknown> = { id: 1 };
circle.self = circle;
let reads = 0;

/** Each value, and what JSON says of it then. */
const ODD: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'a big integer': [12345678901234567890n, /^"12345678901234567890"$/],
  'big integers': [new BigInt64Array([1n]), /^\["1"\]$/],
  'a circle': [circle, /^\{"id":1,"self":"\[The tool has run\..*the object around it\]"\}$/],
  'a map and a set': [
    { map: new Map([[1, 2n]]), set: new Set([1]) },
    /^\{"map":\[\[1,"2"\]\],"set":\[1\]\}$/,
  ],
  'an error': [{ failed: new TypeError('why') }, /^\{"failed":\{"error":"why"\}\}$/],
  'a promise': [{ later: Promise.resolve(1) }, /an instance of Promise/],
  'a response': [new Response('x', { status: 201 }), /^\{"status":201,.*an instance of Response/],
  'a function': [() => 1, /it is a function/],
  'a revoked proxy': [revoked(), /reading it failed/],
  'a proxy that throws': [
    { a: new Proxy({}, { ownKeys: () => assert.fail('no keys') }) },
    /no keys/,
  ],
  'a proxy that lies': [
    new Proxy({ a: 1 }, { get: (_, key) => (key === 'a' ? 2 : undefined) }),
    /^\{"a":2\}$/,
  ],
  'a getter that throws': [
    {
      id: 1,
      get a(): never {
        throw new Error('no\n paper');
      },
    },
    /^\{"id":1,"a":"\[The tool has run\..*no paper\]"\}$/,
  ],
  'a getter that throws the second time': [
    {
      get a() {
        assert.equal(reads++, 0);
        return 1;
      },
    },
    /^\{"a":1\}$/,
  ],
  'a toJSON that throws': [{ a: { toJSON: () => assert.fail('not yet') } }, /not yet/],
  'a toJSON that gives itself': [
    {
      toJSON() {
        return this;
      },
    },
    /the object around it/,
  ],
  'ten thousand levels': [
    Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 1),
    /deeper than 100 levels/,
  ],
  'the same object two to the hundred times': [
    Array.from({ length: 90 }).reduce<unknown>((inner) => [inner, inner], 1),
    /too large/,
  ],
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('what JSON can hold of a result', () => {
  for (const [name, [value, text]] of Object.entries(ODD))
    test(`${name}: is written with a remark`, () => {
      const held = heldOutput(value);
      assert.match(JSON.stringify(held), text);
      assert.match(JSON.stringify(held), text);
      assert.equal(heldOutput(held), held);
    });

  test('is the result itself where JSON holds it', () => {
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 5 }),
      fc.dictionary(fc.string(), fc.oneof(fc.date(), fc.constant(undefined), fc.uint8Array())),
    );
    fc.assert(fc.property(values, (value) => heldOutput(value) === value));
    const shared = { a: 1 };
    const twice = [shared, shared];
    assert.equal(heldOutput(twice), twice);
  });

  test('never throws, whatever the result is', () => {
    const any = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
    });
    fc.assert(fc.property(any, (value) => void JSON.stringify(heldOutput(value))));
  });
});
