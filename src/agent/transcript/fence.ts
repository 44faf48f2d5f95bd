import { formatNumber, visibleText } from '../../tools/values/index.ts';

/** What Markdown reads within a line, links without brackets included. */
const MARKUP = /[\\`*_#[\]<>!|~&$:@]|(?<=www)\./gi;

/** A text of others as one line of Markdown that is read as plain text. */
export function plainMarkdown(text: string): string {
  const line = visibleText(text, Number.POSITIVE_INFINITY).replace(/\s+/g, ' ').trim();
  return line.replace(MARKUP, '\\$&');
}

/** A text of others as a block of code. The fence is longer than any in the text. */
export function fenced(text: string, language: string): string {
  const visible = visibleText(text, Number.POSITIVE_INFINITY);
  const runs = visible.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}${language}\n${visible}${visible.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** The beginning of a text. The number of missing characters is shown. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const begin = text
    .slice(0, limit)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${begin}\n… (+${formatNumber(text.length - begin.length)} characters)`;
}
