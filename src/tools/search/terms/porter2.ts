/**
 * The English stemmer Porter2 (Snowball English), after its published description. `y` that acts as a
 * consonant is written `Y` inside. Regions start at R1 and R2: behind the first consonant that follows
 * a vowel, and the same again.
 */

const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const SHORT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

/** Whole words with a stem of their own. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }),
);
const UNCHANGED = new Set(['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']);
/** Words that step 1a leaves whole. */
const COMPLETE = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

/** Endings with their replacements; the longest that fits decides, and only inside R1. */
const STEP_2: readonly (readonly [string, string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

/** The stem of a lower-case word. Words with other than the letters a to z are returned as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || UNCHANGED.has(word)) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word);
  const r1 = startOfR1(marked);
  const r2 = regionAfter(marked, r1);
  const plural = step1a(marked);
  if (COMPLETE.has(plural)) return plural;
  let result = step1c(step1b(plural, r1));
  result = replaceIn(result, r1, STEP_2) ?? step2Rest(result, r1);
  result = step3(result, r1, r2);
  return step5(step4(result, r2), r1, r2).toLowerCase();
}

function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let marked = '';
  for (const letter of word) {
    const isConsonant = letter === 'y' && (marked === '' || /[aeiouy]$/.test(marked));
    marked += isConsonant ? 'Y' : letter;
  }
  return marked;
}

function startOfR1(word: string): number {
  const special = /^(?:gener|commun|arsen)/.exec(word);
  return special ? special[0].length : regionAfter(word, 0);
}

function regionAfter(word: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return match ? from + match.index + 2 : word.length;
}

function isShort(word: string, r1: number): boolean {
  return r1 >= word.length && SHORT_END.test(word);
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith('s')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!ending || !VOWEL.test(word.slice(0, ending.index))) return word;
  const rest = word.slice(0, ending.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return isShort(rest, r1) ? `${rest}e` : rest;
}

function step1c(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

/** The word with its longest listed ending replaced if that lies at `from` or later; undefined if none fits. */
function replaceIn(
  word: string,
  from: number,
  endings: readonly (readonly [string, string])[],
): string | undefined {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return undefined;
  const [ending, replacement] = found;
  const at = word.length - ending.length;
  return at >= from ? word.slice(0, at) + replacement : word;
}

function step2Rest(word: string, r1: number): string {
  if (word.endsWith('ogi')) {
    return word.length - 3 >= r1 && word.endsWith('logi') ? word.slice(0, -1) : word;
  }
  return /[cdeghkmnrt]li$/.test(word) && word.length - 2 >= r1 ? word.slice(0, -2) : word;
}

function step3(word: string, r1: number, r2: number): string {
  const replaced = replaceIn(word, r1, STEP_3);
  if (replaced !== undefined) return replaced;
  return word.endsWith('ative') && word.length - 5 >= r2 ? word.slice(0, -5) : word;
}

function step4(word: string, r2: number): string {
  const found = STEP_4.exec(word);
  if (found) return found.index >= r2 ? word.slice(0, found.index) : word;
  return /[st]ion$/.test(word) && word.length - 3 >= r2 ? word.slice(0, -3) : word;
}

function step5(word: string, r1: number, r2: number): string {
  const at = word.length - 1;
  if (word.endsWith('ll')) return at >= r2 ? word.slice(0, -1) : word;
  if (!word.endsWith('e')) return word;
  const rest = word.slice(0, -1);
  return at >= r2 || (at >= r1 && !SHORT_END.test(rest)) ? rest : word;
}
