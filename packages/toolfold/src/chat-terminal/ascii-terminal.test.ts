import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { cleanText } from '../chat-view/drawing.ts';
import { themeWith } from '../chat-view/theme.ts';
import { asciiText, hasUtf8 } from './inline-screen.ts';

describe('a terminal without UTF-8', () => {
  test('gets ASCII of the same width', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((one) => cleanText(one, 200));
    const mixed = fc.array(
      fc.oneof(text, fc.constantFrom('─│●○◐✗❯▸▾…·→', '漢字', '\u001B[31m', '\n')),
    );
    fc.assert(
      fc.property(mixed, (parts) => {
        for (const line of parts.join('').split('\n')) {
          const ascii = asciiText(line);
          assert.doesNotMatch(ascii, /[^\p{ASCII}]/u);
          assert.equal(visibleWidth(ascii), visibleWidth(line), JSON.stringify(line));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('gets signs that are similar, and escape sequences as they are', () => {
    assert.equal(asciiText('● done │ ❯ x… é e\u0301 漢 π'), '* done | > x~ e e ?? ?');
    assert.equal(asciiText('┌─┐└┘▸▾'), '+-+`+>v');
    const coloured = themeWith(true).good('ok ✗');
    assert.equal(asciiText(coloured), coloured.replace('✗', 'x'));
    assert.equal(asciiText(''), '');
  });
});

test('the locale says whether a terminal has UTF-8', () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, boolean])[] = [
    [{}, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'de_DE.utf8', LC_CTYPE: '' }, true],
    [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'POSIX' }, false],
    [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, true],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8', LC_CTYPE: 'en_US.UTF-8' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
  ];
  for (const [env, is] of cases) assert.equal(hasUtf8(env), is, JSON.stringify(env));
});
