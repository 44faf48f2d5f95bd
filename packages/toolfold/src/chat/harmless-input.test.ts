import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { harmlessInput, harmlessKeys } from './input.ts';

suite('what may stand in the input', () => {
  test('keys and pastes keep their sequences, but no control in 8 bits and no direction', () => {
    assert.equal(harmlessKeys('\u001B[A'), '\u001B[A');
    assert.equal(
      harmlessKeys('\u001B[200~a\u009B31m\u202Eb é 👩‍👧 שלום\u001B[201~'),
      '\u001B[200~a31mb é 👩‍👧 שלום\u001B[201~',
    );
  });

  test('a text from elsewhere keeps lines and tabs, but no control character', () => {
    assert.equal(harmlessInput('a\r\nb\tc\u001B]0;x\u0007\u007F\u2066d'), 'a\nb\tc]0;xd');
  });
});
