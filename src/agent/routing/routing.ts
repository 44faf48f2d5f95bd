import type { Category, CategorySettings } from '../../config/index.ts';
import { ToolfoldError } from '../../errors.ts';
import { byCodePoint } from '../../tools/values/index.ts';
import { CATEGORIES } from './categories.ts';
import { ADDRESS_SHAPE, PATH_SHAPE, textWords } from './text-words.ts';

/** The matched texts: the user's, and the last assistant message, for answers such as "yes, do that". */
export interface RoutedTurn {
  readonly user: string;
  readonly assistant?: string;
}

/** Finds the categories that match the words of a turn. */
export interface Router {
  /** The matched categories in table order; empty for small talk. Work is bounded for any text. */
  match(turn: RoutedTurn): readonly Category[];
}

/** A node of the phrase tree: the possible next words, and the categories whose phrases end here. */
interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  readonly matched: Category[];
  readonly excluded: Category[];
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

function routerOf(categories: readonly Category[]): Router {
  const root = newNode();
  const shapes = new Map<string, Category[]>();
  for (const category of categories) {
    for (const phrase of category.words) {
      const shape = shapeOf(phrase);
      if (shape !== undefined) shapes.set(shape, [...(shapes.get(shape) ?? []), category]);
      else
        for (const words of forms(wordsOf(phrase, category)))
          at(root, words).matched.push(category);
    }
    for (const phrase of category.not ?? []) {
      at(root, wordsOf(phrase, category)).excluded.push(category);
    }
  }

  /** Adds the categories of a text. The work per position is bounded by the longest phrase. */
  function collect(text: string, found: Set<Category>): void {
    const words = textWords(text);
    /** For each category, the end of the excluded phrases found so far. */
    const excludedUntil = new Map<Category, number>();
    for (const [start, { shape }] of words.entries()) {
      const ends: (readonly [Category, number])[] = [];
      let node = root.next.get(words[start]?.word ?? '');
      for (let end = start + 1; node !== undefined; end++) {
        for (const category of node.excluded) {
          excludedUntil.set(category, Math.max(end, excludedUntil.get(category) ?? 0));
        }
        for (const category of node.matched) ends.push([category, end]);
        node = node.next.get(words[end]?.word ?? '');
      }
      for (const category of shapes.get(shape ?? '') ?? []) ends.push([category, start + 1]);
      for (const [category, end] of ends) {
        if (end > (excludedUntil.get(category) ?? 0)) found.add(category);
      }
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

function newNode(): PhraseNode {
  return { next: new Map(), matched: [], excluded: [] };
}

function at(root: PhraseNode, words: readonly string[]): PhraseNode {
  let node = root;
  for (const word of words) {
    const next = node.next.get(word) ?? newNode();
    node.next.set(word, next);
    node = next;
  }
  return node;
}

function shapeOf(phrase: string): string | undefined {
  const isShape =
    phrase === PATH_SHAPE || phrase === ADDRESS_SHAPE || /^\*\.[a-z0-9]+$/.test(phrase);
  return isShape ? phrase : undefined;
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
