import { formatNumber, paddingAsLength, visible } from '../terminal/index.ts';

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
  const escaped = visible(json);
  const full = paddingAsLength(escaped);
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
