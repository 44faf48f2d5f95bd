import type { SearchHit, SearchOptions, ToolDocument, ToolSearch } from '../search/index.ts';
import { Recent } from '../values/index.ts';
import { createEmbeddings, dot } from './embeddings.ts';
import type { HybridOptions } from './options.ts';

/** What similarity counts beside the other search. */
const SHARE = 0.5;
/** The documents that similarity adds, and the hits that are put in a new order. */
const POOL = 50;
/** The most characters of a text that are embedded. */
const MOST = 2_000;
/** Queries that are kept. */
const MAX_QUERIES = 1_000;

/**
 * A search that also compares the embeddings of queries and tools. `prepare` embeds what is not known yet;
 * a query that was not prepared is answered by the other search alone. Scores are those of that search.
 */
export function fuse<MODEL>(base: ToolSearch, options: HybridOptions<MODEL>): ToolSearch {
  /** The texts of the tools by key. */
  const documents = new Map<string, string>();
  /** The vectors of the tools by text, undefined while they are being embedded. */
  const tools = new Map<string, Float32Array | undefined>();
  const queries = new Recent<Float32Array>(MAX_QUERIES);
  const vectorOf = (text: string) => tools.get(text) ?? queries.get(text);
  const embed = createEmbeddings(options, (text, vector) => {
    if (tools.has(text)) tools.set(text, vector);
    else queries.set(text, vector);
  });

  async function prepare(asked: readonly string[]): Promise<void> {
    const texts = asked.map(cut);
    const unknown = [...documents.values()].filter((text) => tools.get(text) === undefined);
    for (const text of unknown) tools.set(text, undefined);
    try {
      await embed([...unknown, ...texts.filter((text) => vectorOf(text) === undefined)]);
    } catch (error) {
      // Without the vectors of some tools, similarity would favour the others.
      for (const text of texts) queries.delete(text);
      options.onError?.(error);
    }
  }

  function search(query: string, asked: SearchOptions): readonly SearchHit[] {
    const vector = vectorOf(cut(query));
    if (!vector?.length) return base.search(query, asked);
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
    const all = [...documents].flatMap(([key, text]) => {
      const vector = tools.get(text);
      if (vector?.length !== query.length || !allows(key)) return [];
      return [[key, dot(query, vector)] as const];
    });
    const mean = all.reduce((sum, [, value]) => sum + value, 0) / (all.length || 1);
    const first = all.sort((a, b) => b[1] - a[1]).slice(0, POOL);
    const range = (first[0]?.[1] ?? mean) - mean || 1;
    return new Map(first.map(([key, value]) => [key, Math.max(0, (value - mean) / range)]));
  }

  return {
    index(added) {
      base.index(added);
      for (const document of added) {
        const old = documents.get(document.key);
        const text = textOf(document);
        documents.set(document.key, text);
        if (old !== undefined && old !== text) tools.delete(old);
      }
    },
    search,
    prepare,
    ...(base.scale ? { scale: base.scale } : {}),
    ...(base.isCut ? { isCut: base.isCut } : {}),
    ...(base.warning ? { warning: base.warning } : {}),
    compares: `${base.compares ?? 'words'}, and embeddings`,
  };
}

function textOf({ group, name, description = '', parameters = [] }: ToolDocument): string {
  const names = parameters.map((parameter) => parameter.name).join(', ');
  return cut(`${group} ${name}: ${description} (${names})`);
}

/** The beginning of a text. A character of two units is not divided. */
function cut(text: string): string {
  const isPair = (text.codePointAt(MOST - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? MOST - 1 : MOST);
}
