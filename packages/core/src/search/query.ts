import { Spelling, searchWords } from '../near-names.ts';
import { byCodePoint } from '../values/index.ts';
import type { DocumentVectors } from './document-vectors.ts';
import { type Action, askedActions, otherVerbs, STOP_WORDS } from './fields.ts';
import type { Postings } from './postings.ts';
import type { ToolIndex } from './tool-index.ts';
import type { VisibleDocuments } from './view.ts';

/** The most characters that are read of a query. */
export const LONGEST_QUERY = 1_000;
/** The most that are looked at: half of them at the start, half at the end. */
const MOST_SEEN = 20_000;
/** A longer sentence is divided. */
const LONGEST_PASSAGE = 300;
/** Passages at the end of a long text that are read. */
const LAST = 2;

const SENTENCE_END = /(?<=[.?!])\s+|(?<=[。？！])|\n+/;
/** What stands before and behind JSON in a call of a tool or a block of code. */
const BEFORE_JSON = /^[\s`\w.(]*$/;
const BEHIND_JSON = /^[\s`);]*$/;
/** The names of what says what is wanted. A `context` does not. */
const WANTED =
  /^\w*(?:query|queries|question|search|task|need|intent|request|prompt|(?<!con)text)$/i;

/**
 * Takes out of a query what says which tool is wanted: the texts of a query that is JSON, and the beginning
 * and the end of one that is longer than what is read.
 */
export function queryText(query: string): string {
  const text = needText(query);
  if (text.length <= LONGEST_QUERY) return text;
  const seen =
    text.length <= MOST_SEEN
      ? text
      : `${text.slice(0, MOST_SEEN / 2)}\n${text.slice(-MOST_SEEN / 2)}`;
  const [first = '', ...others] = seen.split(SENTENCE_END).flatMap(divided);
  return [first, ...others.slice(-LAST)].join('\n');
}

/** Whether only parts of a query are read. */
export function isCut(query: string): boolean {
  return needText(query).length > LONGEST_QUERY;
}

/** All that a query says about what is wanted, with the first of several spaces where they would make it too long. */
function needText(query: string): string {
  const text = unwrapped(query);
  return text.length <= LONGEST_QUERY ? text : text.trim().replace(/(\s)\s+/g, '$1');
}

/** Divides a sentence without an end at spaces. */
function divided(sentence: string): readonly string[] {
  const trimmed = sentence.trim();
  if (trimmed === '') return [];
  if (trimmed.length <= LONGEST_PASSAGE) return [trimmed];
  const space = trimmed.lastIndexOf(' ', LONGEST_PASSAGE);
  const end = space > 0 ? space : LONGEST_PASSAGE;
  return [trimmed.slice(0, end), ...divided(trimmed.slice(end))];
}

/**
 * The texts of a query that is JSON, or a call with JSON; else the query. Each step takes linear time:
 * a single regular expression would backtrack at each space.
 */
