import { splitCompound } from './compounds.ts';
import type { Dictionary } from './dictionary.ts';
import { PARTICLES } from './endings.ts';
import type { English } from './english.ts';

/** The most words between a German verb and its separate part. */
const VERB_REACH = 12;

/** For each word of a query, its English words: none for a filler, `undefined` where unknown. */
export type Reading = readonly (readonly string[] | undefined)[];

/** Reads the words of a query with the words of one language. */
export type Reader = (tokens: readonly string[]) => Reading;

/** A reader for a language with phrases and endings. */
export function createReader(dictionary: Dictionary, english: English): Reader {
  return (tokens) => readPhrases(tokens, dictionary, (word) => lookUp(word, dictionary, english));
}

/** A reader that also joins separated verbs and splits compounds. */
export function createGermanReader(dictionary: Dictionary, english: English): Reader {
  const parts = {
    exact: dictionary.exact,
    german: (part: string) => lookUp(part, dictionary, english),
    isEnglish: english.isToolWord,
  };
  return (tokens) => {
    const reading = [
      ...readPhrases(tokens, dictionary, (word) => {
        const known = lookUp(word, dictionary, english);
        return known ?? (english.isWord(word) ? undefined : splitCompound(word, parts));
      }),
    ];
    joinVerbs(tokens, reading, dictionary);
    return reading;
  };
}

/** An English word is read as a word of the language only in its own form or as its plural. */
function lookUp(
  word: string,
  dictionary: Dictionary,
  english: English,
): readonly string[] | undefined {
  const exact = dictionary.exact(word);
  if (exact) return exact;
  if (!english.isWord(word)) return dictionary.inflected(word);
  return word.endsWith('s') ? dictionary.exact(word.slice(0, -1)) : undefined;
}

function readPhrases(
  tokens: readonly string[],
  dictionary: Dictionary,
  readWord: (word: string) => readonly string[] | undefined,
): Reading {
  const reading: (readonly string[] | undefined)[] = [];
  while (reading.length < tokens.length) {
    const start = reading.length;
    let length = Math.min(dictionary.longestPhrase, tokens.length - start);
    let english: readonly string[] | undefined;
    for (; length > 1; length--) {
      english = dictionary.phrase(tokens.slice(start, start + length));
      if (english) break;
    }
    reading.push(english ?? readWord(tokens[start] ?? ''));
    for (let i = 1; i < length; i++) reading.push([]);
  }
  return reading;
}

/** `Lade die Datei hoch`: the part at the end of a clause and its verb are read as one word. */
function joinVerbs(
  tokens: readonly string[],
  reading: (readonly string[] | undefined)[],
  dictionary: Dictionary,
): void {
  for (const [at, particle] of tokens.entries()) {
    if (!PARTICLES.has(particle) || !endsClause(tokens[at + 1])) continue;
    for (let i = at - 1; i >= 0 && i >= at - VERB_REACH; i--) {
      const verb = tokens[i] ?? '';
      if (/\W/.test(verb)) break;
      const joined = `${particle}${verb}`;
      const english = dictionary.exact(joined) ?? dictionary.inflected(joined);
      if (!english) continue;
      reading[i] = english;
      reading[at] = [];
      break;
    }
  }
}

function endsClause(next: string | undefined): boolean {
  return next === undefined || /^(?:\W|und$|oder$|dann$|damit$|bevor$)/.test(next);
}
