import { formatNumber, truncate } from '@toolfold/core/internal/tools/values';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';

export { formatCount, formatNumber } from '@toolfold/core/internal/tools/values';

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

/** JSON itself leaves control characters beyond ASCII as they are, and a terminal would obey them. */
export function escapedControls(text: string): string {
  return text.replace(/[\u007F-\u009F]/g, unitEscapes);
}

/** Escapes each UTF-16 unit as JSON does, such as `\u200b`. */
export function unitEscapes(text: string): string {
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
