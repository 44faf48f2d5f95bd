import type { Category, CategorySettings } from '@toolfold/config/internal/settings';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type Addressed, byCodePoint, matchesTool } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import { partsOf, textOf } from '../state/index.ts';
import { CATEGORIES } from './categories.ts';

/** The matched texts: the user's, and the last assistant message, for answers such as "yes, do that". */
interface RoutedTurn {
  readonly user: string;
  readonly assistant?: string | undefined;
}

/** Finds the categories that match the words of a turn. */
export interface Router {
  /** The matched categories in table order; empty for small talk. Work is bounded for any text. */
  match(turn: RoutedTurn): readonly Category[];
}

/** Routers by category list. Many agents, such as subagents, share one list. */
const made = new WeakMap<readonly Category[] | CategorySettings, Router>();

/**
 * Creates a router that matches whole words and phrases. Ignores case, punctuation and English plural
 * forms. Throws `invalid-option` for a phrase without a letter or digit, which could never match.
 */
export function createRouter(
  categories: readonly Category[] | CategorySettings = CATEGORIES,
): Router {
  const router =
    made.get(categories) ?? routerOf(isList(categories) ? categories : categoriesWith(categories));
  made.set(categories, router);
  return router;
}

function isList(
  categories: readonly Category[] | CategorySettings,
): categories is readonly Category[] {
  return Array.isArray(categories);
}

/** Categories by the words of a phrase, with a space between two, or by the shape of an expression. */
type PhraseTable = Map<string, Category[]>;

function routerOf(categories: readonly Category[]): Router {
  const matched: PhraseTable = new Map();
  const excluded: PhraseTable = new Map();
  /** The number of words of the longest phrase. */
  let longest = 1;
  const add = (phrases: PhraseTable, words: readonly string[], category: Category) => {
    longest = Math.max(longest, words.length);
    const key = words.join(' ');
    phrases.set(key, [...(phrases.get(key) ?? []), category]);
  };
  for (const category of categories) {
    for (const phrase of category.words)
      if (isShape(phrase)) add(matched, [phrase], category);
      else
        for (const words of forms(wordsOfPhrase(phrase, category))) add(matched, words, category);
    for (const phrase of category.not ?? [])
      add(excluded, wordsOfPhrase(phrase, category), category);
  }

  /** Adds the categories of a text. The work per position is bounded by the longest phrase. */
  function collect(text: string, found: Set<Category>): void {
    const words = textWords(text);
    /** For each category, the end of the excluded phrases found so far. */
    const excludedUntil = new Map<Category, number>();
    for (const [start, { shape = '' }] of words.entries()) {
      const ends = (matched.get(shape) ?? []).map((category) => [category, start + 1] as const);
      let phrase = '';
      for (const [at, { word }] of words.slice(start, start + longest).entries()) {
        const end = start + at + 1;
        phrase = at === 0 ? word : `${phrase} ${word}`;
        for (const category of excluded.get(phrase) ?? [])
          excludedUntil.set(category, Math.max(end, excludedUntil.get(category) ?? 0));
        for (const category of matched.get(phrase) ?? []) ends.push([category, end]);
      }
      for (const [category, end] of ends)
        if (end > (excludedUntil.get(category) ?? 0)) found.add(category);
    }
  }

  return {
    match({ user, assistant }) {
      const found = new Set<Category>();
      collect(user, found);
      if (assistant !== undefined) collect(assistant, found);
      return categories.filter((category) => found.has(category));
    },
  };
}

/** The built-in categories with the user's. The same name replaces a category; `false` removes it. */
export function categoriesWith(user: CategorySettings): readonly Category[] {
  const byName = new Map(CATEGORIES.map((category) => [category.name, category]));
  for (const [name, settings] of Object.entries(user)) {
    if (settings === false) byName.delete(name);
    else byName.set(name, { ...settings, name });
  }
  return [...byName.values()];
}

/** The globs of all these categories, each once, sorted by code point. */
export function toolsOf(categories: readonly Category[]): readonly string[] {
  return [...new Set(categories.flatMap(({ tools }) => tools))].sort(byCodePoint);
}

/**
 * Globs of all tools whose categories the conversation has matched, and of all tools it has used,
 * sorted. Empty if it needs none. Depends only on the messages, so a category stays once matched.
 */
export function narrowTo(
  router: Router,
  messages: readonly ModelMessage[],
  addressOf: (name: string) => Addressed,
): readonly string[] {
  const categories = new Set<Category>();
  const used = new Set<string>();
  let assistant: string | undefined;
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === 'user') {
      for (const category of router.match({ user: text, assistant })) categories.add(category);
    }
    if (message.role !== 'assistant') continue;
    if (text !== '') assistant = text;
    for (const part of partsOf([message])) if (part.type === 'tool-call') used.add(part.toolName);
  }
  const globs = toolsOf([...categories]);
  // A tool that a category covers is not added: another glob would begin another epoch.
  const others = [...used].filter((name) => {
    const address = addressOf(name);
    return !globs.some((glob) => matchesTool(glob, address));
  });
  return [...new Set([...globs, ...others])].sort();
}

/** Whether it stands for the shape of an expression: a path, a mail address or a file ending. */
function isShape(phrase: string): boolean {
  return phrase === PATH_SHAPE || phrase === ADDRESS_SHAPE || /^\*\.[a-z0-9]+$/.test(phrase);
}

function wordsOfPhrase(phrase: string, category: Category): readonly string[] {
  const words = textWords(phrase).map(({ word }) => word);
  if (words.length > 0) return words;
  throw new ToolfoldError(
    'invalid-option',
    `The phrase "${phrase}" of category "${category.name}" can never match.`,
    'Use a phrase with at least one letter or digit.',
  );
}

/** The phrase, and also its plural if its last word is a lower-case ASCII word. */
function forms(words: readonly string[]): readonly (readonly string[])[] {
  const last = words.at(-1) ?? '';
  if (!/^[a-z]+[a-rt-z]$/.test(last)) return [words];
  const plural = /(?:[xz]|[cs]h)$/.test(last)
    ? `${last}es`
    : last.replace(/([^aeiou])y$/, '$1ie').concat('s');
  return [words, [...words.slice(0, -1), plural]];
}

/** A word of a text in lower case, and the shape of the expression around it, if any. */
interface TextWord {
  readonly word: string;
  /** `*.pdf`: the word ends a file or host name. `*@*`: it is in a mail address. A path shape: it begins a path. */
  readonly shape: string | undefined;
}

/** The shapes of a path and of a mail address. All other shapes are file endings. */
const PATH_SHAPE = '*/*';
const ADDRESS_SHAPE = '*@*';

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
function textWords(text: string): TextWord[] {
  const prose = withoutFences(text);
  if (prose.length <= 2 * READ_EACH_END) return wordsIn(prose);
  // The words next to the cuts may be incomplete.
  return [
    ...wordsIn(prose.slice(0, READ_EACH_END)).slice(0, -1),
    ...wordsIn(prose.slice(-READ_EACH_END)).slice(1),
  ];
}

function wordsIn(part: string): TextWord[] {
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
