import { backticks } from '../../app/shown/index.ts';

/** One line as code in Markdown: nothing in it is hidden, and unlike a block of code it wraps. */
export function inlineCode(line: string): string {
  const marks = backticks(line, 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${gap}${line}${gap}${marks}`;
}
