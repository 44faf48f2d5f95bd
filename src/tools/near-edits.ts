const NOT_NEAR = Number.POSITIVE_INFINITY;

/** Room for texts of up to 200 characters, made once: thousands of names are compared in a row. */
const ROWS = [new Uint8Array(201), new Uint8Array(201), new Uint8Array(201)] as const;

/**
 * Edits from one to the other, two swapped neighbours being one; more than `allowed` is infinite.
 * Neither text may be longer than 200 characters.
 */
export function editsBetween(a: string, b: string, allowed: number): number {
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return NOT_NEAR;
  const far = allowed + 1;
  let [beforeLast, last, row] = ROWS;
  beforeLast.fill(far, 0, b.length + 1);
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, far);
  for (let i = 1; i <= a.length; i++) {
    // Only cells this near to the diagonal can hold few enough edits.
    const from = Math.max(1, i - allowed);
    const to = Math.min(b.length, i + allowed);
    row.fill(far, 0, b.length + 1);
    row[0] = Math.min(i, far);
    let least = row[0];
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

/** How many characters, modulo 32, only one of two texts has: each edit changes at most two of them. */
export function unsharedLetters(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}
