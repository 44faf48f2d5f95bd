/** One line as code in Markdown: nothing in it is hidden, and unlike a block of code it wraps. */
export function inlineCode(line: string): string {
  const runs = (line.match(/`+/g) ?? []).map(({ length }) => length);
  const marks = '`'.repeat(runs.reduce((most, length) => Math.max(most, length), 0) + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${gap}${line}${gap}${marks}`;
}
