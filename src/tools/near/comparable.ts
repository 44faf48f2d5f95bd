import { lettersIn, sharedEnds } from './near-edits.ts';

/** Characters of a query or name that are compared; the rest is cut off. */
export const MAX_CHARACTERS = 200;
/**
 * The separator of group and tool in a canonical name. A typing error in the tool is searched
 * without the group.
 */
const GROUP_SEPARATOR = '__';

/**
 * A name in the form in which names are compared: letters and digits in lower case. Their number
 * and their set are enough to exclude most names; the letters themselves are computed on demand.
 */
export class Comparable {
  readonly name: string;
  readonly length: number;
  /** The set of characters, by their numbers modulo 32: one bit each. */
  readonly set: number;
  /** The same for the part without the group. */
  readonly bareLength: number;
  readonly bareSet: number;
  /** The position in the name where the part without the group begins. */
  readonly #bareFrom: number;
  #letters: string | undefined;

  constructor(name: string) {
    this.name = name;
    const end = Math.min(name.length, MAX_CHARACTERS);
    const separator = name.indexOf(GROUP_SEPARATOR);
    const bareFrom = separator < 0 || separator >= end - 1 ? 0 : separator;
    this.#bareFrom = bareFrom;
    let [length, set, bareLength, bareSet] = [0, 0, 0, 0];
    for (let i = 0; i < end; i++) {
      const code = lowered(name.charCodeAt(i));
      if (code === OTHER) {
        this.#letters = lettersOf(this.text);
        const bare = lettersOf(this.text.slice(bareFrom));
        this.length = this.#letters.length;
        this.set = lettersIn(this.#letters);
        this.bareLength = bare.length;
        this.bareSet = lettersIn(bare);
        return;
      }
      if (code === NONE) continue;
      length++;
      set |= 1 << (code & 31);
      if (i < bareFrom) continue;
      bareLength++;
      bareSet |= 1 << (code & 31);
    }
    this.length = length;
    this.set = set;
    this.bareLength = bareLength;
    this.bareSet = bareSet;
  }

  /**
   * The number of letters in common at both ends, with or without the group: the larger one.
   * It reads the name as it is, because computing the letters of thousands of names takes
   * longer.
   */
  sharedEnds({ letters }: Comparable): number {
    if (this.#letters !== undefined) {
      const from = this.length - this.bareLength;
      const whole = sharedEnds(letters, this.#letters, 0);
      return from === 0 ? whole : Math.max(whole, sharedEnds(letters, this.#letters, from));
    }
    const whole = this.#shared(letters, 0, this.length);
    if (this.#bareFrom === 0) return whole;
    return Math.max(whole, this.#shared(letters, this.#bareFrom, this.bareLength));
  }

  /** Whether the letters of one contain the letters of the other. */
  isIn({ letters }: Comparable): boolean {
    if (this.#letters !== undefined) return letters.includes(this.#letters);
    for (let at = 0; at <= letters.length - this.length; at++)
      if (this.#runsAlong(letters, at, 0, this.length)) return true;
    return false;
  }

  holds({ letters }: Comparable): boolean {
    if (this.#letters !== undefined) return this.#letters.includes(letters);
    const first = letters.charCodeAt(0);
    const end = Math.min(this.name.length, MAX_CHARACTERS);
    for (let from = 0; from < end; from++) {
      if (lowered(this.name.charCodeAt(from)) !== first) continue;
      if (this.#runsAlong(letters, 0, from, letters.length)) return true;
    }
    return false;
  }

  /** Whether the given number of letters from `at` on equal those of the name from `from` on. */
  #runsAlong(letters: string, at: number, from: number, count: number): boolean {
    const { name } = this;
    const end = Math.min(name.length, MAX_CHARACTERS);
    let found = 0;
    for (let i = from; found < count && i < end; i++) {
      const code = lowered(name.charCodeAt(i));
      if (code === NONE) continue;
      if (code !== letters.charCodeAt(at + found)) return false;
      found++;
    }
    return found === count;
  }

  #shared(letters: string, from: number, length: number): number {
    const { name } = this;
    const end = Math.min(name.length, MAX_CHARACTERS);
    const most = Math.min(letters.length, length);
    let start = 0;
    for (let i = from; start < most && i < end; i++) {
      const code = lowered(name.charCodeAt(i));
      if (code === NONE) continue;
      if (code !== letters.charCodeAt(start)) break;
      start++;
    }
    let behind = 0;
    for (let i = end - 1; behind < most - start && i >= from; i--) {
      const code = lowered(name.charCodeAt(i));
      if (code === NONE) continue;
      if (code !== letters.charCodeAt(letters.length - 1 - behind)) break;
      behind++;
    }
    return start + behind;
  }

  get text(): string {
    return this.name.slice(0, MAX_CHARACTERS);
  }

  get letters(): string {
    this.#letters ??= lettersOf(this.text);
    return this.#letters;
  }
}

const NONE = -1;
const OTHER = -2;

/** The letter or digit in lower case, if it is an ASCII character. */
function lowered(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 48 && code <= 57) return code;
  return code < 128 ? NONE : OTHER;
}

function lettersOf(text: string): string {
  // Nearly all names match this; the expression below takes several times as long.
  if (/^[\w-]*$/.test(text)) return text.toLowerCase().replaceAll('_', '').replaceAll('-', '');
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
