import { formatNumber, unitEscapes } from '../terminal/index.ts';

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

/** The arguments of a call as one line in which nothing is invisible. */
export interface VisibleArguments {
  /** All arguments. */
  readonly full: string;
  /** The beginning and the end, within the limit. */
  readonly short: string;
  /** Number of characters of the arguments as they are sent. */
  readonly length: number;
  /** Whether `short` leaves anything out, or padding is replaced by its length. */
  readonly isShortened: boolean;
}

/**
 * JSON with every invisible, control and bidirectional character escaped, and padding replaced by
 * its length. `undefined` if the arguments are nested too deeply for JSON.
 */
export function visibleArguments(
  callArguments: unknown,
  limit: number,
): VisibleArguments | undefined {
  let json: string;
  try {
    json = JSON.stringify(callArguments) ?? '';
  } catch {
    return;
  }
  const escaped = json.replace(INVISIBLE, unitEscapes);
  const full = escaped.replace(PADDING, (whole, run: string | undefined) => {
    if (run === undefined) return whole;
    return `‹${formatNumber(run.replace(/\\u....|\\./g, ' ').length)} blank characters›`;
  });
  const short = ends(full, limit);
  return { full, short, length: json.length, isShortened: short !== escaped };
}

/** The beginning and the end of a text, and how many characters are left out between them. */
function ends(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const head = limit - tail;
  const begin = text.slice(0, head).toWellFormed();
  const end = text.slice(text.length - tail).toWellFormed();
  return `${begin}… (+${formatNumber(text.length - limit)} characters) …${end}`;
}
