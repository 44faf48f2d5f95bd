import type { Category, CategorySettings } from '@toolfold/config/internal/config';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type Addressed, matchesTool } from '@toolfold/core/internal/tools/registry/globs';
import { byCodePoint } from '@toolfold/core/internal/tools/values';
import type { ModelMessage } from 'ai';
import { partsOf, textOf } from '../state/index.ts';
import { CATEGORIES } from './categories.ts';
import { ADDRESS_SHAPE, PATH_SHAPE, textWords } from './text-words.ts';

/** The matched texts: the user's, and the last assistant message, for answers such as "yes, do that". */
export interface RoutedTurn {
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
type Phrases = Map<string, Category[]>;

function routerOf(categories: readonly Category[]): Router {
  const matched: Phrases = new Map();
  const excluded: Phrases = new Map();
  /** The number of words of the longest phrase. */
  let longest = 1;
  const add = (phrases: Phrases, words: readonly string[], category: Category) => {
    longest = Math.max(longest, words.length);
    const key = words.join(' ');
    phrases.set(key, [...(phrases.get(key) ?? []), category]);
  };
  for (const category of categories) {
    for (const phrase of category.words)
      if (isShape(phrase)) add(matched, [phrase], category);
      else for (const words of forms(wordsOf(phrase, category))) add(matched, words, category);
    for (const phrase of category.not ?? []) add(excluded, wordsOf(phrase, category), category);
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

function wordsOf(phrase: string, category: Category): readonly string[] {
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
