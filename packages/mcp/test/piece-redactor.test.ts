import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, constantFrom, property, string } from 'fast-check';
import { PieceRedactor, redact } from '../src/redact.ts';

const SECRETS = ['hunter2-hunter3', 'aab-aab-aac'];

test('a text in pieces becomes the same as the whole text', () => {
  const part = constantFrom(
    ...SECRETS,
    ...'hunter2-3abc x'.split(''),
    'hunter2-hunter',
    'aab-aab-aa',
  );
  check(
    property(array(part), array(string({ minLength: 1, maxLength: 7 })), (parts, sizes) => {
      const text = parts.join('');
      const redactor = new PieceRedactor(() => SECRETS);
      let [shown, at, turn] = ['', 0, 0];
      while (at < text.length) {
        const size = sizes[turn++ % Math.max(1, sizes.length)]?.length ?? 1;
        shown += redactor.take(text.slice(at, at + size));
        at += size;
        for (const secret of SECRETS) assert.ok(!shown.includes(secret));
      }
      assert.equal(shown + redactor.end(), redact(text, SECRETS));
    }),
  );
});

test('what is held back is as short as can be', () => {
  const redactor = new PieceRedactor(() => SECRETS);
  assert.equal(redactor.take('the hun'), 'the ');
  assert.equal(redactor.take('ter is here'), 'hunter is here');
  assert.equal(redactor.end(), '');
});
