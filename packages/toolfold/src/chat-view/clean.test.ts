import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cleanLine, cleanText } from './drawing.ts';

/** Characters that a terminal must not get: controls, directions, lone surrogates, no width, line ends. */
const HARMFUL = /[^\P{C}\n]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/u;

/** Joins two emoji to one. */
const JOINED = /(?<=\p{Emoji_Presentation}\p{Emoji_Modifier}?)\u200D(?=\p{Emoji_Presentation})/gu;

/** Pieces that are likely to make a sequence when they stand together. */
const PIECES = [
  ...['\u001B', '\u001B[', '\u001B]0;', '\u001B\\', '\u0007', '\u009B', '\u0090', '\u009C'],
  ...['31m', '2J', ';', '?', '\r', '\n', '\r\n', '\t', '\u0000', '\u007F', '\u0085', '\u2028'],
  ...['\u202E', '\u2066', '\u2069', '\u200B', '\u200D', '\uFEFF', '\u00AD', '\u034F', '\uFE0F'],
  ...['\uD83D', '\uDE00', '😀', '👩‍👧', '漢', 'é', 'e\u0301', '\u3164', 'a', ' ', '\u{E0041}'],
];

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 40 }),
);

describe('text for the terminal', () => {
  test('has no harmful character, whatever comes', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const clean = cleanText(text, limit);
        assert.doesNotMatch(clean.replace(JOINED, ''), HARMFUL);
        assert.ok(clean.isWellFormed() && clean.length <= limit);
        const line = cleanLine(text, limit);
        assert.doesNotMatch(line.replace(JOINED, ''), HARMFUL);
        assert.doesNotMatch(line, /\n/);
        assert.ok(line.length <= limit);
      }),
      { numRuns: 2000 },
    );
  });

  test('keeps lines, tabs as spaces, and letters of all languages', () => {
    assert.equal(cleanText('a\r\nb\rc\u2028d\te', 100), 'a\nb\nc\nd    e');
    assert.equal(cleanText('漢字 é e\u0301 ж 😀 שלום', 100), '漢字 é e\u0301 ж 😀 שלום');
    assert.equal(cleanText('\u001B[31mred\u001B[0m \u001B]0;title\u0007x', 100), 'red x');
    assert.equal(cleanText('👨‍👩‍👧‍👦 👍🏽 🇩🇪 a\u200Db ❤️', 100), '👨‍👩‍👧‍👦 👍🏽 🇩🇪 ab ❤');
    assert.equal(cleanLine('  a \n\n b\t c ', 100), 'a b c');
  });

  test('is cut at whole characters, with a mark', () => {
    assert.equal(cleanText('😀😀😀', 4), '😀…');
    assert.equal(cleanText('👩‍👧 x', 4), '👩…');
    assert.equal(cleanText('abc', 3), 'abc');
    assert.equal(cleanText('a\uD83D', 3), 'a');
  });

  test('is a bounded amount of work for a very long text', () => {
    for (const piece of ['a', '\u001B[', '\u001B]', '\r', '\u202E', '\uD83D']) {
      const text = piece.repeat(5_000_000 / piece.length);
      assert.ok(cleanText(text, 2_000).length <= 2_000);
      assert.ok(cleanLine(text, 2_000).length <= 2_000);
    }
  });
});
