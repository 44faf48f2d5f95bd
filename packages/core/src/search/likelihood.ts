import type { DocumentVectors } from './document-vectors.ts';
import { FIELDS } from './fields.ts';
import type { QueryTerm } from './query.ts';
import type { Ranked, RankedQuery } from './ranking.ts';
import type { NearestTools, ReferenceCorpus } from './reference-corpus.ts';
import type { PostingLookup } from './scorer.ts';
import { stem, wordWeight } from './stem.ts';
import type { ToolIndex } from './tool-index.ts';
import type { ScoreScale, ScoreSigns } from './tool-search.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document does not lack the word. */
const FULL_SIMILARITY = 0.6;
/** The similarity from which on a document answers a word: it does so fully at 1. */
const LEAST_ANSWER = 0.35;
/** A word that says less leads to no tool alone. */
const TELLING = 0.6;
/** The fields that say what a tool is for: name, group and the beginning of the description. */
const PURPOSE = (1 << FIELDS.indexOf('rest')) - 1;

/** No tool answers more than so much of a query: some four words that say much. A sentence has more. */
const MOST_WEIGHT = 2.8;
/** A catalog of fewer tools is small. */
const USUAL_TOOLS = 150;

/** A word of the query with what the signs depend on. */
interface SignTerm extends QueryTerm {
  /** How much the word says in tools of all kinds, from 0 to 1. */
  readonly weight: number;
  /** How much the word says that the tool lacks. */
  readonly lack: number;
}

/**
 * Reads the signs of documents for one query: which words of the query a document answers, each with how much
 * the word says in tools of all kinds, and how well the tools of the reference corpus answer the same query.
 * That a tool can also `get` something says little. Of the other documents, only their number counts.
 */
export class Evidence {
  readonly #index: ToolIndex;
  readonly #lookup: PostingLookup;
  readonly #terms: SignTerm[] = [];
  readonly #vectors: DocumentVectors | undefined;
  /** The vectors of the terms, in their order. */
  readonly #termVectors: readonly Float32Array[];
  readonly #total: number;
  readonly #fewTools: number;
  /** By document. */
  readonly #known = new Map<number, ScoreSigns>();
  readonly #referenceWords: number;
  readonly #nearest: NearestTools | undefined;

  constructor(
    index: ToolIndex,
    { lookup, terms, view }: RankedQuery,
    referenceCorpus: ReferenceCorpus,
    vectors: DocumentVectors | undefined,
  ) {
    this.#index = index;
    this.#lookup = lookup;
    this.#vectors = vectors;
    this.#fewTools = Math.max(0, Math.log(USUAL_TOOLS / view.total));
    const words = terms.map(({ word }) => word);
    const [whole, ...each] = vectors?.queries([words, ...words.map((word) => [word])]) ?? [];
    this.#termVectors = each;
    const lengths = vectors?.lengths(words);
    const stemWeights = new Map<string, number>();
    let total = 0;
    for (const [at, term] of terms.entries()) {
      const { known, count, trust } = term;
      const root = stem(known);
      const weight = wordWeight(known);
      total += count * weight;
      stemWeights.set(root, (stemWeights.get(root) ?? 0) + count * weight * (trust || 1));
      const says = lengths?.[at] ?? (referenceCorpus.has(root) ? weight : 0);
      this.#terms.push({ ...term, weight, lack: says * (1 + Math.log(count)) });
    }
    this.#total = Math.min(total, MOST_WEIGHT);
    this.#referenceWords = this.#shareOf(referenceCorpus.highestWeight(stemWeights));
    this.#nearest = whole && referenceCorpus.nearest(whole);
  }

  /** The signs of a hit. */
  of(hit: Ranked): ScoreSigns {
    const signs = this.#known.get(hit.document) ?? this.#read(hit);
    this.#known.set(hit.document, signs);
    return signs;
  }

  #read({ document, position, similarity }: Ranked): ScoreSigns {
    let words = 0;
    let meaning = 0;
    let missing = 0;
    const near = this.#vectors?.similarities(this.#termVectors, document) ?? [];
    for (const [at, { weight, count, lack, stem: number, trust }] of this.#terms.entries()) {
      const { stems } = this.#index;
      const place = trust === 0 ? -1 : (this.#lookup.places(stems, number)[position] ?? -1);
      const word = place < 0 ? 0 : trust * Math.min(1, stems.weight(place) / FULL_WEIGHT);
      const similar = near[at] ?? 0;
      if (((stems.fields[place] ?? 0) & PURPOSE) !== 0) words += count * weight * word;
      const answered = (similar - LEAST_ANSWER) / (1 - LEAST_ANSWER);
      if (weight >= TELLING) meaning = Math.max(meaning, weight * Math.max(word, answered));
      missing = Math.max(missing, lack * (1 - Math.max(word, similar / FULL_SIMILARITY)));
    }
    return {
      words: this.#shareOf(words),
      missing,
      referenceWords: this.#referenceWords,
      meaning,
      similarity,
      referenceSimilarity: this.#nearest?.similarity ?? 0,
      likeness: (this.#vectors && this.#nearest?.likeness(this.#vectors, document)) ?? 0,
      fewTools: this.#fewTools,
    };
  }

  /** The share of the query that a weight is. */
  #shareOf(weight: number): number {
    return this.#total === 0 ? 0 : Math.min(1, weight / this.#total);
  }
}

