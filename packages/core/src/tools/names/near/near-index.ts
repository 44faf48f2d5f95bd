import { byCodePoint } from '../../values/index.ts';
import { Spelling } from './spelling.ts';
import { splitWords } from './words.ts';

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
const NOT_NEAR = Number.POSITIVE_INFINITY;

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
      if (place === NOT_NEAR) alike.push(known);
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
  return all.includes(words) ? 3 : NOT_NEAR;
}

function wordsOf({ name }: Name): string {
  return ` ${splitWords(name.slice(0, MAX_CHARACTERS)).join(' ')} `;
}

function mayBeNear({ letters }: Name, known: Name, allowed: number): boolean {
  return letters.mayBeNear(known.letters, allowed) || letters.mayBeNear(known.bare, allowed);
}

/** The fewest edits to the name with or without its group. A name of fewer than four letters allows none. */
function editsTo({ letters }: Name, known: Name, allowed: number): number {
  if (allowed === 0) return NOT_NEAR;
  return Math.min(letters.editsTo(known.letters, allowed), letters.editsTo(known.bare, allowed));
}
