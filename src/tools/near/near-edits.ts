const NOT_NEAR = Number.POSITIVE_INFINITY;

/**
 * Memory for texts of up to 200 characters, allocated once: thousands of names are compared in a
 * row.
 */
const ROWS = [new Uint8Array(203), new Uint8Array(203), new Uint8Array(203)] as const;

/**
 * The number of edits between two texts; a swap of neighbours is one edit. More than `allowed`
 * is infinite. Neither text may exceed 200 characters.
 */
export function editsBetween(a: string, b: string, allowed: number): number {
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return NOT_NEAR;
  const start = commonStart(a, b);
  const end = commonEnd(a, b, start);
  return editsWithin(a.slice(start, a.length - end), b.slice(start, b.length - end), allowed);
}

/** The number of common characters at both ends of a text and of another text from a position on. */
export function sharedEnds(a: string, b: string, from: number): number {
  const most = Math.min(a.length, b.length - from);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(from + start)) start++;
  let end = 0;
  while (
    end < most - start &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  )
    end++;
  return start + end;
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a.charCodeAt(count) === b.charCodeAt(count)) count++;
  return count;
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count))
    count++;
  return count;
}

function editsWithin(a: string, b: string, allowed: number): number {
  const far = allowed + 1;
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= Math.min(b.length, far); j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    // Only cells near the diagonal can hold few enough edits.
    const from = Math.max(1, i - allowed);
    const to = Math.min(b.length, i + allowed);
    row[from - 1] = from === 1 ? Math.min(i, far) : far;
    if (to > i - 1 + allowed) last[to] = far;
    let least = row[from - 1] ?? far;
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = (last[j - 1] ?? far) + (isSame ? 0 : 1);
      cost = Math.min(cost, (last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, far);
      const isSwapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) cost = Math.min(cost, (beforeLast[j - 2] ?? far) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > allowed) return NOT_NEAR;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  const edits = last[b.length] ?? far;
  return edits > allowed ? NOT_NEAR : edits;
}

/** The set of characters of a text, by their numbers modulo 32: one bit each. */
export function lettersIn(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

/** The number of characters (modulo 32) that only one of two texts has. Each edit changes at most two. */
export function unsharedLetters(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}
