import { fold } from './fold.ts';

/** The shortest stem that may stand for words with other endings. */
const SHORTEST_STEM = 4;
/** The shortest word that is found by removing an ending from a word of a query. */
const SHORTEST_WORD = 3;
/** The most English words for one word. */
const MOST_MEANINGS = 3;

/** Shorter forms of a folded word, for example without an ending, the most careful ones first. */
export type Shorten = (word: string) => readonly string[];

/** A word or phrase of a table, folded, and its English words; none for a filler. */
interface Row {
  readonly words: readonly string[];
  readonly english: readonly string[];
}

/** A language's words with their English words. */
export interface Dictionary {
  /** The English words for a folded word as it is written in the table; none for a filler. */
  exact(word: string): readonly string[] | undefined;
  /** The English words for a folded word whose form differs from the one in the table. */
  inflected(word: string): readonly string[] | undefined;
  /** The English words for a phrase of folded words. */
  phrase(words: readonly string[]): readonly string[] | undefined;
  /** The number of words in the longest phrase. */
  readonly longestPhrase: number;
}

/** Reads a table. `shorten` gives the shorter forms by which inflected words are recognized. */
export function createDictionary(table: string, shorten: Shorten): Dictionary {
  const words = new Map<string, readonly string[]>();
  const stems = new Map<string, readonly string[]>();
  const phrases = new Map<string, readonly string[]>();
  let longestPhrase = 1;
  for (const row of rowsOf(table)) {
    const [word = ''] = row.words;
    if (row.words.length > 1) {
      longestPhrase = Math.max(longestPhrase, row.words.length);
      extend(phrases, keyOf(row.words), row.english);
      continue;
    }
    extend(words, word, row.english);
    if (row.english.length === 0) continue;
    for (const stem of shorten(word))
      if (stem.length >= SHORTEST_STEM) extend(stems, stem, row.english);
  }

  return {
    exact: (word) => words.get(word),
    inflected(word) {
      const forms = shorten(word);
      for (const form of forms) {
        const english = form.length >= SHORTEST_WORD ? words.get(form) : undefined;
        if (english !== undefined && english.length > 0) return english;
      }
      const stem = [word, ...forms].find((form) => stems.has(form));
      return stem === undefined ? undefined : stems.get(stem);
    },
    phrase: (list) => phrases.get(keyOf(list)),
    longestPhrase,
  };
}

/** The English words of a table, phrases as single words. */
export function headWords(table: string): readonly string[] {
  return [...new Set(rowsOf(table).flatMap((row) => row.english))];
}

/** The words and phrases of a table in its order. `normal` gives the form in which words are compared. */
export function rowsOf(table: string, normal: (word: string) => string = fold): readonly Row[] {
  return table.split(/[;\n]/).flatMap((entry) => {
    const [head = '', list = ''] = entry.split(':');
    const english = head.trim() === '-' ? [] : head.trim().split(' ');
    const words = list.trim().split(' ');
    return words
      .filter((word) => word !== '')
      .map((word) => ({ words: normal(word).split('_'), english }));
  });
}

/** Plural words in phrases are found too: `hojas de cálculo`. */
function keyOf(words: readonly string[]): string {
  return words.map((word) => word.replace(/(?<=..)[sx]$/, '')).join(' ');
}

function extend(
  map: Map<string, readonly string[]>,
  key: string,
  english: readonly string[],
): void {
  const known = map.get(key) ?? [];
  const room = known.length < MOST_MEANINGS;
  map.set(key, room ? [...new Set([...known, ...english])] : known);
}
