import { WEIGHTS, type Weights } from '../../../packages/core/src/search/fields.ts';
import {
  createLexicalSearch,
  type ToolDocument,
  type ToolSearch,
} from '../../../packages/core/src/search.ts';
import { loadVectors } from '../../../packages/core/src/vectors.ts';
import type { Index, Method } from '../method.ts';

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;

/** A way to create the built-in search. */
export interface Setting {
  readonly id: string;
  /** What it compares, for example `words`. */
  readonly name: string;
  readonly hasVectors: boolean;
  create(): ToolSearch | Promise<ToolSearch>;
}

export const SETTINGS: readonly Setting[] = [
  { id: 'lexical', name: 'words', hasVectors: false, create: () => createLexicalSearch() },
  {
    id: 'vectors',
    name: 'words and vectors',
    hasVectors: true,
    create: async () => createLexicalSearch({ vectors: await loadVectors() }),
  },
];

/** The built-in search, as a session uses it. Each setting of it is a method. */
export const OURS: readonly Method[] = SETTINGS.map(({ id, name, create }) => ({
  ...{ id, title: `Toolfold, ${name}`, isOurs: true },
  index: async (tools) => indexed(await create(), tools),
}));

/** The same methods with numbers of the ranking set to 0. Throws an error if there is no such number. */
export function oursWithout(numbers: readonly string[]): Method[] {
  const unknown = numbers.find((number) => !(number in WEIGHTS));
  if (unknown !== undefined) throw new Error(`The ranking has no number "${unknown}".`);
  const weights: Weights = { ...WEIGHTS, ...Object.fromEntries(numbers.map((n) => [n, 0])) };
  return SETTINGS.map(({ id, name, hasVectors }) => ({
    id: `${id}-without`,
    title: `Toolfold, ${name}, without ${numbers.join(' and ')}`,
    isOurs: true,
    async index(tools) {
      const vectors = hasVectors ? { vectors: await loadVectors() } : {};
      return indexed(createLexicalSearch({ weights, ...vectors }), tools);
    },
  }));
}

function indexed(search: ToolSearch, tools: readonly ToolDocument[]): Index {
  search.index(tools);
  return {
    search: (query, limit) => {
      const hits = search.search(query, { limit, allows: everything });
      return { keys: hits.flatMap(({ key, twins = [] }) => [key, ...twins]).slice(0, limit) };
    },
  };
}