function unwrapped(query: string): string {
  const start = query.search(/[{[]/);
  const end = Math.max(query.lastIndexOf('}'), query.lastIndexOf(']')) + 1;
  if (!BEFORE_JSON.test(query.slice(0, start)) || !BEHIND_JSON.test(query.slice(end))) return query;
  try {
    const texts = textsIn(JSON.parse(query.slice(start, end)), '', false);
    const wanted = texts.filter(({ isWanted }) => isWanted);
    return (wanted.length > 0 ? wanted : texts).map(({ text }) => text).join('\n') || query;
  } catch {
    return query;
  }
}

interface NamedText {
  readonly text: string;
  readonly isWanted: boolean;
}

function textsIn(value: unknown, name: string, isWanted: boolean): NamedText[] {
  const isOwn = isWanted || WANTED.test(name);
  if (typeof value === 'string') return [{ text: value, isWanted: isOwn }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, isList ? name : key, isOwn));
}

/** Where a clause ends. */
const CLAUSE_END = /[.?!;:,\n]+|\s[+&|]\s|\b(?:and|or|then|also|plus|but|as well as)\b/i;
/** Queries of fewer words are not divided. */
const LONG_QUERY = 8;
/** Shorter clauses are joined to the next one. */
const MIN_CLAUSE = 2;

/** Finds the phrases among the words of a text. */
export type FindPhrases = (words: readonly string[]) => readonly string[];

/** A query as lists of words and phrases: all that say something, and the same clause by clause. */
export interface Query {
  readonly words: readonly string[];
  /** Empty for a query that is one clause. */
  readonly clauses: readonly (readonly string[])[];
  /** What the clauses ask for, as far as they say it. */
  readonly actions: ReadonlySet<Action>;
}

/** Reads a query without polite words, unless there are no others. The phrases come after the words. */
export function readQuery(text: string, phrasesIn: FindPhrases): Query {
  const [all = [], ...parts] = [text, ...text.split(CLAUSE_END)].map(searchWords);
  const actions = askedActions(parts);
  const words = tellingWords(all);
  const clauses: string[][] = [];
  let open: string[] = [];
  for (const part of words.length < LONG_QUERY ? [] : parts) {
    open.push(...tellingWords(part), ...phrasesIn(part));
    if (open.length < MIN_CLAUSE) continue;
    clauses.push(open);
    open = [];
  }
  if (open.length > 0) clauses.push(open);
  return {
    words: [...words, ...phrasesIn(all)],
    clauses: clauses.length > 1 ? clauses : [],
    actions,
  };
}

function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** What a repaired word counts in relation to a word that matches. */
const REPAIR_TRUST = 0.6;

/** A word of a query. */
export interface QueryTerm {
  /** The word as the query has it. */
  readonly word: string;
  /** The word in the index: the same, or its repair. */
  readonly known: string;
  /** How often the query has the word. */
  readonly count: number;
  /** The number of the known word; -1 if the index has only its stem, or nothing. */
  readonly exact: number;
  /** The number of the known word's stem; -1 for an unknown word. */
  readonly stem: number;
  /** From 0 to 1: 1 for a word that the index has, less for a repair, 0 for an unknown word. */
  readonly trust: number;
}

/** Looks up the words of queries in an index. */
export class QueryTerms {
  readonly #index: ToolIndex;
  readonly #vectors: DocumentVectors | undefined;
  readonly #repairs: Repairs;

  constructor(index: ToolIndex, vectors?: DocumentVectors) {
    this.#index = index;
    this.#vectors = vectors;
    this.#repairs = new Repairs(index);
  }

  /** The terms of a list of words. Words that no visible document contains are repaired where possible. */
  of(words: readonly string[], view: VisibleDocuments): QueryTerm[] {
    const { vocabulary, stems } = this.#index;
    const counts = Map.groupBy(words, (word) => word);
    const terms: readonly QueryTerm[] = [...counts].map(([word, { length: count }]) => ({
      ...{ word, known: word, count, trust: 0 },
      ...vocabulary.find(word),
    }));
    const missing = new Set<string>();
    for (const { word, stem } of terms)
      if (stem < 0 || view.documentFrequency(stems, stem) === 0) missing.add(word);
    const withVector = this.#vectors?.knownOf(missing);
    return terms.map((term) => {
      if (!missing.has(term.word)) return { ...term, trust: 1 };
      // A word with a vector is no mistake.
      if (withVector?.has(term.word)) return term;
      const known = this.#repairs.nearest(term.word, view);
      if (known === undefined) return term;
      return { ...term, known, ...vocabulary.find(known), trust: REPAIR_TRUST };
    });
  }

  /** Other verbs for the first word, which mostly is the verb. Without those that are terms already. */
  otherVerbs([first, ...others]: readonly QueryTerm[], trust: number): QueryTerm[] {
    if (first === undefined || trust === 0) return [];
    const own = new Set([first, ...others].map(({ stem }) => stem));
    return otherVerbs(first.known).flatMap((word) => {
      const found = this.#index.vocabulary.find(word);
      if (own.has(found.stem)) return [];
      return [{ word, known: word, count: first.count, ...found, trust }];
    });
  }

  /** Whether a visible document contains a word with the same stem. */
  isKnown(word: string, view: VisibleDocuments): boolean {
    const { vocabulary, stems } = this.#index;
    const { stem } = vocabulary.find(word);
    return stem >= 0 && view.documentFrequency(stems, stem) > 0;
  }
}

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5;
/** Words of this length may have two errors. */
const LONG = 8;
const MAX_LENGTH = 40;

interface KnownWord {
  /** In the vocabulary. */
  readonly number: number;
  readonly spelling: Spelling;
}

/** Finds the word that was meant where a query has one that no document contains. */
export class Repairs {
  readonly #index: ToolIndex;
  /** The words of the vocabulary that can be meant, by their first character. */
  readonly #words = new Map<string, KnownWord[]>();
  /** The same by all characters but the first. */
  readonly #byRest = new Map<string, KnownWord[]>();
  #read = 0;

  constructor(index: ToolIndex) {
    this.#index = index;
  }

  /**
   * The word of a visible document with the fewest edits, at most one, or two in a long word. If the first
   * letter is wrong, the rest must be right. Between equals, the more frequent word is chosen.
   */
  nearest(word: string, view: VisibleDocuments): string | undefined {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
    this.#readNew();
    const allowed = word.length < LONG ? 1 : 2;
    const wanted = new Spelling(word);
    let best: WordCorrection | undefined;
    for (const { number, spelling } of this.#candidates(word)) {
      const edits = wanted.editsTo(spelling, best?.edits ?? allowed);
      if (edits > allowed) continue;
      const frequency = view.documentFrequency(this.#index.exacts, number);
      const repair = { word: spelling.text, edits, frequency };
      if (frequency > 0 && (best === undefined || isBetter(repair, best))) best = repair;
    }
    return best?.word;
  }

  /** Words with the same first letter, and those that differ in it alone: another one, none, or one too many. */
  #candidates(word: string): readonly KnownWord[] {
    const rest = word.slice(1);
    const swapped = word.charAt(0) + word.slice(2);
    const others = [word, rest, swapped].flatMap((end) => this.#byRest.get(end) ?? []);
    const longer = this.#words
      .get(rest.charAt(0))
      ?.filter(({ spelling }) => spelling.text === rest);
    return [...(this.#words.get(word.charAt(0)) ?? []), ...others, ...(longer ?? [])];
  }

  #readNew(): void {
    const words = this.#index.vocabulary.list();
    for (; this.#read < words.length; this.#read++) {
      const word = words[this.#read] ?? '';
      const known = { number: this.#read, spelling: new Spelling(word) };
      add(this.#words, word.charAt(0), known);
      if (word.length >= MIN_LENGTH - 1) add(this.#byRest, word.slice(1), known);
    }
  }
}

function add(lists: Map<string, KnownWord[]>, key: string, word: KnownWord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [word]);
  else list.push(word);
}

/** A word that may have been meant. */
interface WordCorrection {
  readonly word: string;
  readonly edits: number;
  readonly frequency: number;
}

function isBetter(one: WordCorrection, other: WordCorrection): boolean {
  if (one.edits !== other.edits) return one.edits < other.edits;
  if (one.frequency !== other.frequency) return one.frequency > other.frequency;
  return byCodePoint(one.word, other.word) < 0;
}

/** A stem or an exact word that visible documents contain. */
export interface WeightedTerm {
  /** The number of the stem or of the word. */
  readonly term: number;
  /** What the weight of a posting is multiplied by. */
  readonly factor: number;
  /** The inverse document frequency among the visible documents, times the trust. */
  readonly idf: number;
}

/** The weights of a query, or of one clause of it, in a view. */
export interface QueryWeights {
  readonly stems: readonly WeightedTerm[];
  readonly words: readonly WeightedTerm[];
}

/** Weighs terms: each stem once, and the exact words. `exact` is the share of exact words in a score. */
export function weighQuery(
  terms: readonly QueryTerm[],
  { stems, exacts }: ToolIndex,
  view: VisibleDocuments,
  exact: number,
): QueryWeights {
  const trustOf = new Map<number, number>();
  for (const { stem, trust } of terms)
    if (stem >= 0) trustOf.set(stem, Math.max(trust, trustOf.get(stem) ?? 0));
  const weigh = (postings: Postings, term: number, trust: number, share: number) => {
    const documentFrequency = term < 0 || trust === 0 ? 0 : view.documentFrequency(postings, term);
    if (documentFrequency === 0) return [];
    const idf = trust * view.idf(documentFrequency);
    return [{ term, idf, factor: share * idf }];
  };
  return {
    stems: [...trustOf].flatMap(([term, trust]) => weigh(stems, term, trust, 1 - exact)),
    words: terms.flatMap(({ exact: term, trust }) => weigh(exacts, term, trust, exact)),
  };
}
