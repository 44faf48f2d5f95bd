import { readFileSync } from 'node:fs';
import { searchWords } from '../packages/core/src/near-names.ts';

/** Phrases that mean the same, with one space between their words, and the words that say what they mean. */
export interface Glossed {
  readonly gloss: readonly string[];
  readonly phrases: readonly string[];
}

/** Reads `words/phrases.tsv`, in words as a search splits them. Throws an error if a phrase is there twice. */
export function readPhrases(): Glossed[] {
  const lines = readFileSync(new URL('words/phrases.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const known = new Set<string>();
  return lines.map((line) => {
    const [gloss = '', list = ''] = line.split('\t');
    const phrases = list.split(', ').map((phrase) => searchWords(phrase).join(' '));
    for (const phrase of phrases) {
      if (known.has(phrase) || !phrase.includes(' '))
        throw new Error(`"${phrase}" is no new phrase.`);
      known.add(phrase);
    }
    return { gloss: gloss.split(' '), phrases };
  });
}
