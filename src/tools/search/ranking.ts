import { byCodePoint } from '../values/index.ts';
import { chooseDiverse } from './diversity.ts';
import type { DocumentVectors } from './document-vectors.ts';
import { counted, MAX_QUERY_CHARACTERS, readQuery } from './query.ts';
import { Repairs } from './repair.ts';
import type { Pass, QueryTerm, Scorer } from './scorer.ts';
import { pathOf, type Weights } from './terms/index.ts';
import type { IndexedTool, ToolIndex } from './tool-index.ts';
import type { View } from './view.ts';

/** The fewest documents of a pass that take part in the mixing of scores. */
const MIN_POOL = 100;
/** What a repaired word counts in relation to a word that matches. */
const REPAIR_TRUST = 0.6;

/** A document with its score. `held` is the set of the query's stems in it, see `Pass.rarities`. */
export interface Ranked {
  readonly tool: IndexedTool;
  readonly document: number;
  readonly held: number;
  readonly score: number;
  /** How the query matches the name as a whole. */
  readonly nameMatch: NameMatch;
  readonly similarity: number;
}

/** 2 where a query spells the whole name, 1 where several words of it end the name, else 0. */
export type NameMatch = 0 | 1 | 2;

/** The documents that a query finds, best first, and how the query was read. */
export interface RankedQuery {
  readonly ranked: readonly Ranked[];
  readonly terms: readonly QueryTerm[];
  readonly view: View;
}

/** Orders the documents of an index by a query. */
export class Ranking {
  readonly #index: ToolIndex;
  readonly #scorer: Scorer;
  readonly #weights: Weights;
  readonly #vectors: DocumentVectors | undefined;
  readonly #repairs: Repairs;

  constructor(
    index: ToolIndex,
    scorer: Scorer,
    weights: Weights,
    vectors: DocumentVectors | undefined,
  ) {
    this.#index = index;
    this.#scorer = scorer;
    this.#weights = weights;
    this.#vectors = vectors;
    this.#repairs = new Repairs(index);
  }

  rank(query: string, limit: number, allows: (key: string) => boolean): RankedQuery {
    const view = this.#index.view(allows);
    const { words, clauses } = readQuery(query);
    const pool = Math.max(MIN_POOL, 4 * limit);
    const terms = this.#terms(words, view);
    const main = this.#scorer.pass(terms, view, pool);
    const byClause = clauses.map((clause) =>
      this.#scorer.pass(this.#terms(clause, view), view, pool),
    );
    const mixed = this.#mixed(main, byClause);
    const path = pathOf(query.slice(0, MAX_QUERY_CHARACTERS));
    const ranked = this.#withMeaning(mixed, words, view)
      .flatMap((one) => {
        const tool = this.#index.tool(one.document);
        return tool ? [{ ...one, tool, nameMatch: nameMatch(tool, path) }] : [];
      })
      .sort(inOrder);
    return { ranked: chooseDiverse(ranked, main.rarities, this.#weights.diversity), terms, view };
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
  #mixed(main: Pass, byClause: readonly Pass[]): Mixed[] {
    const share = byClause.length > 0 ? this.#weights.clause : 0;
    const top = main.scored[0]?.score ?? 0;
    const best = new Map<number, number>();
    for (const { scored } of byClause) {
      const topOfClause = scored[0]?.score ?? 1;
      for (const { document, score } of scored)
        best.set(document, Math.max(best.get(document) ?? 0, score / topOfClause));
    }
    const whole = new Map(main.scored.map((one) => [one.document, one]));
    return [...new Set([...whole.keys(), ...best.keys()])].map((document) => {
      const { score = 0, held = 0 } = whole.get(document) ?? {};
      const mixed = (1 - share) * score + share * top * (best.get(document) ?? 0);
      return { document, held, score: mixed, similarity: 0 };
    });
  }

  #withMeaning(mixed: readonly Mixed[], words: readonly string[], view: View): readonly Mixed[] {
    const vectors = this.#vectors;
    if (vectors === undefined) return mixed;
    const query = vectors.query(words);
    const top = mixed.reduce((most, { score }) => Math.max(most, score), 0) || 1;
    const byDocument = new Map(mixed.map((one) => [one.document, one]));
    for (const document of vectors.nearest(query, MIN_POOL / 2, view))
      if (!byDocument.has(document))
        byDocument.set(document, { document, held: 0, score: 0, similarity: 0 });
    return [...byDocument.values()].map((one) => {
      const similarity = vectors.similarity(query, one.document);
      const score = one.score + this.#weights.meaning * top * Math.max(0, similarity);
      return { ...one, score, similarity };
    });
  }
}

interface Mixed {
  readonly document: number;
  readonly held: number;
  readonly score: number;
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
