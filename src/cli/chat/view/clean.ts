import { stripControls } from '../../../mcp/secrets/index.ts';
import { cut } from '../../../tools/values/index.ts';

/** Selectors and combining keycaps: terminals do not agree on the width of what they make. */
const SELECTORS = /[\uFE0E\uFE0F\u20E3]/g;

/**
 * A text of a model, a tool or a server as the terminal may see it: without escape sequences, control
 * and direction characters, and cut to `limit` characters. Tabs become spaces.
 */
export function cleanText(text: string, limit: number): string {
  const clean = stripControls(text.slice(0, limit * 2).replace(/\r\n?/g, '\n'));
  return cut(clean.replace(SELECTORS, '').replaceAll('\t', '    '), limit);
}

/** As `cleanText`, in one line. */
export function cleanLine(text: string, limit: number): string {
  return cleanText(text.slice(0, limit * 2), limit)
    .replace(/\s+/g, ' ')
    .trim();
}
