import { formatNumber, unitEscapes } from './text.ts';

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
