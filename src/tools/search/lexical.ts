import { DocumentVectors } from './document-vectors.ts';
import { explain } from './explanation.ts';
import { firstPage } from './page.ts';
import { Ranking } from './ranking.ts';
import { Scorer } from './scorer.ts';
import { WEIGHTS, type Weights } from './terms/index.ts';
import { ToolIndex } from './tool-index.ts';
import type { SearchHit, SearchOptions, ToolSearch } from './tool-search.ts';
import type { WordVectors } from './word-vectors.ts';

/** Options of the built-in search. */
export interface LexicalSearchOptions {
  /** Vectors of words, such as those of `toolfold/vectors`. The search then also compares meaning. */
  readonly vectors?: WordVectors;
  /** The numbers of the ranking. Only the choice of these numbers needs others. */
  readonly weights?: Weights;
}

/**
 * BM25 with fields over names, groups, descriptions and parameters, of exact words and of their
 * stems. A query that spells a name, or its last words, finds it first. Statistics cover the documents
 * that `allows` accepts, so that a hidden one has no effect. Equal scores are ordered by key.
 */
export function createLexicalSearch(options: LexicalSearchOptions = {}): ToolSearch {
  const { vectors, weights = WEIGHTS } = options;
  const documentVectors = vectors && new DocumentVectors(vectors);
  const index = new ToolIndex(weights, documentVectors);
  const ranking = new Ranking(index, new Scorer(index, weights), weights, documentVectors);

  function search(query: string, { limit, allows, explain: isExplained }: SearchOptions) {
    index.merge();
    const { ranked, terms, view } = ranking.rank(query, limit, allows);
    const stems = new Set(terms.map(({ known }) => index.vocabulary.stemNumber(known)));
    const page = firstPage(ranked, limit, ({ tool }) =>
      tool.groupStems.some((stem) => stems.has(stem)),
    );
    let least = Number.POSITIVE_INFINITY;
    return page.flatMap(({ ranked: hit, twins }): SearchHit[] => {
      const { key } = hit.tool;
      // What the view remembers may be outdated: a key that is refused now is never returned.
      if (!allows(key)) return [];
      // Hits are not in the order of their scores alone. Scores never rise, so that callers can rely on it.
      least = Math.min(least, hit.nameMatch + hit.score / (1 + hit.score));
      const others = twins.filter(allows);
      return [
        {
          key,
          score: least,
          ...(others.length > 0 ? { twins: others } : {}),
          ...(isExplained
            ? { why: explain(hit, terms, index, view, weights, documentVectors !== undefined) }
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
  };
}
