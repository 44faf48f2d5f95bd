import { createChineseReader } from './chinese.ts';
import { createDictionary, headWords } from './dictionary.ts';
import { shortenFrench, shortenGerman, shortenSpanish } from './endings.ts';
import { createEnglish, type English } from './english.ts';
import { FALSE_FRIENDS } from './false-friends.ts';
import { fold, tokensOf } from './fold.ts';
import { createJapaneseReader } from './japanese.ts';
import { createGermanReader, createReader, type Reader, type Reading } from './reader.ts';
import { CHINESE, FRENCH, GERMAN, JAPANESE, SPANISH } from './tables/index.ts';

const MAX_QUERY_CHARACTERS = 1_000;
const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A language with Latin letters, some of which the others lack. */
interface Alphabetic {
  readonly read: Reader;
  readonly letters: RegExp;
}

interface Languages {
  readonly english: English;
  readonly chinese: (text: string) => readonly string[];
  readonly japanese: (text: string) => readonly string[];
  /** In the order that decides between languages that know equally many words. */
  readonly alphabetic: readonly Alphabetic[];
}

/**
 * Returns a function that gives the English words for a query in German, Spanish, French, Chinese or
 * Japanese, in the order of the query, each once and in lower case. They are words that tools use
 * in their names and descriptions. Words that the query itself contains are left out, so names
 * such as `Slack` are not among them. The result is empty for a query in English and for one
 * without known words. Of a query, the first 1,000 characters are read. Never throws. The
 * dictionaries are read when the function is first called.
 */
export function createTranslator(): (query: string) => readonly string[] {
  let languages: Languages | undefined;
  return (query) => {
    const text = query.slice(0, MAX_QUERY_CHARACTERS).normalize('NFC');
    languages ??= readLanguages();
    if (KANA.test(text)) return wordsOutside(text, languages.japanese(text));
    if (HAN.test(text)) return wordsOutside(text, languages.chinese(text));
    const tokens = tokensOf(fold(text));
    const reading = readBest(text, tokens, languages);
    return wordsOutside(
      tokens.join(' '),
      reading.flatMap((english) => english ?? []),
    );
  };
}

function readLanguages(): Languages {
  const english = createEnglish(
    [GERMAN, SPANISH, FRENCH, CHINESE].flatMap(headWords),
    FALSE_FRIENDS,
  );
  return {
    english,
    chinese: createChineseReader(CHINESE),
    japanese: createJapaneseReader(JAPANESE),
    alphabetic: [
      {
        read: createGermanReader(createDictionary(GERMAN, shortenGerman), english),
        letters: /[äöüß]/i,
      },
      {
        read: createReader(createDictionary(SPANISH, shortenSpanish), english),
        letters: /[ñáíóú¿¡]/i,
      },
      {
        read: createReader(createDictionary(FRENCH, shortenFrench), english),
        letters: /[àâçèêëîïôùûœ]/i,
      },
    ],
  };
}

/**
 * The reading of the language that knows most words; empty if the query looks English. Letters
 * that only one of the languages has count as a word.
 */
function readBest(
  text: string,
  tokens: readonly string[],
  { english, alphabetic }: Languages,
): Reading {
  let best: Reading = [];
  let most = 0;
  let byLetters = 0;
  for (const { read, letters } of alphabetic) {
    const reading = read(tokens);
    const known = reading.filter((words) => words !== undefined).length;
    const ownLetters = letters.test(text) ? 1 : 0;
    if (known === 0 || known + ownLetters <= most) continue;
    best = reading;
    most = known + ownLetters;
    byLetters = ownLetters;
  }
  return isForeign(tokens, best, byLetters, english) ? best : [];
}

/**
 * Whether the words that only the other language knows, and its letters, outweigh the English
 * words. English names of things are common in every language (`crear pull request`) and count
 * little.
 */
function isForeign(
  tokens: readonly string[],
  reading: Reading,
  byLetters: number,
  english: English,
): boolean {
  let foreign = byLetters;
  let grammatical = 0;
  let content = 0;
  for (const [i, token] of tokens.entries()) {
    const isEnglish = english.isWord(token);
    const isSingleLetter = token.length === 1; // As in don't.
    if (reading[i] !== undefined) foreign += isEnglish || isSingleLetter ? 0 : 1;
    else if (english.isFunctionWord(token)) grammatical++;
    else if (isEnglish) content++;
  }
  return foreign > 2 * grammatical + content / 4;
}

/** Each word once, without those that the text has anyway. */
function wordsOutside(text: string, words: readonly string[]): readonly string[] {
  const own = new Set(text.toLowerCase().match(/[a-z]+/g));
  return [...new Set(words)].filter((word) => !own.has(word));
}
