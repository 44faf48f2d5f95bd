/** Characters of a query or name that are compared; the rest is cut off. */
export const MAX_CHARACTERS = 200;
/** Between group and tool in a canonical name; a slip in the tool is looked for without the group. */
const GROUP_SEPARATOR = '__';

/**
 * A name as it is compared with others: by its letters and digits in lower case. How many and which
 * there are tells most names apart; the letters themselves are made when somebody asks.
 */
export class Comparable {
  readonly name: string;
  readonly length: number;
  /** Which there are, by their numbers modulo 32: one bit each. */
  readonly set: number;
  /** The same of the part without the group. */
  readonly bareLength: number;
  readonly bareSet: number;
  #letters: string | undefined;

  constructor(name: string) {
    this.name = name;
    const end = Math.min(name.length, MAX_CHARACTERS);
    const separator = name.indexOf(GROUP_SEPARATOR);
    const bareFrom = separator < 0 || separator >= end - 1 ? 0 : separator;
    let [length, set, bareLength, bareSet] = [0, 0, 0, 0];
    for (let i = 0; i < end; i++) {
      const code = lowered(name.charCodeAt(i));
      if (code === OTHER) {
        this.#letters = lettersOf(this.text);
        const bare = lettersOf(this.text.slice(bareFrom));
        this.length = this.#letters.length;
        this.set = setOf(this.#letters);
        this.bareLength = bare.length;
        this.bareSet = setOf(bare);
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

/** The letter or digit in lower case, where it is one of ASCII's. */
function lowered(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 48 && code <= 57) return code;
  return code < 128 ? NONE : OTHER;
}

function lettersOf(text: string): string {
  // Nearly all names are such; the expression below takes several times as long.
  if (/^[\w-]*$/.test(text)) return text.toLowerCase().replaceAll('_', '').replaceAll('-', '');
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function setOf(letters: string): number {
  let bits = 0;
  for (let i = 0; i < letters.length; i++) bits |= 1 << (letters.charCodeAt(i) & 31);
  return bits;
}
