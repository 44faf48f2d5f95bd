import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { NOT_PLAIN, ODD_PROPERTIES, revoked } from '../../test/host/odd-values.test-support.ts';
import { kindOf, readPlain } from './verdict.ts';

const anyKey = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'deny', 'arguments', 'output'),
);

suite('readPlain', () => {
  test('promise 51: what is no plain object is described, without its values', () => {
    for (const [what, value] of NOT_PLAIN) {
      assert.deepEqual(readPlain(value), { kind: 'odd', what });
      assert.equal(kindOf(value), what);
    }
    for (const [what, value] of ODD_PROPERTIES)
      assert.deepEqual(readPlain(value), { kind: 'odd', what });
    const unreadable = 'an object that cannot be read';
    assert.deepEqual(readPlain(revoked()), { kind: 'odd', what: unreadable });
    assert.equal(kindOf(revoked()), unreadable);
  });

  test('the name of a class is shown only if it is a name', () => {
    for (const name of ['a secret', '', 'x'.repeat(61), 'a\nb', 7]) {
      const odd = class {};
      Object.defineProperty(odd, 'name', { value: name });
      assert.equal(kindOf(new odd()), 'an object that is not plain');
    }
    const odd = class {};
    Object.defineProperty(odd, 'name', { get: () => 'Secret' });
    assert.equal(kindOf(new odd()), 'an object that is not plain');
    assert.equal(kindOf(undefined), 'undefined');
    assert.equal(kindOf({}), 'an object');
    assert.equal(kindOf(Promise.resolve()), 'an instance of Promise');
  });

  test('promise 51: a plain object is read into a new one, whatever its keys are', () => {
    fc.assert(
      fc.property(fc.dictionary(anyKey, fc.anything()), fc.boolean(), (members, isBare) => {
        const given = Object.create(isBare ? null : Object.prototype);
        for (const [key, value] of Object.entries(members))
          Object.defineProperty(given, key, { value, enumerable: true, configurable: true });
        const found = readPlain(given);
        assert.ok(found.kind === 'read');
        assert.notEqual(found.value, given);
        assert.equal(Object.getPrototypeOf(found.value), Object.prototype);
        assert.deepEqual(Reflect.ownKeys(found.value), Reflect.ownKeys(given));
        for (const key of Object.keys(given))
          assert.ok(Object.is(own(found.value, key), members[key]));
      }),
    );
  });

  test('promise 51: one property that is not plain is enough to refuse an object', () => {
    const spoil = fc.constantFrom<(given: object) => void>(
      (given) => Object.defineProperty(given, Symbol('x'), { value: 1, enumerable: true }),
      (given) => Object.defineProperty(given, 'x!', { value: 1 }),
      (given) => Object.defineProperty(given, 'x!', { get: () => 1, enumerable: true }),
      (given) => Object.setPrototypeOf(given, { x: 1 }),
      (given) => Object.setPrototypeOf(given, Map.prototype),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything(), { noNullPrototype: true }),
        spoil,
        (given, by) => {
          assert.equal(readPlain(given).kind, 'read');
          by(given);
          assert.equal(readPlain(given).kind, 'odd');
        },
      ),
    );
  });

  test('an object of another realm is plain, with another realm in it too', () => {
    for (const code of ['({ deny: "No." })', 'Object.assign(Object.create(null), { deny: "No." })'])
      assert.deepEqual(readPlain(runInNewContext(code)), { kind: 'read', value: { deny: 'No.' } });
    const odd = [
      'new (class { deny = "No." })()',
      'Object.create({ deny: "No." })',
      'new Error("No.")',
    ];
    for (const code of odd) assert.equal(readPlain(runInNewContext(code)).kind, 'odd');
  });

  test('an imitation of `Object.prototype` is none', () => {
    const named = class {};
    Object.defineProperty(named, 'name', { value: 'Object' });
    Object.setPrototypeOf(named.prototype, null);
    const imitations = [
      Object.create(null),
      named.prototype,
      Object.create(null, { constructor: { value: Object }, hasOwnProperty: { value: 1 } }),
      Object.create(null, { constructor: { get: () => Object }, hasOwnProperty: { value: 1 } }),
    ];
    for (const imitation of imitations)
      assert.equal(readPlain(Object.create(imitation)).kind, 'odd');
  });

  test('promise 51: each property is read once, and that value is the one used', () => {
    const reads: unknown[] = [];
    const target = { deny: undefined, ask: false, arguments: {} };
    const lying = new Proxy(target, {
      get: (_, key) => {
        reads.push(key);
        return reads.filter((read) => read === key).length === 1
          ? `first ${String(key)}`
          : undefined;
      },
    });
    assert.deepEqual(readPlain(lying), {
      kind: 'read',
      value: { deny: 'first deny', ask: 'first ask', arguments: 'first arguments' },
    });
    assert.deepEqual(reads, ['deny', 'ask', 'arguments']);
  });

  test('a getter is not called', () => {
    const never = () => assert.fail('was called');
    assert.equal(
      readPlain(Object.defineProperty({}, 'x', { get: never, enumerable: true })).kind,
      'odd',
    );
  });
});

function own(record: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(record, key)?.value;
}
