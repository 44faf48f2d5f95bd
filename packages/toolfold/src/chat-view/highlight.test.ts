import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripTerminalSequences } from '@earendil-works/pi-tui';
import { highlighted, themeWith } from './theme.ts';

const theme = themeWith(true);

const lines = (code: string, language?: string) => highlighted(code, language, theme);

describe('code', () => {
  test('is coloured by its language', () => {
    for (const name of ['ts', 'TypeScript', 'ts title="a.ts"', 'tsx'])
      assert.ok(lines('const a = "b";', name)[0]?.startsWith(theme.accent('const')));
    assert.deepEqual(lines('const a', 'cobol'), ['const a']);
    assert.deepEqual(lines('const a'), ['const a']);
    assert.deepEqual(lines('', 'ts'), ['']);
  });

  test('stays the same text, line by line', () => {
    const code = '/* one\n two */\n\nconst a = `x\n$b`; // <b>\n\tif (a) {\n"open\n漢字 👩‍👧 é';
    for (const name of ['js', 'ts', 'py', 'bash', 'json', 'html', 'css', 'md', 'yaml', 'diff', 'c'])
      assert.equal(lines(code, name).map(stripTerminalSequences).join('\n'), code, name);
  });
});
