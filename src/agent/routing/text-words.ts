/** A word of a text in lower case, and what it ends or begins where that is telling. */
export interface TextWord {
  readonly word: string;
  /** `*.pdf` ends a file or host name, `*@*` is in a mail address, and a path begins at its first word. */
  readonly shape: string | undefined;
}

/** The shapes that are not an ending. */
export const PATH_SHAPE = '*/*';
export const ADDRESS_SHAPE = '*@*';

/** Characters read from each end of a text: what is asked stands before or after what is pasted. */
const READ_EACH_END = 4_000;

/** East Asian scripts have no spaces: each character is a word, so that phrases are found inside. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]]+/gv;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** What comes before the first word of a path; a lone `/` is also how people write "or". */
const PATH_START = /[\s"'`(](?:\.{1,2}\/|~\/|\/|[a-z]:\\)$/;

/**
 * The words of a text in order, in NFKC and lower case; fenced code is left out, since a name in
 * pasted code says little about the tool wanted. Of a long text only both ends are read.
 */
export function textWords(text: string): TextWord[] {
  const prose = withoutFences(text);
  if (prose.length <= 2 * READ_EACH_END) return wordsOf(prose);
  // The words at the cuts may be parts of words.
  return [
    ...wordsOf(prose.slice(0, READ_EACH_END)).slice(0, -1),
    ...wordsOf(prose.slice(-READ_EACH_END)).slice(1),
  ];
}

function wordsOf(part: string): TextWord[] {
  const text = ` ${part.normalize('NFKC').toLowerCase()}`;
  const words: TextWord[] = [];
  let inAddress = false;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const gap = text.slice(end, index);
    end = index + word.length;
    inAddress = gap === '@' || (inAddress && (gap === '.' || gap === '-'));
    let shape: string | undefined;
    if (gap === '@') shape = ADDRESS_SHAPE;
    else if (gap === '.' && !inAddress && !continues(text, end)) shape = `*.${word}`;
    else if (startsPath(text, index, end)) shape = PATH_SHAPE;
    words.push({ word, shape });
  }
  return words;
}

/** Whether a dot and another word follow: after `test` in `x.test.ts`, not after `ts`. */
function continues(text: string, end: number): boolean {
  return text[end] === '.' && WORD_CHARACTER.test(text[end + 1] ?? '');
}

function startsPath(text: string, index: number, end: number): boolean {
  const start = PATH_START.exec(text.slice(Math.max(0, index - 4), index))?.[0];
  return start !== undefined && (start.length > 2 || text[end] === '/');
}

/** An open fence runs to the end. */
function withoutFences(text: string): string {
  return text
    .split('```')
    .filter((_, i) => i % 2 === 0)
    .join('\n');
}
