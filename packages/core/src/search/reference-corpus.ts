import { DocumentVectors } from './document-vectors.ts';
import { REFERENCE_TOOLS } from './reference-tools.ts';
import { stem } from './stem.ts';
import type { WordVectors } from './tool-search.ts';
import { VisibleDocuments } from './view.ts';

/** The number of nearest tools that a query is compared with. */
const NEAREST = 10;
/** The fewest tools that are compared in full. The others differ from it in more numbers that are above 0. */
const COMPARED = 150;

/** Which reference tools have each stem. */
interface StemLists {
  readonly byStem: ReadonlyMap<string, readonly number[]>;
  /** The sum of the weights of a query for each tool. All are 0 between two queries. */
  readonly sums: Float32Array;
}

/** The reference tools that are nearest to a query. */
export interface NearestTools {
  /** Their mean similarity to the query, from -1 to 1. */
  readonly similarity: number;
  /** The similarity of a document and the most similar of them. */
  likeness(documents: DocumentVectors, document: number): number;
}

/** The vectors of the reference tools, and a view of all of them. */
interface ReferenceVectors {
  readonly vectors: DocumentVectors;
  readonly view: VisibleDocuments;
}

/**
 * Tools of all kinds, to compare those of a catalog with. A query that other tools answer much better
 * than any tool of the catalog is probably not for this catalog. It is the same for every catalog.
 */
export class ReferenceCorpus {
  readonly #words: WordVectors | undefined;
  #lists: StemLists | undefined;
  #vectors: ReferenceVectors | undefined;

  constructor(words: WordVectors | undefined) {
    this.#words = words;
  }

  /** Whether a reference tool has a word with this stem. */
  has(root: string): boolean {
    return this.#read().byStem.has(root);
  }

  /** The highest sum of weights that one reference tool has, given the weight of each stem of a query. */
  highestWeight(weights: ReadonlyMap<string, number>): number {
    const { byStem, sums } = this.#read();
    let most = 0;
    for (const [one, weight] of weights) {
      for (const tool of byStem.get(one) ?? []) {
        const sum = (sums[tool] ?? 0) + weight;
        sums[tool] = sum;
        if (sum > most) most = sum;
      }
    }
    for (const one of weights.keys()) for (const tool of byStem.get(one) ?? []) sums[tool] = 0;
    return most;
  }

  /** The reference tools that are nearest to a query in meaning; undefined without word vectors. */
  nearest(query: Float32Array): NearestTools | undefined {
    if (this.#words === undefined) return undefined;
    this.#vectors ??= readVectors(this.#words);
    const { vectors, view } = this.#vectors;
    const nearest = vectors.nearest(query, NEAREST, view, COMPARED);
    return {
      similarity: nearest.reduce((sum, { score }) => sum + score, 0) / NEAREST,
      likeness: (documents, document) => documents.likeness(document, vectors, nearest),
    };
  }

  #read(): StemLists {
    this.#lists ??= readStemLists();
    return this.#lists;
  }
}

function tools(): readonly string[][] {
  let words: string[] = [];
  return REFERENCE_TOOLS.flatMap((line) => line.split(';')).map((tool) => {
    const before = words;
    words = tool.split(' ').map((word, at) => word || (before[at] ?? ''));
    return words;
  });
}

function readStemLists(): StemLists {
  const stems = new Map<string, string>();
  const byStem = new Map<string, number[]>();
  const all = tools();
  for (const [tool, words] of all.entries()) {
    for (const word of words) {
      const known = stems.get(word) ?? stem(word);
      stems.set(word, known);
      const list = byStem.get(known);
      if (list === undefined) byStem.set(known, [tool]);
      else if (list.at(-1) !== tool) list.push(tool);
    }
  }
  return { byStem, sums: new Float32Array(all.length) };
}

function readVectors(words: WordVectors): ReferenceVectors {
  const vectors = new DocumentVectors(words);
  const known = words.reference ?? vectorsOfWords(words);
  // A copy: the table is one large buffer. The selection of the nearest is made from all of them.
  vectors.restore(new Uint8Array(known.slice().buffer));
  return {
    vectors,
    view: new VisibleDocuments(0, new Uint8Array(known.length / words.dimensions).fill(1)),
  };
}

function vectorsOfWords(words: WordVectors): Uint8Array {
  const vectors = new DocumentVectors(words);
  for (const list of tools()) {
    const sum = new Float32Array(words.dimensions);
    for (const word of list) words.add(word, 1, sum);
    vectors.put(sum);
  }
  return vectors.store();
}
