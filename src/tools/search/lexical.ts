import type {
  ScoreScale,
  SearchHit,
  SearchOptions,
  ToolSearch,
  WordVectors,
} from './contract/index.ts';
import { DocumentVectors, ToolIndex } from './documents/index.ts';
import { Evidence, explain, firstPage, type Ranked, Ranking } from './ranking/index.ts';
import { WEIGHTS, type Weights } from './terms/index.ts';

/** The number of first hits of which the best evidence is the first hit's score. */
const WITH_EVIDENCE = 5;

/** Chosen on the even lines of bench/search/data/served.jsonl: `npm run bench:search -- --honesty`. */
const SCALE: ScoreScale = { fits: 0.35, clear: 0.8 };
const SCALE_WITH_VECTORS: ScoreScale = { fits: 0.52, clear: 0.8 };

/** Options of the built-in search. */
export interface LexicalSearchOptions {
  /** Vectors of words, such as those of `toolfold/vectors`. The search then also compares meaning. */
  readonly vectors?: WordVectors;
  /**
   * The English words for a query in another language, and none for an English query: `createTranslator`
   * of `toolfold/languages`.
   */
  readonly translate?: (query: string) => readonly string[];
  /**
   * An index that `store` has returned, with the same vectors or none. Indexing its tools again takes
   * little time. Throws `invalid-option` if it is damaged or of another version.
   */
  readonly stored?: Uint8Array;
  /** The numbers of the ranking. Only the choice of these numbers needs others. */
  readonly weights?: Weights;
}

/**
 * BM25 with fields over names, groups, descriptions and parameters, of exact words and of their
 * stems. A query that spells a name, or its last words, finds it first. Statistics cover the documents
 * that `allows` accepts, so that a hidden one has no effect. Equal scores are ordered by key.
 */
export function createLexicalSearch(options: LexicalSearchOptions = {}): ToolSearch {
  const { vectors, translate, stored, weights = WEIGHTS } = options;
  const documentVectors = vectors && new DocumentVectors(vectors);
  const index = new ToolIndex(weights, documentVectors);
  if (stored !== undefined) index.restore(stored);
  const ranking = new Ranking(index, {
    weights,
    vectors: documentVectors,
    translate,
  });

  function search(query: string, { limit, allows, explain: isExplained }: SearchOptions) {
    index.merge();
    const answer = ranking.rank(query, limit, allows);
    const { ranked, terms, holdings } = answer;
    const stems = new Set(terms.map(({ stem }) => stem));
    const page = firstPage(ranked, limit, ({ tool }) =>
      tool.groupStems.some((stem) => stems.has(stem)),
    );
    const evidence = new Evidence(index, holdings, terms, documentVectors);
    // Hits are not in the order of their evidence alone. Scores never rise, so that callers can rely
    // on it.
    let least = Math.max(0, ...ranked.slice(0, WITH_EVIDENCE).map((hit) => scoreOf(hit, evidence)));
    return page.flatMap(({ ranked: hit, twins }, at): SearchHit[] => {
      const { key } = hit.tool;
      if (at > 0) least = Math.min(least, scoreOf(hit, evidence));
      // What the view remembers may be outdated: a key that is refused now is never returned.
      if (!allows(key)) return [];
      const others = twins.filter(allows);
      return [
        {
          key,
          score: least,
          ...(others.length > 0 ? { twins: others } : {}),
          ...(isExplained
            ? { why: explain(hit, answer, index, weights, documentVectors !== undefined) }
            : {}),
        },
      ];
    });
  }

  return {
    index(documents) {
      for (const document of documents) index.add(document);
    },
    search,
    store: () => index.store(),
    scale: documentVectors ? SCALE_WITH_VECTORS : SCALE,
  };
}

/** A whole name is certain, the end of a name nearly. Nothing else is. */
function scoreOf(hit: Ranked, evidence: Evidence): number {
  const { nameMatch } = hit;
  if (nameMatch === 2) return 1;
  const answered = Math.min(0.99, Math.max(0.001, evidence.of(hit)));
  return nameMatch === 1 ? Math.max(0.9, answered) : answered;
}
