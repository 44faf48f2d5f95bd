import type { ChoosePreload, PreloadTurn } from '@toolfold/ai-sdk';
import type { Category } from '@toolfold/config/internal/settings';
import { splitWords } from '@toolfold/core/internal/near-names.ts';
import { DEFAULT_WORKLOAD } from '@toolfold/core/internal/request';
import { groupSlug, OWN_GROUP } from '@toolfold/core/internal/tool';
import { type Addressed, byCodePoint, matchesTool } from '@toolfold/core/internal/values';
import type { Router } from './routing.ts';

/** Limits of the schemas that one turn may preload. */
interface PreloadLimit {
  readonly schemas: number;
  readonly tokens: number;
}

/** Input of a preload choice. */
export interface PreloadOptions
  extends Pick<PreloadTurn, 'hasShown' | 'tokensOf'>,
    Partial<Pick<PreloadTurn, 'requestTokens'>> {
  readonly candidates: readonly PreloadCandidate[];
  /** The likelihood below which no schema is preloaded, whatever it saves. */
  readonly least?: number;
  readonly limit?: PreloadLimit;
}

/** Default limits of a turn. */
export const PRELOAD_LIMIT: PreloadLimit = { schemas: 3, tokens: 1_500 };

/** A schema that is more likely wrong than right distracts the model, however small it is. */
const LEAST_LIKELIHOOD = 0.5;

/**
 * Whether a schema is expected to save tokens. A right one saves a load: one request less. A wrong one is
 * sent in vain, with each request that a conversation is assumed to have.
 */
function saves(likelihood: number, tokens: number, requestTokens: number): boolean {
  return likelihood * requestTokens > (1 - likelihood) * tokens * DEFAULT_WORKLOAD.turns;
}

/**
 * Preloads the schemas that most likely save more tokens than they cost. Searches the text and each of its
 * clauses, and also the last assistant message if the user's text is short. Preloads nothing if the scores of
 * the search cannot be compared. `words` replace the user's text where the request is known more exactly.
 */
export function preloadBy(router: Router, words?: string): ChoosePreload {
  return (turn) => choosePreload({ ...turn, candidates: candidatesFor(router, turn, words) });
}

/**
 * Chooses the likeliest schemas, best first. Skips schemas that are shown, not loaded or too large, and those
 * that are expected to cost more than they save. Skips tools that the turn does not name: small talk finds such tools.
 * Without `requestTokens`, no schema costs too much.
 */
export function choosePreload(options: PreloadOptions): readonly string[] {
  const { candidates, least = LEAST_LIKELIHOOD, limit = PRELOAD_LIMIT } = options;
  const wanted = candidates
    .filter(({ isNamed }) => isNamed)
    .map(({ key, signs }) => ({ key, likelihood: likelihoodOf(signs) }))
    .filter(({ likelihood }) => likelihood >= least)
    .sort((a, b) => b.likelihood - a.likelihood || byCodePoint(a.key, b.key));

  const chosen: string[] = [];
  let requestTokens: number | undefined;
  let left = limit.tokens;
  for (const { key, likelihood } of wanted) {
    if (chosen.length >= limit.schemas) break;
    const tokens = options.hasShown(key) ? undefined : options.tokensOf(key);
    if (tokens === undefined || tokens > left) continue;
    requestTokens ??= options.requestTokens?.() ?? Infinity;
    if (!saves(likelihood, tokens, requestTokens)) continue;
    chosen.push(key);
    left -= tokens;
  }
  return chosen;
}

/** Below this many words, the last assistant message is searched too: it says more than the user's text. */
const FEW_WORDS = 5;
/** Characters at the end of the assistant message that are searched. */
const TAIL = 300;
/** Limit of texts that are searched for one message: all of it, and its clauses. */
const MAX_TEXTS = 6;

/** A tool that may be preloaded. */
export interface PreloadCandidate {
  /** The canonical name. */
  readonly key: string;
  readonly signs: PreloadSigns;
  /** Whether the turn names its server, its subject and a word of its name, or all words of its name if there are several. */
  readonly isNamed: boolean;
}

interface CandidateOptions extends Pick<PreloadTurn, 'search'> {
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
): readonly PreloadCandidate[] {
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
export function candidatesOf(options: CandidateOptions): readonly PreloadCandidate[] {
  const { texts, search, bareOf, inCategory, inServer } = options;
  const found = new Map<string, { signs: PreloadSigns; best: number; isNamed: boolean }>();
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
      const signs: PreloadSigns = {
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

/** What is known about a tool that a search has found for a text or for one of its clauses. */
export interface PreloadSigns {
  /** The score for the whole text, from 0 to 1; 0 if only a clause found the tool. */
  readonly score: number;
  /**
   * By how much the ranking rates the tool above the second hit, or below the first one (then below 0), as a
   * share of the first. The best clause counts.
   */
  readonly lead: number;
  /** The same above the fourth hit. The best clause counts. */
  readonly gap: number;
  /** 1 if the tool is the first hit of the text or of a clause, else 0. */
  readonly first: number;
  /** The share of the words of the tool's name that the clause contains, from 0 to 1. */
  readonly named: number;
  /** The logarithm of 1 + the number of distinct words in the clause. Few words may match by chance. */
  readonly length: number;
  /** 1 if the tool belongs to a category whose words the turn contains, or to a server that it names, else 0. */
  readonly category: number;
}

/** The weight of each sign in the logarithm of the odds, and the logarithm where there is no sign. */
type SignWeights = Readonly<Record<keyof PreloadSigns | 'none', number>>;

/** A logistic regression over development queries: `npm run bench:preload -- --dev` prints it. */
export const SIGN_WEIGHTS: SignWeights = {
  none: -5.6,
  score: 1.4,
  lead: 1.5,
  gap: 1.7,
  first: 0.5,
  named: 1.8,
  length: 0.6,
  category: 1.4,
};

/** The names of all signs. */
export const SIGNS: readonly (keyof PreloadSigns)[] = Object.keys(SIGN_WEIGHTS).filter(
  (name) => name !== 'none',
) as (keyof PreloadSigns)[];

/** How likely the tool is one that the turn needs, from 0 to 1. */
export function likelihoodOf(signs: PreloadSigns, weights: SignWeights = SIGN_WEIGHTS): number {
  const logOdds = SIGNS.reduce((sum, sign) => sum + weights[sign] * signs[sign], weights.none);
  return 1 / (1 + Math.exp(-logOdds));
}
