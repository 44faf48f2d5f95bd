const EAST_ASIAN = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}ー';

/** In this order: a run of East Asian script, `PDFs`, `HTTP` of `HTTPServer`, `Server`, any other letters, digits. */
const WORD = new RegExp(
  `[${EAST_ASIAN}]+|\\p{Lu}{2,}s(?!\\p{L})|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{Ll}\\p{M}]+|[\\p{L}\\p{M}]+|\\p{N}+`,
  'gu',
);
/** The same for ASCII text, which it reads faster. */
const ASCII_WORD = /[A-Z]{2,}s(?![A-Za-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const STARTS_EAST_ASIAN = new RegExp(`^[${EAST_ASIAN}]`, 'u');
const TWO_CAPITALS = /(?<![A-Za-z0-9])[A-Z][a-z]+[A-Z][a-z]+(?![A-Za-z0-9])/g;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * The words of a text or identifier in lower case and in order: `getUser_by-ID2` is get, user, by,
 * id, 2. East Asian script, written without spaces, becomes pairs of neighbouring characters.
 */
export function splitWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text))
    return (text.match(ASCII_WORD) ?? []).map((match) => match.toLowerCase());
  const matches = text.normalize('NFKC').match(WORD) ?? [];
  return matches.flatMap((match) =>
    STARTS_EAST_ASIAN.test(match) ? characterPairs(match) : match.toLowerCase(),
  );
}

/** The words to search by: those of the text, and brands such as `GitHub` also as one word. */
export function searchWords(text: string): string[] {
  const words = splitWords(text);
  for (const brand of text.match(TWO_CAPITALS) ?? []) words.push(brand.toLowerCase());
  return words;
}

function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
