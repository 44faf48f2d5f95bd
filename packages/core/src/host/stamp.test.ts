import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from '../values/json.ts';
import {
  answerOf,
  callDigest,
  isDigestOf,
  KEY,
  readBinding,
  readInput,
  readStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';

const STAMP: Stamp = { n: 'call', r: '{}', o: 2, e: 'No.', c: 'send 0', d: 'd0' };

/** Anything a browser may put where a stamp should be. */
const junk = fc.oneof(
  fc.anything(),
  fc.record(
    {
      n: fc.anything(),
      r: fc.anything(),
      o: fc.anything(),
      e: fc.anything(),
      c: fc.anything(),
      t: fc.anything(),
      d: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);

describe('stamps', () => {
  test('survive JSON; only `readBinding` reads the binding', () => {
    const back = JSON.parse(JSON.stringify({ other: 1, [KEY]: STAMP }));
    const { d: binding, ...rest } = STAMP;
    assert.deepEqual(readStamp(back), rest);
    assert.deepEqual(readBinding(back), { binding, digests: { c: STAMP.c } });
  });

  test('promise 52: junk gives no stamp, or only strings and a number; nothing throws', () => {
    fc.assert(
      fc.property(junk, (value) => {
        const options = { [KEY]: value };
        const stamp = readStamp(options);
        const { binding, digests } = readBinding(options);
        for (const text of [binding, digests.c])
          assert.ok(text === undefined || typeof text === 'string');
        if (!stamp) return;
        assert.match(stamp.n, /^[\w-]{1,128}$/);
        assert.equal(typeof stamp.r, 'string');
        assert.equal(typeof stamp.o, 'number');
        for (const text of [stamp.e, stamp.c])
          assert.ok(['undefined', 'string'].includes(typeof text));
        assert.equal(typeof wireInput(stamp.r), 'object');
      }),
      { numRuns: 500 },
    );
    for (const options of [undefined, {}, { [KEY]: null }, { [KEY]: 'text' }, { [KEY]: [] }])
      assert.equal(readStamp(options), undefined);
  });

  test('promise 52: a name that is invalid on the wire gives no stamp', () => {
    for (const n of ['', 'a b', 'a\n', 'ä', 'a'.repeat(129), '<tool>', 1, null, {}])
      assert.equal(readStamp({ [KEY]: { ...STAMP, n } }), undefined, String(n));
    assert.equal(readStamp({ [KEY]: { ...STAMP, n: 'a'.repeat(128) } })?.n.length, 128);
  });

  test('promise 52: inherited properties are not read', () => {
    const inherited = Object.create({ n: 'call', r: '{}', d: 'd0', c: 'send 0' });
    assert.equal(readStamp({ [KEY]: inherited }), undefined);
    assert.equal(readStamp(Object.create({ [KEY]: STAMP })), undefined);
    assert.deepEqual(readBinding({ [KEY]: inherited }), { binding: undefined, digests: {} });
  });

  test('promise 52: an answer holds only for the call that was refused', () => {
    const refused = { ...STAMP, c: callDigest('send', { text: 'a' }) };
    const answer = (stamp: Stamp, name: string, input: unknown, isUnread = false) =>
      answerOf(stamp, { name, input, isUnread });
    assert.equal(answer(refused, 'send', { text: 'a' }), 'No.');
    assert.equal(answer(refused, 'send', { text: 'b' }), undefined);
    assert.equal(answer(refused, 'drop', { text: 'a' }), undefined);
    assert.equal(answer({ ...refused, c: callDigest('send', '{"te') }, 'send', '{"te'), 'No.');
    assert.equal(answer(refused, 'send', 'a text'), undefined);
    // The host keeps an empty object in place of an input that it could not read.
    assert.equal(answer(refused, 'send', {}, true), 'No.');
    assert.equal(answer(refused, 'sen', {}, true), undefined);
    assert.equal(answer(refused, 'send', { text: 'b' }, true), undefined);
    // The app repaired the input to an empty object, and the tool ran.
    assert.equal(answer(refused, 'send', {}), undefined);
    const { e: _, ...allowed } = refused;
    assert.equal(answer(allowed, 'send', { text: 'a' }), undefined);
    const { c: __, ...unbound } = refused;
    assert.equal(answer(unbound, 'send', { text: 'z' }), 'No.');
  });

  test('promise 50: the digest of a call depends on its name and its input', () => {
    const call = fc.tuple(fc.constantFrom('send', 'send ', 'sen'), fc.json());
    fc.assert(
      fc.property(call, call, ([name, text], [other, given]) => {
        const one = callDigest(name, JSON.parse(text));
        assert.equal(
          one === callDigest(other, JSON.parse(given)),
          name === other && canonicalJson(JSON.parse(text)) === canonicalJson(JSON.parse(given)),
        );
      }),
    );
    assert.ok(callDigest('send', { text: 'a'.repeat(100_000) }).length < 40);
    assert.notEqual(callDigest('send', { at: new Date(0) }), callDigest('send', { at: 'Date 0' }));
  });

  test('promise 50: the digest also covers another input that the tool gets, and no order of keys', () => {
    const input = { to: 'a', on: { day: 1, hour: 2 } };
    const sorted = { on: { hour: 2, day: 1 }, to: 'a' };
    assert.equal(callDigest('send', input), callDigest('send', sorted));
    const final = { to: 'a', on: new Date(0) };
    const digests = { c: callDigest('send', input, final) };
    assert.ok(isDigestOf(digests, 'send', sorted, { on: new Date(0), to: 'a' }));
    assert.ok(!isDigestOf(digests, 'send', input));
    assert.ok(!isDigestOf(digests, 'send', input, { to: 'a', on: new Date(1) }));
    assert.ok(!isDigestOf({}, 'send', input));
  });

  test('are removed from metadata, and other keys stay', () => {
    assert.deepEqual(withoutStamp({ other: 1, [KEY]: STAMP }), { other: 1 });
    assert.equal(withoutStamp({ [KEY]: STAMP }), undefined);
    assert.equal(withoutStamp(undefined), undefined);
    const others = { other: 1 };
    assert.equal(withoutStamp(others), others);
  });

  test('an input is read as the model meant it, and is always an object on the wire', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (raw) => {
        const value = wireInput(raw);
        assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value));
        const read = readInput(raw);
        assert.ok(read === raw || (typeof read === 'object' && read !== null));
      }),
    );
    assert.deepEqual(wireInput('{"a":1}'), { a: 1 });
    assert.deepEqual(wireInput(' \n'), {});
    assert.deepEqual(wireInput('[1]'), { malformed_input: '[1]' });
    assert.deepEqual(wireInput('{"a":'), { malformed_input: '{"a":' });
  });
});
