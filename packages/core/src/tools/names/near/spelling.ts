const NOT_NEAR = Number.POSITIVE_INFINITY;

/** A text to compare with others, letter by letter. */
export class Spelling {
  readonly text: string;
  /** The set of its characters, by their numbers modulo 32: one bit each. */
  readonly #set: number;

  constructor(text: string) {
    this.text = text;
    let set = 0;
    for (let i = 0; i < text.length; i++) set |= 1 << (text.charCodeAt(i) & 31);
    this.#set = set;
  }

  get length(): number {
    return this.text.length;
  }

  /** Whether the text contains another one. */
  includes(other: Spelling): boolean {
    return (other.#set & ~this.#set) === 0 && this.text.includes(other.text);
  }

  /**
   * Whether the number of edits to another text can be at most `allowed`. It compares lengths and sets of
   * characters only, which excludes most texts. An edit changes the length by one and the set by two.
   */
  mayBeNear(other: Spelling, allowed: number): boolean {
    if (Math.abs(this.length - other.length) > allowed) return false;
    return onesIn(this.#set ^ other.#set) <= 2 * allowed;
  }

  /** The number of edits to another text; infinite for more than `allowed`. */
  editsTo(other: Spelling, allowed: number): number {
    if (!this.mayBeNear(other, allowed)) return NOT_NEAR;
    return editsBetween(this.text, other.text, allowed);
  }

  /** The number of characters in common at both ends. */
  sharedEnds(other: Spelling): number {
    const [a, b] = [this.text, other.text];
    const most = Math.min(a.length, b.length);
    let start = 0;
    while (start < most && a[start] === b[start]) start++;
    let end = 0;
    while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
    return start + end;
  }
}

/**
 * The number of edits between two texts: a character more, less or changed, or two neighbours swapped.
 * More than `allowed` is infinite.
 */
export function editsBetween(a: string, b: string, allowed: number): number {
  // Row `i` has the edits from the first `i` characters of `a` to the first `j` of `b`. Only those with `j`
  // near `i` can be few: place `p` of a row is that of `j = i + p - allowed`.
  const width = 2 * allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, p) => (p < allowed ? NOT_NEAR : p - allowed));
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    for (let p = 0; p < width; p++) {
      const j = i + p - allowed;
      const change = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      const isSwapped =
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      row[p] = Math.min(
        at(last, p) + change,
        at(last, p + 1) + 1,
        at(row, p - 1) + 1,
        isSwapped ? at(beforeLast, p) + 1 : NOT_NEAR,
      );
    }
    if (Math.min(...row) > allowed) return NOT_NEAR;
    [beforeLast, last] = [last, row];
  }
  const edits = at(last, b.length - a.length + allowed);
  return edits <= allowed ? edits : NOT_NEAR;
}

/** A place outside of a row is far from any other. */
function at(row: readonly number[], place: number): number {
  return row[place] ?? NOT_NEAR;
}

function onesIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
