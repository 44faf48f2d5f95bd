import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { visibleArguments } from './question.ts';

const shown = (given: unknown, limit = 300) => visibleArguments(given, limit);

test('plain arguments are shown unchanged', () => {
  const given = { path: 'a b/é😀.txt', text: 'one\ntwo  three', n: [1, null] };
  const { full, short, isShortened } = shown(given) ?? assert.fail();
  assert.equal(full, JSON.stringify(given));
  assert.equal(short, full);
  assert.equal(isShortened, false);
});

for (const [what, padding] of [
  ['spaces', ' '],
  ['line ends', '\n'],
  ['line ends and spaces', '\r\n \t'],
  ['no-break spaces', '\u00a0'],
  ['spaces of no width', '\u200b'],
  ['ideographic spaces', '\u3000'],
  ['blank braille', '\u2800'],
  ['Hangul fillers', '\u3164'],
  ['line separators', '\u2028'],
  ['carriage returns and deletes', '\r\u007f'],
  ['backspaces', '\b'],
  ['byte order marks', '\ufeff'],
] as const) {
  test(`padding hides nothing: ${what}`, () => {
    const given = { command: `ls ${padding.repeat(5000)}; rm -rf /` };
    const { short, full, length, isShortened } = shown(given) ?? assert.fail();
    assert.ok(short.length < 200, short);
    assert.match(short, /^\{"command":"ls ?‹[\d,]+ blank characters›; rm -rf \/"\}$/);
    assert.equal(full, short);
    assert.equal(isShortened, true);
    assert.equal(length, JSON.stringify(given).length);
  });
}

test('an escaped backslash is not read as the start of a blank character', () => {
  const given = { a: `\\n${'\n'.repeat(20)}` };
  assert.equal(shown(given)?.full, '{"a":"\\\\n‹20 blank characters›"}');
});

test('long arguments are shown by beginning and end, with the number of characters between', () => {
  const { short, full, isShortened } =
    shown({ a: 'x'.repeat(5000), z: 'the end' }) ?? assert.fail();
  assert.match(short, /^\{"a":"x+… \(\+[\d,]+ characters\) …x+","z":"the end"\}$/);
  assert.ok(short.length < 400);
  assert.ok(isShortened && full.length > 5000);
});

test('no shown character is invisible or changes the order of its neighbours', () => {
  const odd = fc.constantFrom(
    ...[
      '\u202e',
      '\u2066',
      '\u200d',
      '\u0000',
      '\u009b',
      '\u{e0041}',
      '\ufe0f',
      '\ud800',
      '\u034f',
    ],
    ...['\u2029', '\u1160', ' ', '\n', 'a', '\u0301', '"', '\\', '\u2003'],
  );
  const text = fc.array(odd, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.dictionary(text, text), (given) => {
      const { full, short } = shown(given, 60) ?? assert.fail();
      for (const line of [full, short]) {
        assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}|\p{M}{4}| {9}/u);
        assert.ok(line.isWellFormed());
      }
    }),
  );
});

test('arguments that are nested too deeply have no text', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  assert.equal(shown(deep), undefined);
  assert.equal(shown(undefined)?.full, '');
});
