import { ToolfoldError } from '../errors.ts';
import { checksum } from '../values/index.ts';
import type { DocumentVectors } from './document-vectors.ts';
import {
  type DocumentNames,
  namesOf,
  readWords,
  type StoredVocabulary,
  Vocabulary,
  type Weights,
} from './fields.ts';
import { Postings, TermWeights, weighDocument } from './postings.ts';
import type { ToolDocument } from './tool-search.ts';
import { VisibleDocuments } from './view.ts';

/** A document as the index keeps it. */
export interface IndexedTool extends DocumentNames {
  readonly key: string;
  readonly group: string;
  /** Equal for documents that differ in key and group only. */
  readonly content: number;
  /** Equal for documents with the same description and parameters; 0 without a description. */
  readonly text: number;
}

/** What a stored index says in JSON. */
interface StoredHeader {
  readonly weights: string;
  /** What the word vectors make of the first words of the vocabulary; empty without vectors. */
  readonly probe: readonly number[];
  readonly tools: readonly IndexedTool[];
  readonly vocabulary: StoredVocabulary;
}

const SECTIONS = 10;
/** Words of the vocabulary by which word vectors are told apart. */
const PROBED_WORDS = 1_000;

/** The documents of a search with the postings of their exact words and of their stems. */
export class ToolIndex {
  readonly vocabulary: Vocabulary = new Vocabulary();
  readonly exacts: Postings = new Postings();
  readonly stems: Postings = new Postings();
  /** By number. Replaced documents leave gaps until the next merge. */
  #tools: (IndexedTool | undefined)[] = [];
  #version = 0;
  #isMerged = true;
  readonly #weights: Weights;
  readonly #vectors: DocumentVectors | undefined;
  readonly #numbers = new Map<string, number>();
  readonly #exactWeights: TermWeights;
  readonly #stemWeights: TermWeights;
  readonly #views = new WeakMap<(key: string) => boolean, VisibleDocuments>();

  constructor(weights: Weights, vectors?: DocumentVectors) {
    this.#weights = weights;
    this.#vectors = vectors;
    this.#exactWeights = new TermWeights(weights.saturation);
    this.#stemWeights = new TermWeights(weights.saturation);
  }

  get size(): number {
    return this.#tools.length;
  }

  tool(number: number): IndexedTool | undefined {
    return this.#tools[number];
  }

