import { plainLine } from '@toolfold/core/internal/values';

/** What separates words: everything but letters, digits and the marks on them. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Most characters of a word in the index. PostgreSQL keeps at most 2,046 bytes. */
const LONGEST = 500;

/** Most characters of one piece. PostgreSQL keeps at most a megabyte of words. */
const PIECE = 50_000;

/** Words of an excerpt, how many of them stand before the match, and most characters. */
const [WORDS, BEFORE, LENGTH] = [20, 6, 160];

/** A word without case and without the accents of Latin letters. */
function folded(word: string): string {
  return word
    .slice(0, LONGEST)
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toWellFormed();
}

/** Words that are kept: as they were, and as they are found. */
export interface WordPiece {
  readonly content: string;
  readonly folded: readonly string[];
}

/** The words of an entry, in pieces that end between words. */
export function piecesOf(words: string): readonly WordPiece[] {
  const pieces: WordPiece[] = [];
  for (let from = 0; from < words.length; ) {
    const rest = words.slice(from, from + PIECE);
    const isLast = from + PIECE >= words.length;
    const cut = isLast
      ? rest.length
      : Math.max(rest.search(/[\p{L}\p{N}\p{M}\p{Co}]+$/u), 0) || rest.length;
    const content = rest.slice(0, cut);
    pieces.push({ content, folded: termsOf(content) });
    from += cut;
  }
  return pieces;
}

/** The folded words of a text, each once. */
export function termsOf(text: string): readonly string[] {
  const words = text.split(BETWEEN_WORDS).map(folded);
  return [...new Set(words.filter((word) => word !== ''))];
}

/** The words around the first match, in one line. The last of the terms may be a beginning. */
export function excerptOf(content: string, terms: readonly string[]): string {
  const last = terms.at(-1) ?? '';
  const words = [...content.matchAll(WORD)];
  const match = words.findIndex(([word]) => {
    const one = folded(word);
    return terms.includes(one) || one.startsWith(last);
  });
  const first = Math.max(match - BEFORE, 0);
  const from = first === 0 ? 0 : words[first]?.index;
  const to = words[first + WORDS]?.index;
  const part = content.slice(from, to).trim();
  return plainLine(`${first > 0 ? '…' : ''}${part}${to === undefined ? '' : '…'}`, LENGTH);
}
