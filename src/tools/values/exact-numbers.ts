/** A string, which is skipped, or a number in a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
/** Whether a text may have a number that is not exact. Most texts have none. */
const SUSPECT = /\d{16}|\d[eE][+-]?\d/;
/** Significant digits that a double keeps. */
const DIGITS = 17;

/**
 * The first number in a JSON text that a double cannot hold: an integer that would become another one, or a number that
 * would become infinite or 0. Undefined if there is none. Fractions are rounded, as every reader of JSON does it.
 */
export function inexactNumber(text: string): string | undefined {
  if (!SUSPECT.test(text)) return;
  for (const [token] of text.matchAll(TOKENS))
    if (!token.startsWith('"') && !isHeld(token)) return token;
  return;
}

function isHeld(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(token)) return String(value) === token || BigInt(token) === BigInt(value);
  const [mantissa = ''] = token.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  if (value === 0) return digits === '';
  return Number.isSafeInteger(Math.trunc(value)) || digits.length <= DIGITS;
}
