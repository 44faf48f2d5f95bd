import type { SearchHit, SearchOptions, ToolDocument, ToolSearch } from '../tools/search/index.ts';
import type { VectorSearchOptions } from './load-search.ts';

/** What an embedder is asked: as `embedMany` of the AI SDK takes it. */
export interface EmbedRequest<MODEL> {
  readonly model: MODEL;
  readonly values: string[];
}

/** Embeddings by model and text. A `Map` is one; a store of the app's own may keep them. */
export interface EmbeddingCache {
  get(key: string): readonly number[] | undefined;
  set(key: string, embedding: readonly number[]): unknown;
}

export interface HybridOptions<MODEL> extends VectorSearchOptions {
  /** Embeds texts, for example `embedMany` of the AI SDK. */
  readonly embed: (
    request: EmbedRequest<MODEL>,
  ) => PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
  /** Goes to `embed`. Embeddings of another model are others in the cache. */
  readonly model: MODEL;
  /** Embeddings that are known. In memory if left out. */
  readonly cache?: EmbeddingCache;
  /** Called when `embed` fails. That search then answers as if there were no embedder. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/** What similarity counts beside the other search. */
const SHARE = 0.5;
/** The documents that similarity adds, and the hits that are put in a new order. */
const POOL = 50;
/** The most texts in one call of the embedder. */
const AT_ONCE = 100;
/** The most characters of a text that are embedded. */
const MOST = 2_000;
/** Queries that are kept. */
const MAX_QUERIES = 1_000;

/**
 * A search that also compares the embeddings of queries and tools. `prepare` embeds what is not known yet;
 * a query that was not prepared is answered by the other search alone. Scores are those of that search.
 */
export function fuse<MODEL>(base: ToolSearch, options: HybridOptions<MODEL>): ToolSearch {
  const { embed, model, cache = new Map<string, readonly number[]>(), onError } = options;
  const prefix = `${nameOf(model)}\n`;
  const documents = new Map<string, string>();
  const vectors = new Map<string, Float32Array>();
  const queries = new Map<string, Float32Array>();

  async function embedded(texts: readonly string[]): Promise<void> {
    const unknown = [...new Set(texts)].filter((text) => cache.get(prefix + text) === undefined);
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      const values = unknown.slice(at, at + AT_ONCE);
      const { embeddings } = await embed({ model, values });
      for (const [i, text] of values.entries()) {
        const embedding = embeddings[i];
        if (embedding === undefined) throw new Error('The embedder gave too few embeddings.');
        cache.set(prefix + text, embedding);
      }
    }
  }

  const vectorOf = (text: string) => {
    const embedding = cache.get(prefix + text);
    return embedding && unit(embedding);
  };

  async function prepare(asked: readonly string[]): Promise<void> {
    try {
      const missing = [...documents].filter(([key]) => !vectors.has(key));
      const texts = asked.map((query) => query.slice(0, MOST));
      await embedded([...missing.map(([, text]) => text), ...texts]);
      for (const [key, text] of missing) {
        const vector = documents.get(key) === text ? vectorOf(text) : undefined;
        if (vector) vectors.set(key, vector);
      }
      if (queries.size > MAX_QUERIES) queries.clear();
      for (const [i, query] of asked.entries()) {
        const vector = vectorOf(texts[i] ?? '');
        if (vector) queries.set(query, vector);
      }
    } catch (error) {
      onError?.(error);
    }
  }

  function search(query: string, asked: SearchOptions): readonly SearchHit[] {
    const vector = queries.get(query);
    if (vector === undefined) return base.search(query, asked);
    const found = base.search(query, { ...asked, limit: Math.max(POOL, asked.limit) });
    const twins = new Set(found.flatMap(({ twins = [] }) => twins));
    const near = nearest(vector, (key) => !twins.has(key) && asked.allows(key));
    const hits = new Map(found.map((hit) => [hit.key, hit]));
    const rated = [...new Set([...hits.keys(), ...near.keys()])].map((key) => {
      const hit = hits.get(key) ?? { key, score: 0 };
      const isName = hit.score === 1 ? 1 : 0;
      return { hit, rate: isName + (hit.relevance ?? hit.score) + SHARE * (near.get(key) ?? 0) };
    });
    rated.sort((a, b) => b.rate - a.rate || (a.hit.key < b.hit.key ? -1 : 1));
    // Whether anything fits is what the other search says. Scores never rise.
    let least = found[0]?.score ?? 0;
    const most = rated[0]?.rate || 1;
    return rated.slice(0, asked.limit).map(({ hit, rate }, at) => {
      least = at === 0 ? least : Math.min(least, hit.score);
      return { ...hit, score: least, relevance: Math.max(0, rate / most) };
    });
  }

  /** The nearest documents, with 1 for the nearest and 0 for one like the mean. */
  function nearest(query: Float32Array, allows: (key: string) => boolean): Map<string, number> {
    const all = [...vectors].flatMap(([key, vector]) =>
      vector.length === query.length && allows(key) ? [[key, dot(query, vector)] as const] : [],
    );
    const mean = all.reduce((sum, [, value]) => sum + value, 0) / (all.length || 1);
    const first = all.sort((a, b) => b[1] - a[1]).slice(0, POOL);
    const range = (first[0]?.[1] ?? mean) - mean || 1;
    return new Map(first.map(([key, value]) => [key, Math.max(0, (value - mean) / range)]));
  }

  return {
    index(added) {
      base.index(added);
      for (const document of added) {
        const text = textOf(document);
        if (documents.get(document.key) === text) continue;
        documents.set(document.key, text);
        vectors.delete(document.key);
      }
    },
    search,
    prepare,
    ...(base.scale ? { scale: base.scale } : {}),
    ...(base.longestQuery === undefined ? {} : { longestQuery: base.longestQuery }),
    compares: `${base.compares ?? 'words'}, and embeddings`,
  };
}

function textOf({ group, name, description = '', parameters = [] }: ToolDocument): string {
  const names = parameters.map((parameter) => parameter.name).join(', ');
  return `${group} ${name}: ${description} (${names})`.slice(0, MOST);
}

/** A model of the AI SDK by provider and id, a text as it is. */
function nameOf(model: unknown): string {
  if (typeof model !== 'object' || model === null) return String(model);
  const { provider, modelId } = model as { provider?: unknown; modelId?: unknown };
  return `${provider}/${modelId}`;
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
