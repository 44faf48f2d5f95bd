import { byCodePoint } from './values/index.ts';

const EAST_ASIAN = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}ー';

/** In this order: a run of East Asian script, `PDFs`, `HTTP` of `HTTPServer`, `Server`, any other letters, digits. */
const WORD = new RegExp(
  `[${EAST_ASIAN}]+|\\p{Lu}{2,}s(?!\\p{L})|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{Ll}\\p{M}]+|[\\p{L}\\p{M}]+|\\p{N}+`,
  'gu',
);
/** The same for ASCII text, which it reads faster. */
const ASCII_WORD = /[A-Z]{2,}s(?![A-Za-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const STARTS_EAST_ASIAN = new RegExp(`^[${EAST_ASIAN}]`, 'u');
const TWO_CAPITALS = /(?<![A-Za-z0-9])[A-Z][a-z]+[A-Z][a-z]+(?![A-Za-z0-9])/g;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * The words of a text or identifier in lower case and in order: `getUser_by-ID2` is get, user, by,
 * id, 2. East Asian script, written without spaces, becomes pairs of neighbouring characters.
 */
export function splitWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text))
    return (text.match(ASCII_WORD) ?? []).map((match) => match.toLowerCase());
  const matches = text.normalize('NFKC').match(WORD) ?? [];
  return matches.flatMap((match) =>
    STARTS_EAST_ASIAN.test(match) ? characterPairs(match) : match.toLowerCase(),
  );
}

/** The words to search by: those of the text, and brands such as `GitHub` also as one word. */
export function searchWords(text: string): string[] {
  const words = splitWords(text);
  for (const brand of text.match(TWO_CAPITALS) ?? []) words.push(brand.toLowerCase());
  return words;
}

function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

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

/** Characters of a query or name that are compared; the rest is cut off. */
const MAX_CHARACTERS = 200;
/**
 * The separator of group and tool in a canonical name. A typing error in the tool is searched
 * without the group.
 */
const GROUP_SEPARATOR = '__';
/** Shorter words occur in too many names to identify one. */
const MIN_CONTAINED = 3;
/** The most names of each kind that are compared in full, the most promising first. */
const MAX_COMPARED = 1_000;
const NO_PLACE = Number.POSITIVE_INFINITY;

/** A name in the form in which names are compared: its letters and digits in lower case. */
interface Name {
  readonly name: string;
  readonly letters: Spelling;
  /** Those without the group; the same where there is none. */
  readonly bare: Spelling;
}

/** An index for near names. It reads each name once. */
export class NearIndex {
  readonly #known: Name[] = [];

  constructor(names: Iterable<string> = []) {
    for (const name of new Set(names)) this.add(name);
  }

  /** Adds a name. It must not have been added before. */
  add(name: string): void {
    this.#known.push(readName(name));
  }

  /** The names that differ only in case and separators. */
  same(name: string): string[] {
    const wanted = readName(name);
    return this.#known.filter((known) => isSame(wanted, known)).map((known) => known.name);
  }

  /**
   * The nearest names that `allows` accepts, the best first. A refused name does not displace
   * an accepted one. Among many similar names, only the most promising are compared.
   */
  nearest(query: string, limit: number, allows: (name: string) => boolean = () => true): string[] {
    const wanted = readName(query);
    const { length } = wanted.letters;
    if (length === 0) return [];
    const allowed = Math.min(3, Math.floor(length / 4));
    const near: { name: string; distance: number }[] = [];
    const contained: Name[] = [];
    const alike: Name[] = [];
    for (const known of this.#known) {
      if (isSame(wanted, known)) {
        if (allows(known.name)) near.push({ name: known.name, distance: 0 });
      } else if (isContained(wanted, known)) contained.push(known);
      else if (mayBeNear(wanted, known, allowed)) alike.push(known);
    }
    const excess = ({ letters }: Name) => Math.abs(letters.length - length);
    contained.sort((a, b) => excess(a) - excess(b));
    for (const known of firstAllowed(contained, allows)) {
      const place = placeOfWords(wanted, known);
      if (place === NO_PLACE) alike.push(known);
      else near.push({ name: known.name, distance: place + excess(known) / (MAX_CHARACTERS + 1) });
    }
    for (const known of firstAllowed(likeliest(wanted, alike), allows)) {
      const edits = editsTo(wanted, known, allowed);
      if (edits <= allowed) near.push({ name: known.name, distance: 5 + edits });
    }
    return near
      .sort((a, b) => a.distance - b.distance || byCodePoint(a.name, b.name))
      .slice(0, Math.max(0, limit))
      .map(({ name }) => name);
  }
}

/**
 * The names that are nearest to a mistyped one, the best first, at most `limit`: names that
 * differ only in case and separators; then names that end with, start with or contain the
 * query's words, or are contained in it; then names a few typing errors away. Empty if no name
 * is near. Equally near names are sorted by code point.
 */
export function nearNames(query: string, names: Iterable<string>, limit: number): string[] {
  return new NearIndex(names).nearest(query, limit);
}

function readName(name: string): Name {
  const text = name.slice(0, MAX_CHARACTERS);
  const letters = lettersOf(text);
  const group = lettersOf(text.slice(0, Math.max(0, text.indexOf(GROUP_SEPARATOR))));
  const whole = new Spelling(letters);
  return {
    name,
    letters: whole,
    bare: group === '' ? whole : new Spelling(letters.slice(group.length)),
  };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Those with the longest common start and end first. */
function likeliest({ letters }: Name, alike: readonly Name[]): readonly Name[] {
  return alike
    .map((known) => ({
      known,
      shared: Math.max(letters.sharedEnds(known.letters), letters.sharedEnds(known.bare)),
    }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ known }) => known);
}

/** The first accepted names, as many as may be compared. */
function firstAllowed(names: readonly Name[], allows: (name: string) => boolean): readonly Name[] {
  const first: Name[] = [];
  for (const known of names) {
    if (first.length === MAX_COMPARED) break;
    if (allows(known.name)) first.push(known);
  }
  return first;
}

function isSame(wanted: Name, known: Name): boolean {
  return wanted.letters.text === known.letters.text;
}

/** Whether the letters of one contain those of the other. */
function isContained({ letters: wanted }: Name, { letters: known }: Name): boolean {
  if (Math.min(wanted.length, known.length) < MIN_CONTAINED) return false;
  if (known.length > wanted.length) return known.includes(wanted);
  // A long query may contain a short name by chance: `get_wether` does not mean `get`.
  return wanted.length <= 2 * known.length && wanted.includes(known);
}

/** The position of the shorter name's words in the longer name: 1 end, 2 start, 3 between. */
function placeOfWords(wanted: Name, known: Name): number {
  const [long, short] =
    known.letters.length > wanted.letters.length ? [known, wanted] : [wanted, known];
  const words = wordsOf(short);
  const all = wordsOf(long);
  if (all.endsWith(words)) return 1;
  if (all.startsWith(words)) return 2;
  return all.includes(words) ? 3 : NO_PLACE;
}

function wordsOf({ name }: Name): string {
  return ` ${splitWords(name.slice(0, MAX_CHARACTERS)).join(' ')} `;
}

function mayBeNear({ letters }: Name, known: Name, allowed: number): boolean {
  return letters.mayBeNear(known.letters, allowed) || letters.mayBeNear(known.bare, allowed);
}

/** The fewest edits to the name with or without its group. A name of fewer than four letters allows none. */
function editsTo({ letters }: Name, known: Name, allowed: number): number {
  if (allowed === 0) return NO_PLACE;
  return Math.min(letters.editsTo(known.letters, allowed), letters.editsTo(known.bare, allowed));
}