/** The weight of each sign in the logarithm of the odds, 0 if left out, and the logarithm where there is no sign. */
export type ScoreWeights = Readonly<Partial<ScoreSigns> & { none: number }>;

/** How signs become a score, and how scores are read. */
export interface ScoreModel {
  /** For the likelihood that the first hit is right. */
  readonly right: ScoreWeights;
  /** The share of first hits that are right where all signs say so: another tool may do nearly the same. */
  readonly most: number;
  /** For the likelihood that some tool of the catalog serves the query. */
  readonly served: ScoreWeights;
  /** With a lower likelihood of that, a score is below `scale.fits`. */
  readonly doubt: number;
  readonly scale: ScoreScale;
}

/** The names of all signs. */
export const SCORE_SIGNS: readonly (keyof ScoreSigns)[] = [
  'words',
  'missing',
  'referenceWords',
  'meaning',
  'similarity',
  'referenceSimilarity',
  'likeness',
  'fewTools',
];

/**
 * Logistic regressions over development queries of public sets and the even lines of bench/search/data, served
 * and not. `npm run bench:search -- --fit --tables HELD` prints them (`training/README.md`). Very small catalogs and
 * tools of other sets were among the queries for `served` of `vectors` alone, with word vectors that did not know the queries.
 */
export const SCORES: Readonly<Record<'words' | 'vectors', ScoreModel>> = {
  words: {
    right: {
      none: -3.48,
      words: 5.89,
      missing: -1.95,
      referenceWords: -1.23,
      meaning: 2.47,
    },
    most: 0.97,
    served: {
      none: -2.05,
      words: 6.93,
      missing: -2.69,
      referenceWords: -2.64,
      meaning: 2.72,
    },
    doubt: 0.1,
    scale: { fits: 0.06, clear: 0.9 },
  },
  vectors: {
    right: {
      none: -5.2,
      words: 1.72,
      missing: -0.71,
      referenceWords: -0.54,
      meaning: 0.47,
      similarity: 9.21,
      referenceSimilarity: -4.4,
      likeness: 1.91,
    },
    most: 0.89,
    served: {
      none: -0.67,
      words: 2.1,
      missing: -2.28,
      referenceWords: -2.04,
      similarity: 9.63,
      referenceSimilarity: -7.58,
      likeness: 1.21,
      fewTools: 0.5,
    },
    doubt: 0.23,
    scale: { fits: 0.07, clear: 0.85 },
  },
};

/** The similarity from which on a tool may fit that answers no word of the query. */
const LEAST_SIMILARITY = 0.2;
/** The smallest difference of scores. */
const STEP = 0.001;

/** How likely a first hit with these signs is right, from 0 to 1; below `scale.fits` if perhaps nothing fits. */
export function scoreOf(
  signs: ScoreSigns,
  { right, most, served, doubt, scale }: ScoreModel,
): number {
  const score = most * likelihoodOf(signs, right);
  const isFar = signs.words === 0 && signs.meaning === 0 && signs.similarity < LEAST_SIMILARITY;
  return isFar || likelihoodOf(signs, served) < doubt
    ? Math.min(scale.fits - STEP, score)
    : Math.max(scale.fits, score);
}

/** What a regression says of these signs, from 0 to 1. */
export function likelihoodOf(signs: ScoreSigns, weights: ScoreWeights): number {
  const logOdds = SCORE_SIGNS.reduce(
    (sum, sign) => sum + (weights[sign] ?? 0) * signs[sign],
    weights.none,
  );
  return 1 / (1 + Math.exp(-logOdds));
}

/** The best of each sign. Without any, nothing is answered. */
export function bestSigns(all: readonly ScoreSigns[]): ScoreSigns {
  const best = SCORE_SIGNS.map((sign) => {
    const values = all.map((signs) => signs[sign]);
    return [sign, sign === 'missing' ? Math.min(2, ...values) : Math.max(0, ...values)] as const;
  });
  return Object.fromEntries(best) as Record<keyof ScoreSigns, number>;
}
