import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripTerminalSequences } from '@earendil-works/pi-tui';
import { themeWith } from '../index.ts';
import { Highlighter } from './highlight.ts';

const theme = themeWith(true);

/** A highlighter whose library is there. */
async function loaded(): Promise<Highlighter> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const highlighter = new Highlighter(theme, resolve);
  assert.deepEqual(highlighter.lines('const a = 1;', 'ts'), ['const a = 1;']);
  await promise;
  return highlighter;
}

describe('code', () => {
  test('is coloured by its language, as soon as the library is there', async () => {
    const highlighter = await loaded();
    for (const name of ['ts', 'TypeScript', 'ts title="a.ts"', 'tsx'])
      assert.ok(highlighter.lines('const a = "b";', name)[0]?.startsWith(theme.accent('const')));
    assert.deepEqual(highlighter.lines('const a', 'cobol'), ['const a']);
    assert.deepEqual(highlighter.lines('const a'), ['const a']);
    assert.deepEqual(highlighter.lines('', 'ts'), ['']);
  });

  test('stays the same text, line by line', async () => {
    const highlighter = await loaded();
    const code = '/* one\n two */\n\nconst a = `x\n$b`; // <b>\n\tif (a) {\n"open\n漢字 👩‍👧 é';
    for (const name of ['js', 'ts', 'py', 'bash', 'json', 'html', 'css', 'md', 'yaml', 'diff', 'c'])
      assert.equal(
        highlighter.lines(code, name).map(stripTerminalSequences).join('\n'),
        code,
        name,
      );
  });
});
