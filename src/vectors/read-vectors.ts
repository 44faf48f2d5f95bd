import type { WordVectors } from '../tools/search/index.ts';
import { simplerForms } from './simpler-forms.ts';
import { readTable } from './table-file.ts';

/** Reads a table from its bytes. Throws a `ToolfoldError` if they are not a complete table. */
export function readVectors(bytes: Uint8Array): WordVectors {
  const { dimensions, rows, scales, values } = readTable(bytes);

  function rowOf(word: string): number | undefined {
    const row = rows.get(word);
    if (row !== undefined) return row;
    for (const form of simplerForms(word)) {
      const simpler = rows.get(form);
      if (simpler !== undefined) return simpler;
    }
    return;
  }

  return {
    dimensions,
    add(word, weight, sum) {
      const row = rowOf(word);
      if (row === undefined) return false;
      const scale = weight * (scales[row] ?? 0);
      const start = row * dimensions;
      for (let i = 0; i < dimensions; i++) {
        sum[i] = (sum[i] ?? 0) + scale * (values[start + i] ?? 0);
      }
      return true;
    },
  };
}
