import fc from 'fast-check';

/** Lines of Markdown that mean something to each other. */
const LINES = [
  ...['Some words of a paragraph.', 'More words', '', '', '# A heading', 'A line under it', '---'],
  ...[
    '- an item',
    '  of two lines',
    '  - nested',
    '1. first',
    '12. twelfth',
    '> a quote',
    '> - in it',
  ],
  ...[
    '```',
    '```js',
    '````',
    '~~~',
    '  ```',
    '    ```',
    '``` not a fence ```',
    'const a = 1;',
    '`',
  ],
  ...['| a | b |', '|---|:-:|', '| 1 | 漢字 |', '| `x|y` | **bold** |', 'a | b', '***', '[a]: b'],
  ...[
    '日本語のテキスト',
    '👩 😀 emoji é',
    '<div>',
    '</div>',
    '$x^2$',
    '\\* no item',
    '    code',
    ' ',
  ],
  ...['[link](file:///etc/passwd)', '![image](a.png)', '**bold *both* `code`**', 'x'.repeat(90)],
];

/** A text of lines that mean something to each other, and of anything. */
export const markdownText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...LINES) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    ),
    { maxLength: 40 },
  )
  .map((lines) => lines.join('\n'));

/** A block that goes on for many lines, so that it becomes several parts. */
export const longBlock: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ...['line', '- item', '1. item', '> quote', '| a | b |', '    code', '', '  - nested'],
      ...['\t', '````', '```', '漢'.repeat(30)],
    ),
    fc.constantFrom(
      '',
      'Words.\n\n',
      '```ts\n',
      '| a | b |\n|---|---|\n',
      '~~~~\n',
      '- a\n\n  ```\n',
    ),
    fc.integer({ min: 90, max: 450 }),
    markdownText,
  )
  .map(([line, before, count, after]) => `${before}${`${line}\n`.repeat(count)}${after}`);

/** The places where a text is cut into chunks. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(
  fc.double({ min: 0, max: 1, noNaN: true }),
  {
    maxLength: 12,
  },
);

/** The beginnings of a text that these cuts make, the whole at last. */
export function growing(text: string, at: readonly number[]): string[] {
  const ends = at.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b);
  return [...ends, text.length].map((end) => text.slice(0, end));
}
