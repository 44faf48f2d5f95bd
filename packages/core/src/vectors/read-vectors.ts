import type { WordVectors } from '../search/index.ts';
import { readTable } from './table-file.ts';

/** An ending and what may stand in its place in a simpler form of the word. */
const ENDINGS: readonly (readonly [ending: string, ...instead: string[]])[] = [
  ['ies', 'y'],
  ['es', '', 'e'],
  ['s', ''],
  ['ied', 'y'],
  ['ed', '', 'e'],
  ['ing', '', 'e'],
  ['er', '', 'e'],
  ['ers', '', 'e'],
  ['ly', ''],
  ['tion', 'te', 't'],
];
const DOUBLES = new Set(['ed', 'ing', 'er']);
const SHORTEST_STEM = 3;
const LONGEST_WORD = 40;

/**
 * The forms to look up where a table does not know a word, the likeliest first: `geocoders` may be
 * known as `geocoder` or `geocode`. Training uses the same list (`training/texts.py`).
 */
export function simplerForms(word: string): string[] {
  if (word.length > LONGEST_WORD) return [];
  return ENDINGS.flatMap(([ending, ...instead]) => {
    if (!word.endsWith(ending)) return [];
    const stem = word.slice(0, -ending.length);
    if (stem.length < SHORTEST_STEM) return [];
    const forms = instead.map((replacement) => stem + replacement);
    const isDouble = DOUBLES.has(ending) && stem.at(-1) === stem.at(-2);
    return isDouble ? [...forms, stem.slice(0, -1)] : forms;
  });
}

/** Remembered words. */
const MAX_FOUND = 20_000;

/**
 * Reads a table from its bytes, such as the file `@toolfold/core/word-vectors.bin`. Throws a `ToolfoldError` if they are not a
 * complete table. They must not change after that.
 */
export function readVectors(bytes: Uint8Array | ArrayBuffer): WordVectors {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  const { dimensions, rows, phrases, scales, values, reference } = readTable(view);

  /** The rows of words that the table has in a simpler form only; -1 for unknown words. */
  const found = new Map<string, number>();

  function rowOf(word: string): number {
    const row = rows.get(word) ?? found.get(word);
    if (row !== undefined) return row;
    const simpler = simplerRowOf(word);
    if (found.size >= MAX_FOUND) found.clear();
    found.set(word, simpler);
    return simpler;
  }

  function simplerRowOf(word: string): number {
    for (const form of simplerForms(word)) {
      const simpler = rows.get(form);
      if (simpler !== undefined) return simpler;
    }
    return -1;
  }

  function addRow(row: number, weight: number, sum: Float32Array): void {
    const scale = weight * (scales[row] ?? 0);
    const from = row * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + scale * (values[from + i] ?? 0);
  }

  const startOf = (row = -1): number => (row < 0 ? 0 : row * dimensions);
  const factorOf = (row = -1, weight = 0): number => (row < 0 ? 0 : weight * (scales[row] ?? 0));

  /** Adds the rows from a place in a list on. Those that are missing count nothing. */
  function addFour(
    numbers: readonly number[],
    weights: readonly number[],
    at: number,
    sum: Float32Array,
  ): void {
    const a = startOf(numbers[at]);
    const b = startOf(numbers[at + 1]);
    const c = startOf(numbers[at + 2]);
    const d = startOf(numbers[at + 3]);
    const p = factorOf(numbers[at], weights[at]);
    const q = factorOf(numbers[at + 1], weights[at + 1]);
    const r = factorOf(numbers[at + 2], weights[at + 2]);
    const s = factorOf(numbers[at + 3], weights[at + 3]);
    for (let i = 0; i < dimensions; i++)
      sum[i] =
        (sum[i] ?? 0) +
        p * (values[a + i] ?? 0) +
        q * (values[b + i] ?? 0) +
        r * (values[c + i] ?? 0) +
        s * (values[d + i] ?? 0);
  }

  return {
    dimensions,
    add(word, weight, sum) {
      const meaning = phrases.meaningOf(word);
      if (meaning) {
        for (const each of meaning.words) addRow(rowOf(each), weight * meaning.weight, sum);
        return true;
      }
      const row = rowOf(word);
      if (row >= 0) addRow(row, weight, sum);
      return row >= 0;
    },
    phrasesIn: (words) => phrases.in(words),
    // An index remembers the rows of its words.
    rowsOf: (words) => words.map((word) => rows.get(word) ?? simplerRowOf(word)),
    addRows(numbers, weights, sum) {
      // Four rows at a time: each number of the sum is read and written once for them.
      for (let at = 0; at < numbers.length; at += 4) addFour(numbers, weights, at, sum);
    },
    ...(reference ? { reference } : {}),
  };
}
