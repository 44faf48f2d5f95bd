import type { Tokens } from '@earendil-works/pi-tui';
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
  if (lines.filter((line) => TOP.test(line)).length !== wanted.length) return lines;
  let columns: readonly Alignment[] | undefined;
  return lines.map((line) => {
    if (TOP.test(line)) columns = wanted.shift();
    else if (line.trimStart().startsWith('└')) columns = undefined;
    return columns ? rowOf(line, columns) : line;
  });
}

const SHARES = { left: 0, center: 0.5, right: 1 };

/** A line of a table. One whose cells hold the sign between columns stays as it is. */
function rowOf(line: string, columns: readonly Alignment[]): string {
  const [before, ...cells] = line.split('│');
  if (cells.length !== columns.length + 1) return line;
  const aligned = columns.map((alignment, at) => {
    const [, text = '', padding = '', codes = ''] =
      PADDING.exec(cells[at]?.slice(1, -1) ?? '') ?? [];
    const count = Math.floor(padding.length * SHARES[alignment ?? 'left']);
    return ` ${padding.slice(0, count)}${text}${padding.slice(count)}${codes} `;
  });
  return [before, ...aligned, ''].join('│');
}
