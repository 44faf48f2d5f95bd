import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextTail } from './processes/output-tail.ts';
import { redact, secretTexts, stripControls } from './redact.ts';

test('secrets are redacted as a whole, by word and in URL form', () => {
  const secrets = secretTexts(['Bearer abc/def=ghi', 'short']);
  assert.equal(redact('sent abc/def=ghi', secrets), 'sent [redacted]');
  assert.equal(redact('GET /?k=abc%2Fdef%3Dghi', secrets), 'GET /?k=[redacted]');
  assert.equal(redact('too short', secrets), 'too short');
});

test('terminal escapes and control characters are removed, text and lines stay', () => {
  assert.equal(stripControls('\u001B[31mred\u001B[0m\u0007 é\n\tok'), 'red é\n\tok');
  assert.equal(stripControls('\u001B]0;title\u0007x\u202Ey\u0000'), 'xy');
});

test('a tail keeps the last lines, bounded, without secrets', () => {
  const tail = new TextTail();
  for (let line = 0; line < 5000; line += 1) tail.add(`line ${line} hunter22 \u001B[1m!\n`);
  assert.deepEqual(tail.lastLines(2, ['hunter22']), [
    'line 4998 [redacted] !',
    'line 4999 [redacted] !',
  ]);
  tail.add('y'.repeat(100_000));
  assert.ok(tail.lastLines(4, []).join('').length <= 800);
});

test('a line whose beginning was lost is not shown: a secret may have been cut', () => {
  const tail = new TextTail();
  const end = 'battery\n';
  tail.add(`correct-horse-${end}${'.'.repeat(16 * 1024 - end.length)}`);
  assert.doesNotMatch(tail.lastLines(4, ['correct-horse-battery']).join(), /battery/);
});

test('no cut of the stream lets a secret through', () => {
  const secret = 'correct-horse-battery';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 8 }), (sizes) => {
      const tail = new TextTail();
      for (const size of sizes) tail.add(`${'.'.repeat(size)} ${secret}\n`);
      const shown = tail.lastLines(4, [secret]).join('\n');
      assert.doesNotMatch(shown, /horse|battery/);
    }),
  );
});
