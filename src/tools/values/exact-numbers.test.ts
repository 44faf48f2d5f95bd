import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { inexactNumber } from './index.ts';

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
