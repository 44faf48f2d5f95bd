import type { WordVectors } from '../tools/search/index.ts';
import { simplerForms } from './simpler-forms.ts';
import { readTable } from './table-file.ts';

/** Remembered words. */
const MAX_FOUND = 20_000;

/** Reads a table from its bytes. Throws a `ToolfoldError` if they are not a complete table. */
export function readVectors(bytes: Uint8Array): WordVectors {
  const { dimensions, rows, phrases, scales, values, reference } = readTable(bytes);

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
      for (let at = 0; at < numbers.length; at++) {
        const row = numbers[at] ?? -1;
        if (row >= 0) addRow(row, weights[at] ?? 0, sum);
      }
    },
    ...(reference ? { reference } : {}),
  };
}
