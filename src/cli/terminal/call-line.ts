import { stripControls } from '../../mcp/controls/index.ts';
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
  const line = stripControls(text).replace(/\s+/g, ' ');
  if (line.length <= limit) return line;
  return `${line.slice(0, limit)}… (+${formatNumber(line.length - limit)} characters)`;
}
