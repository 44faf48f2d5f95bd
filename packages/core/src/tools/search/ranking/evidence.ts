import type { ScoreSigns } from '../contract/index.ts';
import type { DocumentVectors, ToolIndex } from '../documents/index.ts';
import type { NearestTools, ReferenceCorpus } from '../reference-corpus/index.ts';
import { FIELDS, stem, wordWeight } from '../terms/index.ts';
import type { PostingLookup } from './posting-lookup.ts';
import type { QueryTerm } from './query-terms.ts';
import type { Ranked } from './ranked.ts';
import type { RankedQuery } from './ranking.ts';

/** The weight of a posting from which on a document fully answers a word. */
const FULL_WEIGHT = 1.2;
/** The similarity of a word and a document from which on the document does not lack the word. */
const FULL_SIMILARITY = 0.6;
/** The similarity from which on a document answers a word: it does so fully at 1. */
const LEAST_SIMILARITY = 0.35;
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
      const answered = (similar - LEAST_SIMILARITY) / (1 - LEAST_SIMILARITY);
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
