import { byCodePoint } from '../values/index.ts';
import type { DocumentVectors } from './document-vectors.ts';
import { pathOf, type Weights } from './fields.ts';
import {
  type FindPhrases,
  type Query,
  type QueryTerm,
  QueryTerms,
  type QueryWeights,
  queryText,
  readQuery,
  weighQuery,
} from './query.ts';
import { OTHER_ACTION, PostingLookup, Scorer, SemanticScorer } from './scorer.ts';
import type { IndexedTool, ToolIndex } from './tool-index.ts';
import type { VisibleDocuments } from './view.ts';

/** A document with its score. */
export interface Ranked {
  readonly tool: IndexedTool;
  readonly document: number;
  /** Its position among the documents of the search. */
  readonly position: number;
  readonly score: number;
  /** How the query matches the name as a whole. */
  readonly nameMatch: NameMatch;
  readonly similarity: number;
  /** Whether the tool is known to do something else than the query asks for. */
  readonly doesOther: boolean;
}

/** 2 where a query spells the whole name, 1 where several words of it end the name, else 0. */
export type NameMatch = 0 | 1 | 2;

/** The fewest documents of a pass that take part in the mixing of scores. */
const MIN_POOL = 100;
/** The words of a query that one tool may be expected to have: a sentence has more than any tool. */
const MOST_WORDS = 5;

/** The documents that a query finds, best first, and how the query was read. */
export interface RankedQuery {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly QueryTerm[];
  readonly lookup: PostingLookup;
  readonly view: VisibleDocuments;
}

interface RankingOptions {
  readonly weights: Weights;
  readonly vectors: DocumentVectors | undefined;
  readonly translate: ((query: string) => readonly string[]) | undefined;
  readonly phrasesIn: FindPhrases;
}

/** Orders the documents of an index by a query. */
export class Ranking {
  readonly #index: ToolIndex;
  readonly #scorer: Scorer;
  readonly #options: RankingOptions;
  readonly #terms: QueryTerms;

  constructor(index: ToolIndex, options: RankingOptions) {
    this.#index = index;
    this.#scorer = new Scorer(index);
    this.#options = options;
    this.#terms = new QueryTerms(index, options.vectors);
  }

