import { stripControls } from '../../mcp/controls/index.ts';
import { truncate } from '../../tools/values/index.ts';
import { formatNumber } from './figures.ts';

/**
 * A call as one line. Arguments beyond `limit` characters are cut, and the number of missing
 * characters is shown.
 */
export function callLine(name: string, callArguments: unknown, limit: number): string {
  return `${name} ${oneLine(JSON.stringify(callArguments) ?? '', limit)}`.trimEnd();
}

/**
 * The text as one line without terminal escapes. Beyond `limit` characters it is cut, and the
 * number of missing characters is shown.
 */
export function oneLine(text: string, limit: number): string {
  const line = plainText(text);
  if (line.length <= limit) return line;
  return `${line.slice(0, limit)}… (+${formatNumber(line.length - limit)} characters)`;
}

/** The text as one line without terminal escapes, with a mark where it is cut. */
export function shortLine(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  return truncate(plainText(text), limit);
}

function plainText(text: string): string {
  return stripControls(text).replace(/\s+/g, ' ');
}
