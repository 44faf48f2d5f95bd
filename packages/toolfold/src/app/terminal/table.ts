import { truncate } from '@toolfold/core/internal/tools/values';
import type { Terminal } from './terminal.ts';

/** A column of a table by its heading. `right`: its cells are numbers. */
type Column = string | { readonly right: string };

/** The headings, in bold, and the rows as lines of aligned columns, cut to `width` characters. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Terminal['style'],
  width: number = Number.POSITIVE_INFINITY,
): string {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column.right));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = columns.map((column, index) => {
      const cell = cells[index] ?? '';
      const length = widths[index] ?? 0;
      return typeof column === 'string' ? cell.padEnd(length) : cell.padStart(length);
    });
    return truncate(padded.join('  ').trimEnd(), width);
  };
  return `${[style('bold', line(headings)), ...rows.map(line)].join('\n')}\n`;
}

/** Characters of a description where stdout is no terminal, and the fewest on a narrow one. */
const USUAL_DESCRIPTION = 120;
const SHORTEST_DESCRIPTION = 20;

/** The characters for a description in a line with `left` others. */
export function descriptionRoom(columns: number | undefined, left: number): number {
  return columns === undefined ? USUAL_DESCRIPTION : Math.max(SHORTEST_DESCRIPTION, columns - left);
}
