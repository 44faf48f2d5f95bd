import { rowsOf } from './dictionary.ts';

const HAN = /\p{Script=Han}/u;
const KATAKANA = /[ァ-ヺー]/;

/**
 * Reads Japanese by the longest word of the table at each place. A Chinese character alone counts only where
 * no other one follows and no unknown one precedes it, because with others it has another meaning. Of a word
 * in katakana that does not begin with a known one, nothing is read.
 */
export function createJapaneseReader(table: string): (text: string) => readonly string[] {
  const words = new Map<string, readonly string[]>();
  let longest = 1;
  for (const { words: parts, english } of rowsOf(table, normal)) {
    const word = parts.join('');
    words.set(word, [...(words.get(word) ?? []), ...english]);
    longest = Math.max(longest, word.length);
  }

  function wordAt(text: string, start: number, isInWord: boolean): string | undefined {
    for (let length = Math.min(longest, text.length - start); length > 0; length--) {
      const word = text.slice(start, start + length);
      if (!words.has(word)) continue;
      const isPart = isInWord || HAN.test(text[start + 1] ?? '');
      if (length > 1 || !HAN.test(word) || !isPart) return word;
    }
    return undefined;
  }

  return (query) => {
    const text = normal(query);
    const found: string[] = [];
    let isInWord = false;
    for (let start = 0; start < text.length; ) {
      const word = wordAt(text, start, isInWord);
      if (word !== undefined) {
        found.push(...(words.get(word) ?? []));
        start += word.length;
        isInWord = false;
        continue;
      }
      isInWord = HAN.test(text[start] ?? '');
      const isKatakana = KATAKANA.test(text[start] ?? '');
      start++;
      while (isKatakana && KATAKANA.test(text[start] ?? '')) start++;
    }
    return found;
  };
}

/** One form for characters of full and half width. */
function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
