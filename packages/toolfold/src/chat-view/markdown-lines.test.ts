import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Markdown, visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import {
  cuts,
  growing,
  longBlock,
  markdownText,
} from '../../test/chat-view/markdown.test-support.ts';
import { MarkdownLines } from './markdown-lines.ts';
import { themeWith } from './theme.ts';

const plain = themeWith(false);
const colour = themeWith(true);
const drawn = (text: string, width = 80, theme = plain) => [
  ...new MarkdownLines(theme).lines(text, width),
];
const numbers = (from: number, to: number, before = '') =>
  Array.from({ length: to - from + 1 }, (_, at) => `${before}${from + at}`);

const MIXED = [
  '# Heading with 漢字',
  'A paragraph with **bold**, `code`, a [link](file:///a) and a word ofmanyletterswithoutaspace.',
  '| name | 値 | long |\n|---|:-:|--:|\n| a | 日本語のテキスト | words and words |\n| 👩‍👧 | é | 1 |',
  '- item\n  - nested\n    - deeper 😀\n1. one\n2. two',
  '> quote\n> > quote in it\n> - item',
  '```js\nconst a = "日本語のテキスト and a long line of code that wraps";\n```',
  '---\n\n<b>html</b> $x^2$ ~~gone~~',
].join('\n\n');

describe('the lines of a Markdown text', () => {
  test('are the same however the text grew', () => {
    fc.assert(
      fc.property(fc.oneof(markdownText, longBlock), cuts, (text, at) => {
        const lines = new MarkdownLines(plain);
        for (const beginning of growing(text, at)) lines.lines(beginning, 40);
        assert.deepEqual(lines.lines(text, 40), drawn(text, 40));
      }),
      { numRuns: 40 },
    );
  });

  test('are right after the text or the width has changed', () => {
    const lines = new MarkdownLines(plain);
    for (const [text, width] of [
      ['One.\n\nTwo.', 20],
      ['One.\n\nTw', 20],
      ['Other.', 20],
    ] as const)
      assert.deepEqual(lines.lines(text, width), drawn(text, width));
    for (const width of [10, 3, 60])
      assert.deepEqual(lines.lines(MIXED, width), drawn(MIXED, width));
    assert.deepEqual(lines.lines('', 60), []);
  });

  test('fit into every width', () => {
    for (let width = 1; width <= 200; width += 1) {
      for (const theme of width % 10 === 0 ? [plain, colour] : [plain])
        for (const line of drawn(MIXED, width, theme))
          assert.ok(visibleWidth(line) <= width, `${width}: ${JSON.stringify(line)}`);
    }
    fc.assert(
      fc.property(
        fc.oneof(markdownText, longBlock),
        fc.integer({ min: 1, max: 30 }),
        (text, width) => {
          for (const line of drawn(text, width)) assert.ok(visibleWidth(line) <= width);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of a short text are those of the library', () => {
    // The library draws all columns of tables to the left.
    const text = MIXED.replaceAll('\n\n---', '').replace('|---|:-:|--:|', '|---|---|---|');
    const library = new Markdown(text, 0, 0, plain.markdown, undefined, {
      preserveOrderedListMarkers: true,
      renderLatex: false,
    });
    const lines = drawn(text);
    const words = (all: readonly string[]) => all.map((line) => line.trim()).filter(Boolean);
    assert.deepEqual(words(lines), words(library.render(80)));
  });
});

describe('a long block', () => {
  test('of code has borders at its ends only, and no line is lost', () => {
    const code = numbers(1, 350).flatMap((line) => (line.endsWith('0') ? [line, '', ''] : [line]));
    for (const width of [80, 8, 2]) {
      const text = ['Before.', '', '```js', ...code, '```', '', 'After.'].join('\n');
      const lines = drawn(text, width);
      if (width === 80)
        assert.deepEqual(lines, [
          ...['Before.', '', '```js'],
          ...code.map((line) => (line === '' ? '' : `  ${line}`)),
          ...['```', '', 'After.'],
        ]);
      else assert.equal(lines.join('').replace(/[^`]/g, '').length, 6);
    }
  });

  test('of code that is still open goes on without a border', () => {
    const text = ['```', ...numbers(1, 250)].join('\n');
    assert.deepEqual(drawn(text), ['```', ...numbers(1, 250, '  ')]);
    assert.deepEqual(drawn(`${text}\n\`\`\``).at(-1), '```');
  });

  test('of code that has ended does not take the border of the code behind it', () => {
    const text = ['```', ...numbers(1, 250), '```', 'Words.', '```', 'x'].join('\n');
    assert.deepEqual(drawn(text).slice(-6), ['', 'Words.', '', '```', '  x', '```']);
  });

  test('of items keeps its numbers and has no gap', () => {
    const items = numbers(1, 350).map((number) => `${number}. item`);
    assert.deepEqual(drawn(items.join('\n')), items);
  });

  test('of rows stays a table', () => {
    const rows = numbers(1, 350).map((number) => `| ${number} | 漢字 |`);
    const lines = drawn(['| n | word |', '|---|---|', ...rows].join('\n'));
    for (const number of [1, 100, 101, 350])
      assert.match(lines.join('\n'), new RegExp(`│ ${number} +│ 漢字 │`));
  });

  test('of text has all its lines', () => {
    const lines = numbers(1, 350, 'Line ');
    assert.deepEqual(drawn(lines.join('\n')), lines);
  });
});

test('a text that grows by lines is rendered about once', (context) => {
  const render = context.mock.method(Markdown.prototype, 'render');
  const lines = new MarkdownLines(plain);
  let text = '';
  for (let at = 0; at < 3_000; at += 1) {
    text += at % 7 === 6 ? '\n' : `x${at}\n`;
    lines.lines(text, 80);
  }
  const { calls } = render.mock;
  // One for each line that came, and one for each part that was done.
  assert.ok(calls.length <= 3_600, String(calls.length));
  const sizes = calls.map(({ result }) => result?.length ?? 0);
  assert.ok(Math.max(...sizes) <= 101);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 30_000);
});
