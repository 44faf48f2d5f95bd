import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  exactJson,
  firstBig,
  inexactNumber,
  roundedNumber,
  withBigints,
  withDigits,
  withMarks,
} from './exact-numbers.ts';

suite('numbers that a double cannot hold', () => {
  for (const text of [
    '12345678901234567890',
    '-9007199254740993',
    '{"id":9007199254740993}',
    '[1,{"a":[12345678901234567890]}]',
    '1e400',
    '1e-400',
    '12345678901234567890.5',
    '1.2345678901234567891e19',
    '{"a":"\\"","id":12345678901234567890}',
  ])
    test(`${text} has one`, () => assert.ok(inexactNumber(text)));
  for (const text of [
    '9007199254740992',
    '9007199254740991',
    '12345678901234567000',
    '0.1',
    '0.1234567890123456789',
    '52.5200065999999999',
    '1e21',
    '1e3',
    '-0',
    '0e0',
    '{"id":"12345678901234567890"}',
    '{"12345678901234567890":1}',
    '{"a":"\\\\","b":"12345678901234567890"}',
    '{"half',
  ])
    test(`${text} has none`, () => assert.equal(inexactNumber(text), undefined));

  test('what a program writes has none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(inexactNumber(JSON.stringify(value)), undefined);
      }),
    );
  });
});

suite('integers that no number holds', () => {
  const text = '{"a":[12345678901234567890,1,{"b":-9007199254740993}],"c":"12345678901234567890"}';
  const value = {
    a: [12345678901234567890n, 1, { b: -9007199254740993n }],
    c: '12345678901234567890',
  };

  test('are read as bigints, and written with their digits', () => {
    assert.deepEqual(exactJson(text), { value });
    assert.equal(JSON.stringify(withDigits(value)), text);
    assert.equal(firstBig(value), '-9007199254740993');
  });

  test('go through programs that read and write JSON', () => {
    const kept = JSON.parse(JSON.stringify(withMarks(value)));
    assert.deepEqual(withBigints(kept), value);
    assert.equal(firstBig(kept), '-9007199254740993');
  });

  for (const lost of ['1e400', '12345678901234567890.5', '1e-400', '1'.repeat(2000)])
    test(`${lost.slice(0, 30)} is lost`, () => {
      assert.deepEqual(exactJson(`{"a":1,"b":${lost},"c":12345678901234567890}`), { lost });
    });

  test('other values stay the same objects', () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const one of [deep, circle, { n: 5, at: new Date(0) }, new Array(200_000).fill(1)]) {
      assert.equal(withMarks(one), one);
      assert.equal(withBigints(one), one);
      assert.equal(withDigits(one), one);
      assert.equal(firstBig(one), undefined);
    }
  });

  test('only a mark of such an integer means one', () => {
    for (const one of [
      { toolfold_integer: '5' },
      { toolfold_integer: 'x' },
      { toolfold_integer: 12345678901234567000 },
      { toolfold_integer: '12345678901234567890', other: 1 },
    ])
      assert.deepEqual(withBigints({ one }), { one });
  });

  test('a bigint that a number holds becomes that number', () => {
    assert.deepEqual(withBigints({ n: 5n, big: 12345678901234567000n }), {
      n: 5,
      big: 12345678901234567000,
    });
  });

  test('any JSON with such integers is written as it was read', () => {
    const withBig = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((big) => `${big}`),
        fc.string().map((one) => JSON.stringify(one)),
        fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join()}]`),
        fc
          .dictionary(fc.string(), tie('value'), { maxKeys: 4 })
          .map(
            (all) =>
              `{${Object.entries(all).map(([key, one]) => `${JSON.stringify(key)}:${one}`)}}`,
          ),
      ),
    })).value;
    fc.assert(
      fc.property(withBig, (json) => {
        const read = exactJson(json as string);
        assert.ok('value' in read);
        const again = withBigints(JSON.parse(JSON.stringify(withMarks(read.value)) ?? 'null'));
        const digits = (one: unknown) => exactJson(JSON.stringify(withDigits(one)));
        assert.deepEqual(digits(again), read);
        assert.equal(JSON.stringify(withDigits(read.value)), JSON.stringify(withDigits(again)));
      }),
    );
  });
});

suite('numbers that may have been rounded', () => {
  for (const text of [
    '9007199254740992',
    '[12345678901234567000]',
    '1.2345678901234568e+29',
    '1e16',
  ])
    test(`${text} ${text === '1e16' ? 'was not' : 'may have been'}`, () =>
      assert.equal(roundedNumber(text) !== undefined, text !== '1e16'));
  for (const text of [
    '9007199254740991',
    '1e21',
    '6.02214076e23',
    '0.1',
    '"12345678901234567000"',
    '1.5',
  ])
    test(`${text} was not`, () => assert.equal(roundedNumber(text), undefined));
});
