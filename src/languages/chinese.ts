import { rowsOf } from './dictionary.ts';
import { createSimplifier } from './traditional.ts';

/**
 * Reads runs of Chinese characters, simplified or traditional, by the longest word of the table at
 * each place.
 */
export function createChineseReader(table: string): (text: string) => readonly string[] {
  const words = new Map<string, readonly string[]>();
  const simplify = createSimplifier();
  let longest = 1;
  for (const {
    words: [word = ''],
    english,
  } of rowsOf(table)) {
    words.set(word, [...(words.get(word) ?? []), ...english]);
    longest = Math.max(longest, word.length);
  }

  return (text) =>
    (simplify(text).match(/\p{Script=Han}+/gu) ?? []).flatMap((run) => {
      const found: string[] = [];
      for (let start = 0; start < run.length; ) {
        let length = Math.min(longest, run.length - start);
        while (length > 1 && !words.has(run.slice(start, start + length))) length--;
        found.push(...(words.get(run.slice(start, start + length)) ?? []));
        start += length;
      }
      return found;
    });
}
