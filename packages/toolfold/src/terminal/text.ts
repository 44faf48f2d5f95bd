import { formatNumber, truncate } from '@toolfold/core/internal/values';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import type { Terminal } from './terminal.ts';

/** A share in percent. Below 10 % it has one decimal. */
export function share(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}

/** An amount, with its currency if that is known. Small amounts keep three significant digits. */
export function money(amount: number, currency?: string): string {
  if (currency !== undefined) {
    const digits =
      amount === 0 || amount >= 1
        ? {}
        : { minimumSignificantDigits: 2, maximumSignificantDigits: 3 };
    return amount.toLocaleString('en-US', { style: 'currency', currency, ...digits });
  }
  return amount.toLocaleString('en-US', {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3,
    roundingPriority: 'morePrecision',
  });
}

/**
 * A call as one line. Arguments beyond `limit` characters are cut, and the number of missing
 * characters is shown.
 */
export function callLine(name: string, callArguments: unknown, limit = 300): string {
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

/** Characters that change the order in which a terminal draws others, or that it takes for an end of line. */
const ORDER = '\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\u007F-\\u009F${ORDER}]`, 'g');
const OBEYED = new RegExp(`[${ORDER}]|[^\\P{Cc}\\n\\t]`, 'gu');

/** JSON itself leaves control characters beyond ASCII as they are, and a terminal would obey them. */
export function escapedControls(text: string): string {
  return text.replace(CONTROLS, unitEscapes);
}

/**
 * A piece of a running text without what a terminal obeys. What joins emoji stays, because the next piece may belong
 * to it.
 */
export function harmlessPiece(text: string): string {
  return text.replace(OBEYED, '');
}

/** Escapes each UTF-16 unit as JSON does, such as `\u200b`. */
function unitEscapes(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** The value as JSON without control characters. */
export function json(value: unknown, indent?: number): string {
  return `${escapedControls(JSON.stringify(value, null, indent))}\n`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** How long ago something was, in its largest unit: `3 h ago`. Below a minute: `now`. */
export function age(milliseconds: number): string {
  for (const [length, unit] of UNITS) {
    if (milliseconds >= length) return `${Math.floor(milliseconds / length)} ${unit} ago`;
  }
  return 'now';
}

/**
 * Characters that are drawn as nothing, as a space or over their neighbours, or that change their
 * order.
 */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}|\p{M}{4,}/gu;

/**
 * Nine or more blank characters in a row, as spaces or escapes. Such padding pushes the text behind
 * it out of sight. Escaped backslashes match too, so that none is read as the start of an escape.
 */
const PADDING = /\\\\|((?: |\\[bfnrt]|\\u[\da-f]{4}){9,})/g;

/** The text with every invisible, control and bidirectional character escaped. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, unitEscapes);
}

/** An escaped text with padding replaced by its length. */
export function paddingAsLength(escaped: string): string {
  return escaped.replace(PADDING, (whole, run: string | undefined) => {
    if (run === undefined) return whole;
    return `‹${formatNumber(run.replace(/\\u....|\\./g, ' ').length)} blank characters›`;
  });
}

/** Backticks around a text in Markdown: at least so many, and more than stand side by side in it. */
export function backticks(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

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
