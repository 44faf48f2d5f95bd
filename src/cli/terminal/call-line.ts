import { stripControls } from '../../mcp/secrets/index.ts';
import { figure } from './figures.ts';

/** A call as one line for people; of its arguments at most `limit` characters, with how many more. */
export function callLine(name: string, given: unknown, limit: number): string {
  return `${name} ${oneLine(JSON.stringify(given) ?? '', limit)}`.trimEnd();
}

/** The text as one line without terminal escapes, at most `limit` characters and how many more. */
export function oneLine(text: string, limit: number): string {
  const line = stripControls(text).replace(/\s+/g, ' ');
  if (line.length <= limit) return line;
  return `${line.slice(0, limit)}… (+${figure(line.length - limit)} characters)`;
}
