import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Questions } from './questions.ts';

describe('questions', () => {
  test('return the binding of the tool when the user was asked, any number of times', () => {
    const questions = new Questions();
    questions.keep('a', 'd1');
    questions.keep('b', 'd2');
    assert.deepEqual([questions.bindingOf('a'), questions.bindingOf('a')], ['d1', 'd1']);
    assert.equal(questions.bindingOf('b'), 'd2');
    assert.equal(questions.bindingOf('c'), undefined);
  });

  test('promise 50: the latest question counts; a question without a binding is deleted', () => {
    const questions = new Questions();
    questions.keep('a', 'd1');
    questions.keep('a', 'd2');
    assert.equal(questions.bindingOf('a'), 'd2');
    questions.keep('a', undefined);
    assert.equal(questions.bindingOf('a'), undefined);
  });

  test('are bounded: the oldest are dropped, and a repeated question is new', () => {
    const questions = new Questions();
    questions.keep('first', 'd');
    questions.keep('again', 'd');
    for (let index = 0; index < 500; index++) questions.keep(`${index}`, 'd');
    questions.keep('again', 'd');
    for (let index = 500; index < 1_400; index++) questions.keep(`${index}`, 'd');
    assert.equal(questions.bindingOf('first'), undefined);
    assert.equal(questions.bindingOf('again'), 'd');
    assert.equal(questions.bindingOf('1399'), 'd');
    const kept = Array.from({ length: 1_400 }, (_, index) => questions.bindingOf(`${index}`));
    assert.ok(kept.filter((binding) => binding !== undefined).length <= 1_000);
  });

  test('promise 51: dropping questions never invents a question or returns another binding', () => {
    const asked = fc.record({ key: fc.nat(1_500), binding: fc.option(fc.nat(3)) });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 900, maxLength: 2_500 }), (list) => {
        const questions = new Questions();
        const last = new Map<string, string | undefined>();
        for (const { key, binding } of list) {
          const text = binding === null ? undefined : `d${binding}`;
          questions.keep(`${key}`, text);
          last.set(`${key}`, text);
        }
        for (const [key, binding] of last) {
          const found = questions.bindingOf(key);
          assert.ok(found === undefined || found === binding);
        }
      }),
      { numRuns: 20 },
    );
  });
});