  /** Adds a document or replaces it. A document that has not changed is left as it is. */
  add(document: ToolDocument): void {
    const old = this.#numbers.get(document.key);
    const { text, content } = hashesOf(document);
    const before = old === undefined ? undefined : this.#tools[old];
    if (before?.content === content && before.group === document.group) return;
    if (old !== undefined) this.#tools[old] = undefined;
    const number = this.#tools.length;
    this.#numbers.set(document.key, number);
    const words = readWords(document, this.#weights.leadWords, this.vocabulary);
    const { vocabulary } = this;
    weighDocument(words, vocabulary, this.#weights, this.#exactWeights, this.#stemWeights);
    this.exacts.add(number, this.#exactWeights);
    this.stems.add(number, this.#stemWeights);
    this.#tools.push({
      key: document.key,
      group: document.group,
      ...namesOf(document, words, vocabulary),
      content,
      text,
    });
    this.#vectors?.add(words, vocabulary.list());
    this.#isMerged = false;
  }

  /** Makes what was added searchable. */
  merge(): void {
    if (this.#isMerged) return;
    const numberOf = new Int32Array(this.#tools.length).fill(-1);
    const live: IndexedTool[] = [];
    for (const [number, tool] of this.#tools.entries()) {
      if (tool === undefined) continue;
      numberOf[number] = live.length;
      this.#numbers.set(tool.key, live.length);
      live.push(tool);
    }
    this.#tools = live;
    this.exacts.merge(this.vocabulary.words, numberOf);
    this.stems.merge(this.vocabulary.stems, numberOf);
    this.#vectors?.renumber(numberOf);
    this.#version++;
    this.#isMerged = true;
  }

  /** The index as bytes. */
  store(): Uint8Array {
    this.merge();
    const vocabulary = this.vocabulary.store();
    const header: StoredHeader = {
      weights: JSON.stringify(this.#weights),
      tools: this.#tools.flatMap((tool) => tool ?? []),
      vocabulary,
      probe: this.#probe(vocabulary),
    };
    return packSections([
      new TextEncoder().encode(JSON.stringify(header)),
      this.#vectors?.store() ?? new Uint8Array(0),
      ...this.exacts.store(),
      ...this.stems.store(),
    ]);
  }

  /** Takes the bytes of `store`. Throws `invalid-option` if they do not belong to an index like this. */
  restore(bytes: Uint8Array): void {
    const [header, vectors, ...postings] = unpackSections(bytes, SECTIONS);
    if (!header || !vectors) throw notAnIndex('its sections are not complete');
    const { weights, probe, tools, vocabulary } = JSON.parse(
      new TextDecoder().decode(header),
    ) as StoredHeader;
    if (weights !== JSON.stringify(this.#weights)) throw notAnIndex('its weights are others');
    if (JSON.stringify(probe) !== JSON.stringify(this.#probe(vocabulary)))
      throw notAnIndex('its word vectors are others');
    this.vocabulary.restore(vocabulary);
    this.#tools = [...tools];
    for (const [number, { key }] of tools.entries()) this.#numbers.set(key, number);
    this.#vectors?.restore(vectors);
    this.exacts.restore(postings.slice(0, 4));
    this.stems.restore(postings.slice(4));
    this.#version++;
  }

  /** Tells word vectors apart: the vector of some words, in steps of a thousandth. */
  #probe({ words }: StoredVocabulary): readonly number[] {
    const [vector = []] = this.#vectors?.queries([words.slice(0, PROBED_WORDS)]) ?? [];
    return [...vector].map((value) => Math.round(value * 1_000));
  }

  /** What `allows` lets a search see. Each key is checked once for each function and version. */
  view(allows: (key: string) => boolean): VisibleDocuments {
    const known = this.#views.get(allows);
    if (known?.version === this.#version) return known;
    const visible = new Uint8Array(this.size);
    for (const [number, tool] of this.#tools.entries())
      if (tool !== undefined && allows(tool.key)) visible[number] = 1;
    const view = new VisibleDocuments(this.#version, visible);
    this.#views.set(allows, view);
    return view;
  }
}

/** Hashes with 53 bits (FNV-1a, twice): of description and parameters, and of these and the name. */
function hashesOf({ name, description = '', parameters = [] }: ToolDocument): {
  readonly text: number;
  readonly content: number;
} {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  const read = (text: string) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b);
    }
    // The length ends a text, so that a part of one cannot pass for a part of the next.
    low = Math.imul(low ^ text.length, 0x01000193);
    high = Math.imul(high ^ ~text.length, 0x85ebca6b);
  };
  const hash = () => (high >>> 11) * 2 ** 32 + (low >>> 0);
  read(description);
  for (const parameter of parameters) {
    read(parameter.name);
    read(parameter.description ?? '');
  }
  const text = description === '' ? 0 : hash();
  read(name);
  return { text, content: hash() };
}

/**
 * The bytes of a stored index, numbers in little-endian order: the letters `TFSI`; the version, the
 * count of sections and a checksum of all bytes after the header, 32 bits each; the length of each
 * section; the sections, each filled up to a multiple of 4.
 */
const MAGIC = 0x49534654;
const VERSION = 5;
const HEADER = 16;

/** Writes sections one behind the other. */
function packSections(sections: readonly Uint8Array[]): Uint8Array {
  const starts = HEADER + 4 * sections.length;
  const size = sections.reduce((sum, { length }) => sum + padded(length), starts);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = starts;
  for (const [i, section] of sections.entries()) {
    view.setUint32(HEADER + 4 * i, section.length, true);
    bytes.set(section, at);
    at += padded(section.length);
  }
  for (const [i, value] of [MAGIC, VERSION, sections.length, checksum(bytes, HEADER)].entries())
    view.setUint32(4 * i, value, true);
  return bytes;
}

/** Reads sections. Throws `invalid-option` if the bytes are not complete or of another version. */
function unpackSections(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const starts = HEADER + 4 * count;
  if (bytes.length < starts) throw notAnIndex('its sections are not complete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (i: number) => view.getUint32(4 * i, true);
  if (numberAt(0) !== MAGIC || numberAt(1) !== VERSION)
    throw notAnIndex(`its version is not ${VERSION}`);
  if (numberAt(2) !== count) throw notAnIndex('its sections are not complete');
  if (numberAt(3) !== checksum(bytes, HEADER)) throw notAnIndex('its checksum is wrong');
  let at = starts;
  return Array.from({ length: count }, (_, i) => {
    const length = view.getUint32(HEADER + 4 * i, true);
    const section = bytes.slice(at, at + length);
    at += padded(length);
    return section;
  });
}

/** The error for bytes that cannot be used. */
function notAnIndex(reason: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The stored index cannot be used: ${reason}.`,
    'Leave `stored` out.',
  );
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
