import { sliceByColumn, type Tokens } from '@earendil-works/pi-tui';
import { eachBlock } from './markdown-parts.ts';

type Alignment = 'left' | 'center' | 'right' | null;

/** The upper border of a table as the library draws it. */
const TOP = /^ *┌─+(?:┬─+)*┐$/;
/** The spaces at the end of a cell, before the codes that end its style. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences
const PADDING = /^(.*?)( *)((?:\u001B\[[\d;]*m)*)$/;

/**
 * The lines of a Markdown text, with the columns of its tables aligned as their delimiter rows say: the library draws
 * all of them to the left. Where the tables of the text and of the lines do not correspond, the lines stay as they are.
 */
export function withAlignedColumns(lines: readonly string[], markdown: string): readonly string[] {
  if (!/-:/.test(markdown)) return lines;
  const wanted: (readonly Alignment[])[] = [];
  eachBlock(markdown, (block) => {
    if (block.type === 'table') wanted.push((block as Tokens.Table).align);
  });
  const tops = lines.flatMap((line, at) => (TOP.test(line) ? [at] : []));
  if (tops.length !== wanted.length) return lines;
  const aligned = [...lines];
  tops.forEach((top, number) => {
    const border = lines[top] ?? '';
    const ends = [...border.matchAll(/[┬┐]/g)].map(({ index }) => index);
    const columns = wanted[number] ?? [];
    if (ends.length !== columns.length) return;
    for (let at = top + 1; lines[at]?.trimStart().startsWith('└') === false; at += 1)
      if (lines[at]?.trimStart().startsWith('│'))
        aligned[at] = rowOf(lines[at] ?? '', border.indexOf('┌'), ends, columns);
  });
  return aligned;
}

function rowOf(
  line: string,
  start: number,
  ends: readonly number[],
  columns: readonly Alignment[],
) {
  const cells = columns.map((alignment, at) => {
    const first = (ends[at - 1] ?? start) + 2;
    // From the space before it: a style that begins with the first column of a slice comes out too early.
    const sliced = sliceByColumn(line, first - 1, (ends[at] ?? first) - first);
    const cell = sliced.replace(' ', '');
    const [, text = '', padding = '', codes = ''] = PADDING.exec(cell) ?? [];
    const shares = { left: 0, center: 0.5, right: 1 };
    const count = Math.floor(padding.length * shares[alignment ?? 'left']);
    return `${padding.slice(0, count)}${text}${padding.slice(count)}${codes}`;
  });
  return `${' '.repeat(start)}│ ${cells.join(' │ ')} │`;
}
