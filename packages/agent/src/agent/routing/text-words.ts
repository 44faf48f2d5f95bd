/** A word of a text in lower case, and the shape of the expression around it, if any. */
export interface TextWord {
  readonly word: string;
  /** `*.pdf`: the word ends a file or host name. `*@*`: it is in a mail address. A path shape: it begins a path. */
  readonly shape: string | undefined;
}

/** The shapes of a path and of a mail address. All other shapes are file endings. */
export const PATH_SHAPE = '*/*';
export const ADDRESS_SHAPE = '*@*';

/** Characters read from each end of a text. A question usually stands before or after pasted content. */
const READ_EACH_END = 4_000;

/** In East Asian scripts without spaces, each character counts as a word, so that phrases match inside a text. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]]+/gv;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** The characters before the first word of a path. A single `/` also means "or". */
const PATH_START = /[\s"'`(](?:\.{1,2}\/|~\/|\/|[a-z]:\\)$/;

/**
 * The words of a text in order, in NFKC and lower case. Skips fenced code, because names in pasted
 * code say little about the tool needed. Reads only both ends of a long text.
 */
export function textWords(text: string): TextWord[] {
  const prose = withoutFences(text);
  if (prose.length <= 2 * READ_EACH_END) return wordsOf(prose);
  // The words next to the cuts may be incomplete.
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

/** Whether a dot and another word follow, as after `test` in `x.test.ts`, but not after `ts`. */
function continues(text: string, end: number): boolean {
  return text[end] === '.' && WORD_CHARACTER.test(text[end + 1] ?? '');
}

function startsPath(text: string, index: number, end: number): boolean {
  const start = PATH_START.exec(text.slice(Math.max(0, index - 4), index))?.[0];
  return start !== undefined && (start.length > 2 || text[end] === '/');
}

/** The text without fenced code. An unclosed fence extends to the end. */
function withoutFences(text: string): string {
  return text
    .split('```')
    .filter((_, i) => i % 2 === 0)
    .join('\n');
}
