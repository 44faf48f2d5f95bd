import type { ToolDocument, ToolSearch } from '../../src/search.ts';
import type { EmbedRequest } from '../../src/vectors/options.ts';

export const tools: ToolDocument[] = [
  { key: 'stash', group: 'git', name: 'git_stash', description: 'Stores changes for later.' },
  { key: 'mail', group: 'mail', name: 'send_mail', description: 'Sends a letter.' },
];
export const allows = (): boolean => true;

export interface Embedder {
  /** The texts that it has embedded. */
  readonly texts: string[];
  embed(request: EmbedRequest<string>): Promise<{ embeddings: number[][] }>;
}

/** Knows that putting work aside is stashing. */
export function embedder(): Embedder {
  const texts: string[] = [];
  const embed = async ({ values }: EmbedRequest<string>) => {
    texts.push(...values);
    return { embeddings: values.map((text) => (/stash|aside/.test(text) ? [1, 0] : [0, 1])) };
  };
  return { texts, embed };
}

/** Searches after `prepare`, and returns the keys of the hits. */
export async function find(search: ToolSearch, query: string): Promise<string[]> {
  await search.prepare?.([query]);
  return search.search(query, { limit: 5, allows }).map(({ key }) => key);
}

/** Tools that are not near to the others. */
export function many(count: number): ToolDocument[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ key: `t${i}`, group: 'g', name: `tool_${i}`, description: `Does ${i}.` },
  }));
}
