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
  type ToolDocument,
  ToolIndex,
  type ToolSearch,
  WEIGHTS,
  type Weights,
  type WordMatch,
  type WordVectors,
} from './search/index.ts';
import { checkKnown, type KnownOptions, sharedByContent } from './values/index.ts';

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
  const referenceCorpus = referenceOf(vectors);
  const scores = SCORES[vectors ? 'vectors' : 'words'];
  const rankingOf = ({ index, vectors: documentVectors }: Documents): Ranking =>
    new Ranking(index, {
      ...{ weights, vectors: documentVectors, translate },
      phrasesIn: vectors?.phrasesIn?.bind(vectors) ?? (() => []),
    });
  let documents = emptyDocuments(weights, vectors);
  let ranking = rankingOf(documents);
  if (stored !== undefined) documents.index.restore(stored);
  const mayShare = stored === undefined && weights === WEIGHTS;
  /** What is not indexed yet. */
  const waiting: ToolDocument[] = [];
  /** What is indexed, while the index is one that other searches have too. */
  let sharedList: readonly ToolDocument[] = [];

  function indexWaiting(): void {
    if (waiting.length === 0) return;
    const isFirst = documents.index.size === 0;
    if (mayShare && isFirst && waiting.length <= MOST_SHARED) {
      documents = sharedDocuments(waiting, vectors);
      ranking = rankingOf(documents);
      sharedList = [...waiting];
    } else {
      if (sharedList.length > 0) {
        documents = emptyDocuments(weights, vectors);
        ranking = rankingOf(documents);
      }
      for (const document of [...sharedList, ...waiting]) documents.index.add(document);
      sharedList = [];
    }
    waiting.length = 0;
  }

  function search(query: string, { limit, allows, explain: isExplained }: SearchOptions) {
    indexWaiting();
    const { index, vectors: documentVectors } = documents;
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
    index(added) {
      for (const document of added) waiting.push(document);
    },
    search,
    store: () => {
      indexWaiting();
      return documents.index.store();
    },
    scale: scores.scale,
    isCut,
    compares: vectors ? 'words and vectors' : 'words',
  };
}

/** The documents of a search. */
interface Documents {
  readonly index: ToolIndex;
  /** Undefined without word vectors. */
  readonly vectors: DocumentVectors | undefined;
}

/** The most documents that searches share: a search that gets more of them later indexes these again. */
const MOST_SHARED = 300;

function emptyDocuments(weights: Weights, words: WordVectors | undefined): Documents {
  const vectors = words && new DocumentVectors(words);
  return { index: new ToolIndex(weights, vectors), vectors };
}

/** An index of a search's first documents, for all searches that begin with equal ones. Nobody adds to it. */
function sharedDocuments(list: readonly ToolDocument[], words: WordVectors | undefined): Documents {
  return sharedByContent(`index ${words ? numberOf(words) : ''}`, JSON.stringify(list), () => {
    const made = emptyDocuments(WEIGHTS, words);
    for (const document of list) made.index.add(document);
    made.index.merge();
    return made;
  });
}

const numbers = new WeakMap<WordVectors, number>();
let lastNumber = 0;

/** A number of its own for each table of word vectors. */
function numberOf(words: WordVectors): number {
  const known = numbers.get(words) ?? ++lastNumber;
  numbers.set(words, known);
  return known;
}

const references = new WeakMap<object, ReferenceCorpus>();
const NO_VECTORS = {};

/** The reference tools by these vectors. They are the same for each search. */
function referenceOf(words: WordVectors | undefined): ReferenceCorpus {
  const known = references.get(words ?? NO_VECTORS) ?? new ReferenceCorpus(words);
  references.set(words ?? NO_VECTORS, known);
  return known;
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
