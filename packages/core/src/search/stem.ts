import { FREQUENT_STEMS } from './frequent-stems.ts';

/** Words that only seem to have an ending. */
const UNCHANGED = new Set(['news', 'notion']);
const PLURAL = /(?:ss|x|z|ch|sh)es$/;
const ENDING = /(?:ing|ed|ion|e)$/;
/** Endings of longer words: `comment` is no `com`. */
const RARER_ENDING = /(?:or|er|ment|ly|al)$/;
const VOWEL = /[aeiouy]/;
const DOUBLE = /([bdfglmnprt])\1$/;

/**
 * The stem of a lower-case English word: the word without the ending of a plural and one more ending. It need
 * not be a word itself. Words with other than the letters a to z are returned as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || UNCHANGED.has(word)) return word;
  const one = singular(word);
  const root = without(ENDING, one, 3) ?? without(RARER_ENDING, one, 4);
  // `translat` of `translation` and `translate`, but not `creat`.
  const short = root?.replace(/(?<=.{4})at$/, '') ?? one;
  return short.replace(DOUBLE, '$1').replace(/y$/, 'i');
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (PLURAL.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A word without its ending; undefined if it has none, or if less than so many letters or no vowel would be left. */
function without(ending: RegExp, word: string, least: number): string | undefined {
  const at = ending.exec(word)?.index ?? 0;
  const root = word.slice(0, at);
  return at >= least && VOWEL.test(root) ? root : undefined;
}

/** The weight of a word that is in few tools. */
const RARE = 0.8;

const WEIGHTS = new Map(
  FREQUENT_STEMS.flatMap(([weight, stems]) =>
    stems.split(' ').map((one) => [one, weight] as const),
  ),
);

/** How much a word says in tools of all kinds, from 0 to 1: `get` little, `invoice` much. */
export function wordWeight(word: string): number {
  return WEIGHTS.get(stem(word)) ?? RARE;
}
