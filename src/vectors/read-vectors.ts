import type { WordVectors } from '../tools/search/index.ts';
import { simplerForms } from './simpler-forms.ts';
import { readTable } from './table-file.ts';

/** Remembered words. */
const MAX_FOUND = 20_000;

/** Reads a table from its bytes. Throws a `ToolfoldError` if they are not a complete table. */
export function readVectors(bytes: Uint8Array): WordVectors {
  const { dimensions, rows, scales, values, reference } = readTable(bytes);

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
    const end = (row + 1) * dimensions;
    let i = 0;
    let at = row * dimensions;
    for (; at + 4 <= end; at += 4, i += 4) {
      sum[i] = (sum[i] ?? 0) + scale * (values[at] ?? 0);
      sum[i + 1] = (sum[i + 1] ?? 0) + scale * (values[at + 1] ?? 0);
      sum[i + 2] = (sum[i + 2] ?? 0) + scale * (values[at + 2] ?? 0);
      sum[i + 3] = (sum[i + 3] ?? 0) + scale * (values[at + 3] ?? 0);
    }
    for (; at < end; at++, i++) sum[i] = (sum[i] ?? 0) + scale * (values[at] ?? 0);
  }

  return {
    dimensions,
    add(word, weight, sum) {
      const row = rowOf(word);
      if (row >= 0) addRow(row, weight, sum);
      return row >= 0;
    },
    rowsOf: (words) => words.map(rowOf),
    addRows(numbers, weights, sum) {
      for (const [at, row] of numbers.entries()) if (row >= 0) addRow(row, weights[at] ?? 0, sum);
    },
    ...(reference ? { reference } : {}),
  };
}
