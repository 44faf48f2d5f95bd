import { byCodePoint } from './json.ts';
import { splitWords } from './search/words.ts';

/** Characters of a query or name that are compared; the rest is cut off. */
const MAX_CHARACTERS = 200;
/** Shorter words are in too many names to point at one. */
const MIN_CONTAINED = 3;
/** Between group and tool in a canonical name; a slip in the tool is looked for without the group. */
const GROUP_SEPARATOR = '__';
const NOT_NEAR = Number.POSITIVE_INFINITY;

/**
 * The names nearest to a mistaken one, best first, at most `limit`, for "did you mean": equal but
 * for case and separators; then ending, starting or holding the query's words, or held by them;
 * then a few typing errors away. Empty where none is near. Equally near ones go by code point.
 */
export function nearNames(query: string, names: Iterable<string>, limit: number): string[] {
  const wanted = comparable(query);
  if (wanted.letters === '') return [];
  const near: { name: string; distance: number }[] = [];
  for (const name of new Set(names)) {
    const distance = distanceTo(wanted, name);
    if (distance !== NOT_NEAR) near.push({ name, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance || byCodePoint(a.name, b.name))
    .slice(0, Math.max(0, limit))
    .map(({ name }) => name);
}

interface Comparable {
  readonly text: string;
  /** Letters and digits in lower case. */
  readonly letters: string;
}

function comparable(name: string): Comparable {
  const text = name.slice(0, MAX_CHARACTERS);
  return { text, letters: text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') };
}

/** 0 the same, 1 to under 5 words in common, from 5 on the typing errors; within a kind, by length. */
function distanceTo(wanted: Comparable, name: string): number {
  const candidate = comparable(name);
  if (candidate.letters === wanted.letters) return 0;
  const shared = wordDistance(wanted, candidate);
  if (shared !== NOT_NEAR) return shared;
  const allowed = Math.min(3, Math.floor(wanted.letters.length / 4));
  const separator = candidate.text.indexOf(GROUP_SEPARATOR);
  const bare = separator < 0 ? candidate : comparable(candidate.text.slice(separator));
  const errors = Math.min(
    typingErrors(wanted.letters, candidate.letters, allowed),
    bare === candidate ? NOT_NEAR : typingErrors(wanted.letters, bare.letters, allowed),
  );
  return errors <= allowed ? 5 + errors : NOT_NEAR;
}

function wordDistance(wanted: Comparable, candidate: Comparable): number {
  const isLonger = candidate.letters.length > wanted.letters.length;
  const [longer, shorter] = isLonger ? [candidate, wanted] : [wanted, candidate];
  const excess = longer.letters.length - shorter.letters.length;
  if (shorter.letters.length < MIN_CONTAINED || !longer.letters.includes(shorter.letters)) {
    return NOT_NEAR;
  }
  // A short name is in many a long query by chance: `get` is not what `get_wether` was meant to be.
  if (!isLonger && excess > shorter.letters.length) return NOT_NEAR;
  return placeOfWords(shorter.text, longer.text) + excess / (MAX_CHARACTERS + 1);
}

/** Where in the longer name the words of the shorter one stand: 1 end, 2 start, 3 between. */
function placeOfWords(shorter: string, longer: string): number {
  const words = ` ${splitWords(shorter).join(' ')} `;
  const all = ` ${splitWords(longer).join(' ')} `;
  if (all.endsWith(words)) return 1;
  if (all.startsWith(words)) return 2;
  return all.includes(words) ? 3 : NOT_NEAR;
}

/** Edits from one to the other, two swapped neighbours being one; more than `allowed` is infinite. */
function typingErrors(a: string, b: string, allowed: number): number {
  const tooFar = Math.abs(a.length - b.length) > allowed || unsharedLetters(a, b) > 2 * allowed;
  if (allowed === 0 || tooFar) return NOT_NEAR;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > allowed) return NOT_NEAR;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? NOT_NEAR;
}

/** How many characters, modulo 32, only one of the two has: each edit changes at most two of them. */
function unsharedLetters(a: string, b: string): number {
  let bits = letterSet(a) ^ letterSet(b);
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}

function letterSet(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}
