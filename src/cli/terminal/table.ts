/** A column of a table: its heading, and whether its cells are numbers. */
export interface Column {
  readonly heading: string;
  readonly align?: 'right';
}

/** The headings and the rows as lines of aligned columns. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  styleHeading: (text: string) => string,
): string {
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? '';
        const width = widths[index] ?? 0;
        return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const headings = styleHeading(line(columns.map(({ heading }) => heading)));
  return `${[headings, ...rows.map(line)].join('\n')}\n`;
}
