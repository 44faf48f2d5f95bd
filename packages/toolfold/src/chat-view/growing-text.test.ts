import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanText } from './drawing.ts';
import { GrowingText } from './markdown-parts.ts';

const SECRET = 'first line of a secret\nand its second line\nand the third';
const change = (text: string) => cleanText(text.replaceAll(SECRET, '[redacted]'), 1_000_000);

const PIECES = [
  SECRET,
  SECRET.slice(0, 30),
  SECRET.slice(30),
  '\u001B]0;',
  '\u0007',
  '\r',
  '\n',
  '\t',
];
const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.nat(6_000).map((count) => 'word '.repeat(count / 5)),
  fc.nat(3_000).map((count) => 'line\n'.repeat(count / 5)),
);

test('a text that grows becomes the same as if it came at once', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const growing = new GrowingText(change);
      let text = '';
      for (const more of pieces) {
        text += more;
        assert.equal(growing.read(text), change(text));
      }
    }),
    { numRuns: 100 },
  );
});

test('a text that grows by lines is read a bounded number of times', () => {
  let read = 0;
  const growing = new GrowingText((text) => {
    read += text.length;
    return text;
  });
  let text = '';
  for (let at = 0; at < 2_000; at += 1) {
    text += `${'line '.repeat(16)}\n`;
    assert.equal(growing.read(text).length, text.length);
  }
  assert.ok(read < 2_000 * 25_000, String(read));
});

test('another text is read from its beginning', () => {
  const growing = new GrowingText((text) => text.toUpperCase());
  const long = 'line\n'.repeat(10_000);
  assert.equal(growing.read(long), long.toUpperCase());
  assert.equal(growing.read('other'), 'OTHER');
  assert.equal(growing.read(`x${long}`), `X${long.toUpperCase()}`);
});
