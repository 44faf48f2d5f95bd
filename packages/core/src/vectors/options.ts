import { errorMessage, invalidOption, ToolfoldError } from '../errors.ts';
import type { ToolSearch, WordVectors } from '../search/index.ts';
import type { LexicalSearchOptions } from '../search.ts';
import {
  asSentence,
  checkKnown,
  isFiniteAmount,
  type KnownOptions,
  onDemand,
} from '../values/index.ts';

/** What the search with vectors can also do. */
export type VectorSearchOptions = Pick<LexicalSearchOptions, 'translate'>;

const wordSearch = onDemand(() => import('../search.ts'));

/** Loads the built-in search, with word vectors where they can be loaded, else by words alone. */
export async function loadSearch(
  load: () => Promise<WordVectors>,
  { translate }: VectorSearchOptions = {},
): Promise<ToolSearch> {
  const loading = load().then(
    (vectors) => ({ vectors }),
    (error: unknown) => ({ warning: withoutVectors(error) }),
  );
  const [{ createLexicalSearch }, loaded] = await Promise.all([wordSearch(), loading]);
  const { warning, ...vectors } = { warning: undefined, ...loaded };
  const search = createLexicalSearch({ ...vectors, ...(translate && { translate }) });
  return warning === undefined ? search : { ...search, warning };
}

const REMEDY =
  'In a bundle, copy the file word-vectors.bin of @toolfold/core to that place, keep @toolfold/core external, or choose `search: lexical()` of @toolfold/core/search.';

/** A bundler may have left the table behind: then the error has the cause that no file could be read. */
function withoutVectors(error: unknown): string {
  const cause = error instanceof ToolfoldError ? error.cause : error;
  const why = cause ? `${asSentence(errorMessage(cause))} ${REMEDY}` : errorMessage(error);
  return `searches compare words alone, because the word vectors could not be loaded: ${why}`;
}

/** What an embedder is asked: as `embedMany` of the AI SDK takes it. */
export interface EmbedRequest<MODEL> {
  readonly model: MODEL;
  readonly values: string[];
}

/** Embeddings by model and text. A `Map` is one; a store of the app's own may keep them. It may forget. */
export interface EmbeddingCache {
  /** Must answer at once. Anything but a non-empty array of finite numbers counts as not known. */
  get(key: string): readonly number[] | undefined;
  /** May return a promise. The search does not wait for it. */
  set(key: string, embedding: readonly number[]): unknown;
}

export interface HybridOptions<MODEL> extends VectorSearchOptions {
  /** Embeds texts, for example `embedMany` of the AI SDK. Gives one embedding for each text, in their order. */
  readonly embed: (
    request: EmbedRequest<MODEL>,
  ) => PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
  /**
   * Goes to `embed`. Embeddings of another model are others in the cache. A cache that is kept longer than the
   * process needs a text, or an object with the texts `provider` and `modelId`: any other object has a name that
   * holds for the process alone.
   */
  readonly model: MODEL;
  /** Embeddings that are known. The search itself keeps those of its tools and of recent queries in memory. */
  readonly cache?: EmbeddingCache;
  /**
   * The longest time in milliseconds that a search waits for embeddings, 10,000 if left out. What arrives later
   * is used by later searches.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Called for each search whose embeddings fail, are unusable or take too long: it answers as if there were no
   * embedder. Also called when the cache fails, which changes no answer. Must not throw.
   */
  readonly onError?: (error: unknown) => void;
}

const HYBRID_OPTIONS: KnownOptions<HybridOptions<unknown>> = {
  translate: true,
  embed: true,
  model: true,
  cache: true,
  timeoutMs: true,
  onError: true,
};

/** Throws `invalid-option` for an unknown option, and for a time limit that is none. */
export function checkHybridOptions(options: { readonly timeoutMs?: number | undefined }): void {
  checkKnown('hybrid()', options, HYBRID_OPTIONS);
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !(isFiniteAmount(timeoutMs) && timeoutMs > 0))
    throw invalidOption('timeoutMs', 'a number of milliseconds above 0');
}
