import { byCodePoint } from '../values/index.ts';
import { Comparable, MAX_CHARACTERS } from './comparable.ts';
import { editsBetween, unsharedLetters } from './near-edits.ts';
import { splitWords } from './words.ts';

/** Shorter words occur in too many names to identify one. */
const MIN_CONTAINED = 3;
/** The most names of each kind that are compared in full, the most promising first. */
const MAX_COMPARED = 1_000;
const NOT_NEAR = Number.POSITIVE_INFINITY;

/** An index for near names. It reads each name once. */
export class NearIndex {
  readonly #known: Comparable[] = [];

  constructor(names: Iterable<string> = []) {
    for (const name of new Set(names)) this.add(name);
  }

  /** Adds a name. It must not have been added before. */
  add(name: string): void {
    this.#known.push(new Comparable(name));
  }

  /** The names that differ only in case and separators. */
  same(name: string): string[] {
    const wanted = new Comparable(name);
    return this.#known.filter((known) => isSame(wanted, known)).map((known) => known.name);
  }

  /**
   * The nearest names that `allows` accepts, the best first. A refused name does not displace
   * an accepted one. Among many similar names, only the most promising are compared.
   */
  nearest(query: string, limit: number, allows: (name: string) => boolean = () => true): string[] {
    const wanted = new Comparable(query);
    if (wanted.length === 0) return [];
    const allowed = Math.min(3, Math.floor(wanted.length / 4));
    const near: { name: string; distance: number }[] = [];
    const contained: Comparable[] = [];
    const alike: Comparable[] = [];
    for (const known of this.#known) {
      if (isSame(wanted, known)) {
        if (allows(known.name)) near.push({ name: known.name, distance: 0 });
      } else if (isContained(wanted, known)) contained.push(known);
      else if (leastEdits(wanted, known, allowed) <= allowed) alike.push(known);
    }
    const excess = ({ length }: Comparable) => Math.abs(length - wanted.length);
    contained.sort((a, b) => excess(a) - excess(b));
    for (const known of some(contained, allows)) {
      const place = wordDistance(wanted, known);
      if (place === NOT_NEAR) alike.push(known);
      else near.push({ name: known.name, distance: place });
    }
    for (const known of some(likeliest(wanted, alike), allows)) {
      const edits = edited(wanted, known, allowed);
      if (edits <= allowed) near.push({ name: known.name, distance: 5 + edits });
    }
    return near
      .sort((a, b) => a.distance - b.distance || byCodePoint(a.name, b.name))
      .slice(0, Math.max(0, limit))
      .map(({ name }) => name);
  }
}

/** If there are too many to compare: first those with the longest common start and end. */
function* likeliest(wanted: Comparable, alike: readonly Comparable[]): Iterable<Comparable> {
  if (alike.length <= MAX_COMPARED) return yield* alike;
  const shared = new Uint8Array(alike.length);
  let most = 0;
  for (let i = 0; i < alike.length; i++) {
    const ends = alike[i]?.sharedEnds(wanted) ?? 0;
    shared[i] = ends;
    most = Math.max(most, ends);
  }
  for (let ends = most; ends >= 0; ends--) {
    for (let i = shared.indexOf(ends); i >= 0; i = shared.indexOf(ends, i + 1)) {
      const known = alike[i];
      if (known) yield known;
    }
  }
}

/** The first accepted names, up to the number that may be compared. */
function* some(
  candidates: Iterable<Comparable>,
  allows: (name: string) => boolean,
): Iterable<Comparable> {
  let left = MAX_COMPARED;
  for (const known of candidates) {
    if (left === 0) return;
    if (!allows(known.name)) continue;
    left--;
    yield known;
  }
}

function isSame(wanted: Comparable, known: Comparable): boolean {
  const { set, length } = wanted;
  return set === known.set && length === known.length && wanted.letters === known.letters;
}

function isContained(wanted: Comparable, candidate: Comparable): boolean {
  const excess = candidate.length - wanted.length;
  const isLonger = excess > 0;
  // The sets of letters exclude most names.
  const beside = isLonger ? wanted.set & ~candidate.set : candidate.set & ~wanted.set;
  if (beside !== 0) return false;
  const shorter = isLonger ? wanted : candidate;
  if (shorter.length < MIN_CONTAINED) return false;
  // A long query may contain a short name by chance: `get_wether` does not mean `get`.
  if (!isLonger && -excess > shorter.length) return false;
  return isLonger ? candidate.holds(wanted) : candidate.isIn(wanted);
}

/** From 1 to below 5: by the position of the shorter name's words in the longer name, then by length. */
function wordDistance(wanted: Comparable, candidate: Comparable): number {
  const excess = candidate.length - wanted.length;
  const [longer, shorter] = excess > 0 ? [candidate, wanted] : [wanted, candidate];
  return placeOfWords(shorter.text, longer.text) + Math.abs(excess) / (MAX_CHARACTERS + 1);
}

/** The position of the shorter name's words in the longer name: 1 end, 2 start, 3 between. */
function placeOfWords(shorter: string, longer: string): number {
  const words = ` ${splitWords(shorter).join(' ')} `;
  const all = ` ${splitWords(longer).join(' ')} `;
  if (all.endsWith(words)) return 1;
  if (all.startsWith(words)) return 2;
  return all.includes(words) ? 3 : NOT_NEAR;
}

/** The minimum number of edits, by length and letters only. */
function leastEdits(wanted: Comparable, known: Comparable, allowed: number): number {
  const whole = leastBetween(wanted, known.length, known.set, allowed);
  if (known.bareLength === known.length) return whole;
  return Math.min(whole, leastBetween(wanted, known.bareLength, known.bareSet, allowed));
}

function leastBetween(wanted: Comparable, length: number, set: number, allowed: number): number {
  const excess = Math.abs(wanted.length - length);
  if (excess > allowed) return NOT_NEAR;
  return Math.max(excess, Math.ceil(unsharedLetters(wanted.set, set) / 2));
}

function edited({ letters: wanted }: Comparable, known: Comparable, allowed: number): number {
  const { letters, length, bareLength } = known;
  const whole = editsBetween(wanted, letters, allowed);
  if (bareLength === length) return whole;
  return Math.min(whole, editsBetween(wanted, letters.slice(length - bareLength), allowed));
}
