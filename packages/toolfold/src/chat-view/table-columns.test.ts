import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripTerminalSequences } from '@earendil-works/pi-tui';
import { MarkdownLines } from './markdown-lines.ts';
import { themeWith } from './theme.ts';

const drawn = (markdown: string, hasColour = false): string[] => [
  ...new MarkdownLines(themeWith(hasColour)).lines(markdown, 60),
];
const ROWS = [
  '| left | right | 中 |',
  '|:--|--:|:-:|',
  '| a | **1** | 完了です |',
  '| bcdefg | `20` | x |',
];
const TABLE = [
  '┌────────┬───────┬──────────┐',
  '│ left   │ right │    中    │',
  '├────────┼───────┼──────────┤',
  '│ a      │     1 │ 完了です │',
  '├────────┼───────┼──────────┤',
  '│ bcdefg │    20 │    x     │',
  '└────────┴───────┴──────────┘',
];

suite('columns of tables', () => {
  test('are aligned as the delimiter row says', () => {
    assert.deepEqual(drawn(ROWS.join('\n')), TABLE);
  });

  test('keep their styles', () => {
    const lines = drawn(ROWS.join('\n'), true);
    assert.deepEqual(lines.map(stripTerminalSequences), TABLE);
    for (const title of ['left', 'right', '中'])
      assert.ok(lines[1]?.includes(`\u001B[1m${title}`), lines[1]);
    assert.ok(lines[3]?.includes('\u001B[1m1\u001B[22m'), lines[3]);
    assert.ok(lines[5]?.includes('\u001B[36m20\u001B[39m'), lines[5]);
  });

  test('are aligned in each line of a row that is wrapped, and in a list', () => {
    const words = Array.from({ length: 12 }, (_, at) => `word${at}`).join(' ');
    const lines = drawn(`- item\n\n  | a | b |\n  |--:|--:|\n  | ${words} | 1 |`);
    const rows = lines.map(stripTerminalSequences).filter((line) => line.includes('word'));
    assert.ok(rows.length > 1);
    for (const row of rows) assert.match(row, /word\d+ │/);
  });

  test('are aligned beside a block of code that looks like a table', () => {
    const code = ['```', '| a |', '|--:|', '```'].join('\n');
    const lines = drawn(`${ROWS.join('\n')}\n\n${code}`);
    assert.deepEqual(lines.slice(0, TABLE.length), TABLE);
    assert.ok(lines.includes('  |--:|'));
  });

  test('stay as they are in a quote', () => {
    assert.ok(drawn('> | long | b |\n> |--:|--:|\n> | 1 | 2 |').includes('│ │ 1    │ 2 │'));
  });

  test('of an answer that grows are as those of the whole answer', () => {
    const whole = `Text\n\n${ROWS.join('\n')}\n\nMore`;
    const growing = new MarkdownLines(themeWith(false));
    for (let end = 1; end <= whole.length; end += 1) growing.lines(whole.slice(0, end), 60);
    assert.deepEqual([...growing.lines(whole, 60)], drawn(whole));
  });
});
