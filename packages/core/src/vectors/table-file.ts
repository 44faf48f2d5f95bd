import { ToolfoldError } from '../errors.ts';
import { checksum } from '../values/index.ts';

/** What a phrase counts beside a word of the query. */
const WEIGHT = 0.6;

/** What a phrase means, in words that have the same weight. */
interface PhraseMeaning {
  readonly words: readonly string[];
  readonly weight: number;
}

/** Phrases whose words mean something else together, such as `turn down`. */
export class Phrases {
  readonly #meanings = new Map<string, PhraseMeaning>();
  /** By the first two words of phrases, the most words of one. */
  readonly #longest = new Map<string, number>();

  /** `lines`: some words and, after a tab, the phrases that mean the same. */
  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const [gloss = '', phrases = ''] = line.split('\t');
      const words = gloss.split(' ');
      const meaning = { words, weight: WEIGHT / Math.sqrt(words.length) };
      for (const phrase of phrases.split(',')) {
        const own = phrase.split(' ');
        const start = `${own[0]} ${own[1]}`;
        this.#meanings.set(phrase, meaning);
        this.#longest.set(start, Math.max(own.length, this.#longest.get(start) ?? 0));
      }
    }
  }

  /** Undefined for what is no phrase. */
  meaningOf(phrase: string): PhraseMeaning | undefined {
    return this.#meanings.get(phrase);
  }

  /** The phrases among the words of a text, the longest at each place. They do not overlap. */
  in(words: readonly string[]): string[] {
    const found: string[] = [];
    for (let at = 0; at < words.length - 1; at++) {
      const longest = this.#longest.get(`${words[at]} ${words[at + 1]}`) ?? 0;
      for (let length = longest; length > 1; length--) {
        const phrase = words.slice(at, at + length).join(' ');
        if (!this.#meanings.has(phrase)) continue;
        found.push(phrase);
        at += length - 1;
        break;
      }
    }
    return found;
  }
}

/**
 * The file, in little-endian order: the four letters `TFWV`; the version, the dimensions, the
 * count of words, the bytes of all words and phrases and a checksum of all bytes after the header as 32-bit
 * numbers; the words, in ASCII and each ended by a line feed, and lines of phrases as `Phrases` reads
 * them, if there are any; zeros up to a multiple of 4; a 32-bit float for each word, its scale; and for
 * each word its numbers as signed bytes. From version 2 on, the vectors of the reference tools follow, in
 * signed bytes.
 */
const MAGIC = 'TFWV';
const VERSIONS = [1, 2];
const HEADER_BYTES = 24;
const MAX_DIMENSIONS = 1024;

/** The vector of the word in row r is `scales[r]` times the values from `r * dimensions` on. */
export interface VectorTable {
  readonly dimensions: number;
  readonly rows: ReadonlyMap<string, number>;
  readonly phrases: Phrases;
  readonly scales: Float32Array;
  readonly values: Int8Array;
  /** Undefined in a file of version 1. */
  readonly reference: Int8Array | undefined;
}

/** Reads a file of word vectors. The values stay in `bytes`, which must not change after that. */
export function readTable(bytes: Uint8Array): VectorTable {
  if (bytes.length < HEADER_BYTES) throw damaged('it ends within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (index: number) => view.getUint32(4 * index, true);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== MAGIC)
    throw damaged('it has another format');
  if (!VERSIONS.includes(numberAt(1)))
    throw damaged(`its version is not one of ${VERSIONS.join(', ')}`);
  const dimensions = numberAt(2);
  const count = numberAt(3);
  const wordBytes = numberAt(4);
  const scalesAt = HEADER_BYTES + Math.ceil(wordBytes / 4) * 4;
  const valuesAt = scalesAt + 4 * count;
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS || count < 1)
    throw damaged('its counts are wrong');
  const end = valuesAt + count * dimensions;
  const rest = bytes.length - end;
  if (rest < 0 || rest % dimensions > 0 || rest > 0 !== numberAt(1) > 1)
    throw damaged('its length is wrong');
  if (checksum(bytes, HEADER_BYTES) !== numberAt(5)) throw damaged('its checksum is wrong');

  const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + wordBytes));
  const lines = text.split('\n');
  const rows = new Map<string, number>();
  for (const word of lines.slice(0, count)) rows.set(word, rows.size);
  const phrases = new Phrases(lines.slice(count, -1));
  if (rows.size !== count || lines.at(-1) !== '') throw damaged('its words are not complete');
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row++) scales[row] = view.getFloat32(scalesAt + 4 * row, true);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, count * dimensions);
  const reference =
    rest === 0 ? undefined : new Int8Array(bytes.buffer, bytes.byteOffset + end, rest);
  return { dimensions, rows, phrases, scales, values, reference };
}

function damaged(reason: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The bytes are not a table of word vectors: ${reason}.`,
    'Use the file word-vectors.bin of this version of toolfold, complete and unchanged.',
  );
}
