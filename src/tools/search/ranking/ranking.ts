import { byCodePoint } from '../../values/index.ts';
import type { DocumentVectors, IndexedTool, ToolIndex, View } from '../documents/index.ts';
import { counted, pathOf, type Weights } from '../terms/index.ts';
import { inDiverseOrder } from './diversity.ts';
import { MAX_QUERY_CHARACTERS, type Query, readQuery } from './query.ts';
import type { NameMatch, Ranked } from './ranked.ts';
import { Repairs } from './repair.ts';
import type { QueryTerm, Scored, Scorer } from './scorer.ts';

/** The fewest documents of a pass that take part in the mixing of scores. */
const MIN_POOL = 100;
/** How many documents similarity in meaning adds. */
const NEAREST = 30;
/** Documents without a word of the query need this similarity. */
const MIN_SIMILARITY = 0.2;
/** The number of words from which on similarity in meaning counts less. */
const SENTENCE = 12;
/** The number of tools from which on similarity in meaning counts less. */
const LARGE = 10_000;
/** What a repaired word counts in relation to a word that matches. */
const REPAIR_TRUST = 0.6;

/** The documents that a query finds, best first, and how the query was read. */
export interface RankedQuery {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly QueryTerm[];
  readonly view: View;
}

export interface RankingOptions {
  readonly weights: Weights;
  readonly vectors: DocumentVectors | undefined;
  readonly translate: ((query: string) => readonly string[]) | undefined;
}

/** Orders the documents of an index by a query. */
export class Ranking {
  readonly #index: ToolIndex;
  readonly #scorer: Scorer;
  readonly #weights: Weights;
  readonly #vectors: DocumentVectors | undefined;
  readonly #translate: RankingOptions['translate'];
  readonly #repairs: Repairs;

  constructor(index: ToolIndex, scorer: Scorer, options: RankingOptions) {
    this.#index = index;
    this.#scorer = scorer;
    this.#weights = options.weights;
    this.#vectors = options.vectors;
    this.#translate = options.translate;
    this.#repairs = new Repairs(index);
  }

  rank(query: string, limit: number, allows: (key: string) => boolean): RankedQuery {
    const view = this.#index.view(allows);
    const { words, clauses } = this.#read(query, view);
    const pool = Math.max(MIN_POOL, 4 * limit);
    const terms = this.#terms(words, view);
    const found = this.#scorer.score(terms, view, pool);
    const mixed = this.#withMeaning(
      this.#withClauses(found, clauses, terms, view),
      words,
      clauses,
      view,
    );
    const path = pathOf(query.slice(0, MAX_QUERY_CHARACTERS));
    const ranked = mixed
      .flatMap((one) => {
        const tool = this.#index.tool(one.document);
        return tool ? [{ ...one, tool, nameMatch: nameMatch(tool, path) }] : [];
      })
      .sort(inOrder);
    const stems = this.#scorer.stemsOf(terms, view);
    const holds = (document: number, stem: number) => this.#index.stems.find(stem, document) >= 0;
    return { ranked: inDiverseOrder(ranked, stems, holds, this.#weights.diversity), terms, view };
  }

  /** Reads a query. In another language, words that no document contains give way to English ones. */
  #read(query: string, view: View): Query {
    const read = readQuery(query);
    const english = this.#translate?.(query.slice(0, MAX_QUERY_CHARACTERS)) ?? [];
    if (english.length === 0) return read;
    const known = read.words.filter((word) => this.#isKnown(word, view));
    return { words: [...english, ...known], clauses: [] };
  }

  /** The terms of a list of words. Words that no visible document contains are repaired where possible. */
  #terms(words: readonly string[], view: View): QueryTerm[] {
    return [...counted(words)].map(([word, count]) => {
      if (this.#isKnown(word, view)) return { word, known: word, count, trust: 1 };
      const repaired = this.#repairs.nearest(word, view);
      if (repaired === undefined) return { word, known: word, count, trust: 0 };
      return { word, known: repaired, count, trust: REPAIR_TRUST };
    });
  }

  #isKnown(word: string, view: View): boolean {
    const { vocabulary, stems } = this.#index;
    const stem = vocabulary.stemNumber(word);
    return stem !== undefined && view.holders(stems, stem) > 0;
  }

  /**
   * Mixes the score for the whole query with that for a document's best clause. A clause's scores are
   * put on the scale of the whole query by the best of each.
   */
  #withClauses(
    found: readonly Scored[],
    clauses: readonly (readonly string[])[],
    terms: readonly QueryTerm[],
    view: View,
  ): readonly Scored[] {
    const termOf = new Map(terms.map((term) => [term.word, term]));
    const top = found[0]?.score ?? 0;
    if (clauses.length === 0 || top === 0) return found;
    const documents = found.map(({ document }) => document);
    const best = new Map<number, number>();
    for (const clause of clauses) {
      const own = [...counted(clause)].flatMap(([word, count]) => {
        const term = termOf.get(word);
        return term ? [{ ...term, count }] : [];
      });
      const scored = this.#scorer.score(own, view, found.length, documents);
      const topOfClause = scored[0]?.score ?? 1;
      for (const { document, score } of scored)
        best.set(document, Math.max(best.get(document) ?? 0, score / topOfClause));
    }
    const share = this.#weights.clause;
    return found.map(({ document, score }) => ({
      document,
      score: (1 - share) * score + share * top * (best.get(document) ?? 0),
    }));
  }

  /** Adds the similarity in meaning, and the documents that only it finds. */
  #withMeaning(
    found: readonly Scored[],
    words: readonly string[],
    clauses: readonly (readonly string[])[],
    view: View,
  ): readonly Mixed[] {
    const vectors = this.#vectors;
    if (vectors === undefined) return found.map((one) => ({ ...one, similarity: 0 }));
    const query = vectors.query(words);
    const parts = clauses.map((clause) => vectors.query(clause));
    const share = this.#weights.clause;
    // One vector says less of a text the more things the text is about, and less the more tools are alike.
    const meaning =
      this.#weights.meaning *
      Math.min(1, SENTENCE / words.length) *
      Math.min(1, Math.sqrt(LARGE / view.total));
    const top = found.reduce((most, { score }) => Math.max(most, score), 0) || 1;
    const scores = new Map(found.map(({ document, score }) => [document, score]));
    for (const document of vectors.nearest(query, NEAREST, view))
      if (!scores.has(document)) scores.set(document, 0);
    return [...scores].flatMap(([document, lexical]) => {
      const whole = vectors.similarity(query, document);
      const part = Math.max(...parts.map((one) => vectors.similarity(one, document)));
      const similarity = parts.length === 0 ? whole : (1 - share) * whole + share * part;
      const score = lexical + meaning * top * Math.max(0, similarity);
      const isFound = lexical > 0 || similarity >= MIN_SIMILARITY;
      return isFound ? [{ document, score, similarity }] : [];
    });
  }
}

interface Mixed extends Scored {
  readonly similarity: number;
}

function inOrder(a: Ranked, b: Ranked): number {
  return b.nameMatch - a.nameMatch || b.score - a.score || byCodePoint(a.tool.key, b.tool.key);
}

function nameMatch({ path: own, nameLength }: IndexedTool, path: string): NameMatch {
  if (path === '' || !own.endsWith(path)) return 0;
  const words = path.split(' ').length - 1;
  return words >= nameLength ? 2 : words > 1 ? 1 : 0;
}
