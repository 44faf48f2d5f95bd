import type { PreloadTurn } from '@toolfold/ai-sdk';
import type { Category } from '@toolfold/config/internal/config';
import { groupSlug } from '@toolfold/core/internal/tools/names';
import { splitWords } from '@toolfold/core/internal/tools/names/near';
import { type Addressed, matchesTool } from '@toolfold/core/internal/tools/registry/globs';
import { OWN_GROUP } from '@toolfold/core/internal/tools/tool';
import type { Signs } from './likelihood.ts';
import type { Router } from './routing.ts';

/** Below this many words, the last assistant message is searched too: it says more than the user's text. */
const FEW_WORDS = 5;
/** Characters at the end of the assistant message that are searched. */
const TAIL = 300;
/** Limit of texts that are searched for one message: all of it, and its clauses. */
const MAX_TEXTS = 6;

/** A tool that may be preloaded. */
export interface Candidate {
  /** The canonical name. */
  readonly key: string;
  readonly signs: Signs;
  /** Whether the turn names its server, its subject and a word of its name, or all words of its name if there are several. */
  readonly isNamed: boolean;
}

export interface CandidateOptions extends Pick<PreloadTurn, 'search'> {
  /** The whole text first, then its clauses. */
  readonly texts: readonly string[];
  /** A tool's name without its group. */
  readonly bareOf: (key: string) => string;
  readonly inCategory: ReadonlySet<string>;
  /** Tools of the servers that the text names. */
  readonly inServer: ReadonlySet<string>;
}

/** Hits of each text that may be preloaded. One more is read, for comparison. */
const HITS = 3;
/** Characters of a text whose words are compared with names. */
const READ = 1_000;

/** The tools that `preloadBy` chooses from. */
export function candidatesFor(
  router: Router,
  { user: userText, assistant, tools, search }: PreloadTurn,
  words?: string,
): readonly Candidate[] {
  const user = words ?? userText;
  const isShort = user.trim().split(/\s+/).length < FEW_WORDS;
  const texts =
    isShort && assistant ? [`${assistant.slice(-TAIL)} ${user}`, user] : clausesOf(user);
  const bareNames = new Map(tools.map(({ name, bare }) => [name, bare]));
  return candidatesOf({
    texts,
    search,
    bareOf: (key) => bareNames.get(key) ?? key,
    inCategory: toolsInCategories(router.match({ user, assistant }), tools),
    inServer: toolsOfServersIn(texts[0] ?? '', tools),
  });
}

/** The tools of the servers whose names are in a text, such as `git` and `google-maps`. */
function toolsOfServersIn(text: string, view: readonly Addressed[]): ReadonlySet<string> {
  const words = new Set(splitWords(text.slice(0, READ)));
  const isNamed = (groupId: string | undefined): boolean => {
    if (groupId === undefined || groupId === OWN_GROUP) return false;
    const own = splitWords(groupSlug(groupId));
    return own.length > 0 && own.every((word) => words.has(word));
  };
  const groups = new Set(view.map(({ groupId }) => groupId).filter(isNamed));
  return new Set(view.flatMap(({ name, groupId }) => (groups.has(groupId) ? [name] : [])));
}

/** The tools of these categories within the view, by canonical name. */
export function toolsInCategories(
  categories: readonly Category[],
  view: readonly Addressed[],
): ReadonlySet<string> {
  const globs = new Set(categories.flatMap(({ tools }) => tools));
  const matched = view.filter((tool) => [...globs].some((glob) => matchesTool(glob, tool)));
  return new Set(matched.map(({ name }) => name));
}

/** The text and its clauses, because people ask for several things at once. */
export function clausesOf(text: string): readonly string[] {
  const clauses = text.split(/[.;!?\n]+|\b(?:and|then|und|dann|et|puis|y|luego)\b/iu);
  const trimmed = clauses.map((clause) => clause.trim()).filter((clause) => clause !== '');
  return trimmed.length < 2 ? [text] : [...new Set([text, ...trimmed])].slice(0, MAX_TEXTS);
}

/** The best hits of each text with their signs. None if scores are not between 0 and 1. */
export function candidatesOf(options: CandidateOptions): readonly Candidate[] {
  const { texts, search, bareOf, inCategory, inServer } = options;
  const found = new Map<string, { signs: Signs; best: number; isNamed: boolean }>();
  for (const [at, text] of texts.entries()) {
    const hits = search(text, HITS + 1);
    if (hits.some(({ score }) => !(score >= 0 && score <= 1))) return [];
    const words = [...new Set(splitWords(text.slice(0, READ)))];
    const rated = hits.map(({ score, relevance = score }) => relevance);
    for (const [rank, { key, score }] of hits.slice(0, HITS).entries()) {
      const before = found.get(key);
      const own = rated[rank] ?? 0;
      const rival = rated[rank === 0 ? 1 : 0] ?? 0;
      const name = splitWords(bareOf(key));
      const isBest = score > (before?.best ?? -1);
      const signs: Signs = {
        score: at === 0 ? score : (before?.signs.score ?? 0),
        lead: Math.max(own - rival, before?.signs.lead ?? -1),
        gap: Math.max(own - (rated[HITS] ?? 0), before?.signs.gap ?? -1),
        first: rank === 0 ? 1 : (before?.signs.first ?? 0),
        named: Math.max(shareOf(name, words), before?.signs.named ?? 0),
        length: isBest || !before ? Math.log(1 + words.length) : before.signs.length,
        category: inCategory.has(key) || inServer.has(key) ? 1 : 0,
      };
      const isNamed =
        inServer.has(key) ||
        (signs.named > 0 && signs.category > 0) ||
        (signs.named === 1 && name.length > 1);
      found.set(key, { signs, best: Math.max(score, before?.best ?? 0), isNamed });
    }
  }
  return [...found].map(([key, { signs, isNamed }]) => ({ key, signs, isNamed }));
}

/** The share of the words that the others contain, also in another form: `searching` for `search`. */
function shareOf(words: readonly string[], others: readonly string[]): number {
  const held = words.filter((word) => others.some((other) => areForms(word, other)));
  return words.length === 0 ? 0 : held.length / words.length;
}

/** Longest ending that differs between two forms of a word. */
const ENDING = 3;

function areForms(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const same = Math.max(Math.min(4, shorter.length), longer.length - ENDING);
  return longer.startsWith(shorter.slice(0, same)) && shorter.length >= same;
}