  /** Finds and orders documents. More than `limit` take part, so that those behind can still rise. */
  rank(query: string, limit: number, allows: (key: string) => boolean): RankedQuery {
    const view = this.#index.view(allows);
    const text = queryText(query);
    const read = this.#read(text, view);
    const terms = this.#terms.of(read.words, view);
    const { weights, vectors } = this.#options;
    const queryWeights = weighQuery(terms, this.#index, view, weights.exact);
    const verbs = this.#terms.otherVerbs(terms, weights.verbs);
    const scored = withVerbs(queryWeights, weighQuery(verbs, this.#index, view, weights.exact));
    const found = this.#scorer.best(scored, view, Math.max(MIN_POOL, 4 * limit));
    const meaning = vectors && new SemanticScorer(vectors, corrected(read, terms), weights);
    const lexical = new Map(found.map(({ document, score }) => [document, score]));
    const lookup = new PostingLookup(
      new Set([...lexical.keys(), ...(meaning?.nearest(view) ?? [])]),
    );
    const scores = Float64Array.from(lookup.documents, (document) => lexical.get(document) ?? 0);
    this.#mixClauses(scores, lookup, read.clauses, terms, view);
    const ideal = idealScore(terms, queryWeights, view);
    const weight = meaning?.weight(highest(scores), ideal) ?? 0;
    return { ranked: this.#ranked(scores, lookup, meaning, weight, text), terms, lookup, view };
  }

  /** Reads a query. In another language, words that no document contains give way to English ones. */
  #read(text: string, view: VisibleDocuments): Query {
    const read = readQuery(text, this.#options.phrasesIn);
    const english = this.#options.translate?.(text) ?? [];
    if (english.length === 0) return read;
    const known = read.words.filter((word) => this.#terms.isKnown(word, view));
    return { ...read, words: [...english, ...known], clauses: [] };
  }

  /**
   * Mixes the score for the whole query with that for a document's best clause. A clause's scores are
   * put on the scale of the whole query by the best of each.
   */
  #mixClauses(
    scores: Float64Array,
    lookup: PostingLookup,
    clauses: readonly (readonly string[])[],
    terms: readonly QueryTerm[],
    view: VisibleDocuments,
  ): void {
    const top = highest(scores);
    if (clauses.length === 0 || top === 0) return;
    const termOf = new Map(terms.map((term) => [term.word, term]));
    const best = new Float64Array(scores.length);
    for (const clause of clauses) {
      const own = [...new Set(clause)].flatMap((word) => termOf.get(word) ?? []);
      const clauseWeights = weighQuery(own, this.#index, view, this.#options.weights.exact);
      const ofClause = this.#scorer.scores(clauseWeights, lookup);
      const topOfClause = highest(ofClause) || 1;
      for (let i = 0; i < scores.length; i++)
        best[i] = Math.max(best[i] ?? 0, (ofClause[i] ?? 0) / topOfClause);
    }
    const share = this.#options.weights.clause;
    for (let i = 0; i < scores.length; i++)
      scores[i] = (1 - share) * (scores[i] ?? 0) + share * top * (best[i] ?? 0);
  }

  /** Adds the similarity in meaning to the scores, and puts the documents in order. */
  #ranked(
    scores: Float64Array,
    { documents }: PostingLookup,
    meaning: SemanticScorer | undefined,
    weight: number,
    query: string,
  ): Ranked[] {
    const path = pathOf(query);
    const ranked: Ranked[] = [];
    for (const [position, document] of documents.entries()) {
      const lexical = scores[position] ?? 0;
      const similarity = meaning?.similarity(document) ?? 0;
      const tool = this.#index.tool(document);
      if (tool === undefined || (lexical === 0 && similarity <= 0)) continue;
      const doesOther = meaning?.doesOther(tool.action) ?? false;
      const counted = doesOther ? similarity - OTHER_ACTION : similarity;
      const score = lexical + weight * Math.max(0, counted);
      ranked.push({
        tool,
        document,
        position,
        score,
        nameMatch: nameMatch(tool, path),
        similarity,
        doesOther,
      });
    }
    return ranked.sort(inOrder);
  }
}

/** The weights of a query with other verbs. They can only add to a score: no tool has to contain them. */
function withVerbs(query: QueryWeights, verbs: QueryWeights): QueryWeights {
  return {
    stems: [...query.stems, ...verbs.stems],
    words: [...query.words, ...verbs.words],
  };
}

/** A query with the words that were meant in place of mistyped ones. */
function corrected(query: Query, terms: readonly QueryTerm[]): Query {
  const repaired = terms.filter(({ word, known }) => known !== word);
  if (repaired.length === 0) return query;
  const knownOf = new Map(repaired.map(({ word, known }) => [word, known]));
  const correct = (words: readonly string[]) => words.map((word) => knownOf.get(word) ?? word);
  return { ...query, words: correct(query.words), clauses: query.clauses.map(correct) };
}

/** Some score of a document that has the words of the query that say most, and no others. */
function idealScore(
  terms: readonly QueryTerm[],
  { stems }: QueryWeights,
  view: VisibleDocuments,
): number {
  const unknown = terms.filter(({ trust }) => trust === 0).map(() => view.idf(0));
  return [...stems.map(({ idf }) => idf), ...unknown]
    .sort((a, b) => b - a)
    .slice(0, MOST_WORDS)
    .reduce((sum, idf) => sum + idf, 0);
}

function highest(scores: Float64Array): number {
  let most = 0;
  // Faster than `reduce`, and there may be a score for each tool.
  for (const score of scores) if (score > most) most = score;
  return most;
}

function inOrder(a: Ranked, b: Ranked): number {
  return b.nameMatch - a.nameMatch || b.score - a.score || byCodePoint(a.tool.key, b.tool.key);
}

function nameMatch({ path: own, nameLength }: IndexedTool, path: string): NameMatch {
  if (path === '' || !own.endsWith(path)) return 0;
  const words = path.split(' ').length - 1;
  return words >= nameLength ? 2 : words > 1 ? 1 : 0;
}
