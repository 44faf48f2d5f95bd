import { checkKnown, type KnownOptions } from '../names/index.ts';
import type { SearchHit, SearchOptions, ToolSearch, WordVectors } from './contract/index.ts';
import { DocumentVectors, ToolIndex } from './documents/index.ts';
import {
  bestSigns,
  Evidence,
  explain,
  firstPage,
  isCut,
  type NameMatch,
  Ranking,
  SCORES,
  scoreOf,
} from './ranking/index.ts';
import { ReferenceCorpus } from './reference-corpus/index.ts';
import { WEIGHTS, type Weights } from './terms/index.ts';

/** The number of first hits of which the best signs make the first hit's score. */
const WITH_EVIDENCE = 5;

/** Options of the built-in search. */
export interface LexicalSearchOptions {
  /** Vectors of words, such as those of `@toolfold/core/vectors`. The search then also compares meaning. */
  readonly vectors?: WordVectors;
  /**
   * The English words for a query in another language, and none for an English query: a dictionary of the
   * app's own.
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

const LEXICAL_OPTIONS: KnownOptions<LexicalSearchOptions> = {
  ...{ vectors: true, translate: true, stored: true, weights: true },
};

/**
 * BM25 with fields over names, groups, descriptions and parameters, of exact words and of their
 * stems. A query that spells a name, or its last words, finds it first. Statistics cover the documents
 * that `allows` accepts, so that a hidden one has no effect. Equal scores are ordered by key.
 */
export function createLexicalSearch(options: LexicalSearchOptions = {}): ToolSearch {
  checkKnown('createLexicalSearch()', options, LEXICAL_OPTIONS);
  const { vectors, translate, stored, weights = WEIGHTS } = options;
  const documentVectors = vectors && new DocumentVectors(vectors);
  const index = new ToolIndex(weights, documentVectors);
  const referenceCorpus = new ReferenceCorpus(vectors);
  const scores = SCORES[documentVectors ? 'vectors' : 'words'];
  if (stored !== undefined) index.restore(stored);
  const ranking = new Ranking(index, {
    ...{ weights, vectors: documentVectors, translate },
    phrasesIn: vectors?.phrasesIn?.bind(vectors) ?? (() => []),
  });

  function search(query: string, { limit, allows, explain: isExplained }: SearchOptions) {
    index.merge();
    const answer = ranking.rank(query, limit, allows);
    // What the view remembers may be outdated: a key that is refused now is not returned, and makes no score.
    const ranked = answer.ranked.filter(({ tool }) => allows(tool.key));
    const page = firstPage(ranked, limit);
    const evidence = new Evidence(index, answer, referenceCorpus, documentVectors);
    // The first hits together say best whether any tool fits. The score of the first hit follows from them.
    const together = bestSigns(ranked.slice(0, WITH_EVIDENCE).map((hit) => evidence.of(hit)));
    // A hit by name stands before better rated ones, which may be beyond the page.
    const highest = ranked.reduce((most, { score }) => Math.max(most, score), 0);
    let least = 1;
    return page.map(({ ranked: hit, twins }, at): SearchHit => {
      const signs = at === 0 ? together : evidence.of(hit);
      const likelihood = scoreOf(signs, scores);
      // Hits are not in the order of their scores alone. Scores never rise, so that callers can rely on it.
      least = Math.min(least, scoreBy(hit.nameMatch, likelihood));
      return {
        key: hit.tool.key,
        score: least,
        relevance: highest > 0 ? Math.min(1, hit.score / highest) : 1,
        ...(twins.length > 0 ? { twins } : {}),
        ...(isExplained && {
          why: { ...explain(hit, answer, index, weights, documentVectors !== undefined), signs },
        }),
      };
    });
  }

  return {
    index(documents) {
      for (const document of documents) index.add(document);
    },
    search,
    store: () => index.store(),
    scale: scores.scale,
    isCut,
    compares: vectors ? 'words and vectors' : 'words',
  };
}

/** A whole name is certain, the end of a name nearly. Nothing else is. */
function scoreBy(nameMatch: NameMatch, likelihood: number): number {
  if (nameMatch === 2) return 1;
  const likely = Math.min(0.99, Math.max(0.001, likelihood));
  return nameMatch === 1 ? Math.max(0.9, likely) : likely;
}
