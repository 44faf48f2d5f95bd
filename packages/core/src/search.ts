import {
  bestSigns,
  DocumentVectors,
  Evidence,
  type Explanation,
  FIELDS,
  isCut,
  type NameMatch,
  type Ranked,
  type RankedQuery,
  Ranking,
  ReferenceCorpus,
  SCORES,
  type SearchHit,
  type SearchOptions,
  scoreOf,
  ToolIndex,
  type ToolSearch,
  WEIGHTS,
  type Weights,
  type WordMatch,
  type WordVectors,
} from './search/index.ts';
import { checkKnown, type KnownOptions } from './values/index.ts';

export type {
  Explanation,
  ScoreScale,
  ScoreSigns,
  SearchHit,
  SearchOptions,
  ToolDocument,
  ToolSearch,
  WordMatch,
  WordVectors,
} from './search/index.ts';

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

/** A hit takes the place of one with a text that is there already only with this share of its score. */
const MIN_SCORE = 0.6;

/** A hit with the twins that it stands for. */
interface PageHit {
  readonly ranked: Ranked;
  readonly twins: readonly string[];
}

/**
 * The first `limit` hits. Documents with the same name and text in several groups are one hit. Tools that
 * differ in their names alone do not fill the page while good hits are left out.
 */
function firstPage(ranked: readonly Ranked[], limit: number): readonly PageHit[] {
  const texts = new Set<number>();
  const page: PageHit[] = [];
  const waiting: PageHit[] = [];
  for (const hit of foldTwins(ranked)) {
    const { text } = hit.ranked.tool;
    const isKnown = texts.has(text);
    const { score } = waiting[0]?.ranked ?? { score: 0 };
    if (isKnown || hit.ranked.score < MIN_SCORE * score) waiting.push(hit);
    else page.push(hit);
    if (text !== 0) texts.add(text);
  }
  return [...page, ...waiting].slice(0, limit);
}

function foldTwins(ranked: readonly Ranked[]): PageHit[] {
  const byContent = new Map<number, { ranked: Ranked; twins: string[] }>();
  for (const one of ranked) {
    const { content, key } = one.tool;
    const first = byContent.get(content);
    if (first === undefined) byContent.set(content, { ranked: one, twins: [] });
    else first.twins.push(key);
  }
  return [...byContent.values()];
}

type MatchedField = WordMatch['fields'][number];

const SHOWN: Readonly<Record<(typeof FIELDS)[number], MatchedField>> = {
  name: 'name',
  group: 'group',
  lead: 'description',
  rest: 'description',
  parameterNames: 'parameter names',
  parameterTexts: 'parameter descriptions',
};

/** Says which words of a query a document contains, where, and what each adds to the score. */
function explain(
  { position, nameMatch, similarity, doesOther }: Ranked,
  { terms, lookup, view }: RankedQuery,
  { stems }: ToolIndex,
  weights: Weights,
  hasVectors: boolean,
): Explanation {
  const found = terms.flatMap((term) => {
    if (term.stem < 0 || term.trust === 0) return [];
    const at = lookup.places(stems, term.stem)[position] ?? -1;
    if (at < 0) return [];
    const idf = view.idf(view.documentFrequency(stems, term.stem));
    const score = (1 - weights.exact) * term.trust * idf * stems.weight(at);
    return [{ term, fields: shownFields(stems.fields[at] ?? 0), score }];
  });
  const sum = found.reduce((total, { score }) => total + score, 0);
  return {
    words: found
      .map(({ term: { word, known }, fields, score }) => ({
        word,
        ...(word === known ? {} : { repaired: known }),
        fields,
        share: score / sum,
      }))
      .sort((a, b) => b.share - a.share),
    unknown: terms.filter(({ trust }) => trust === 0).map(({ word }) => word),
    ...(nameMatch === 0 ? {} : { name: nameMatch === 2 ? 'whole' : 'end' }),
    ...(hasVectors ? { similarity } : {}),
    ...(doesOther ? { doesOther } : {}),
  };
}

function shownFields(bits: number): readonly MatchedField[] {
  return [...new Set(FIELDS.flatMap((field, bit) => ((bits >>> bit) & 1 ? [SHOWN[field]] : [])))];
}

export { createLexicalSearch as lexical };
