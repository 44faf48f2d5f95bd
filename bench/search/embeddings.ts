/** Embeddings that another program made, in a folder: texts, and a vector for each in the same order. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolSearch } from '../../packages/core/src/search.ts';
import { fuse } from '../../packages/core/src/vectors/hybrid.ts';
import type { EmbedRequest } from '../../packages/core/src/vectors/options.ts';
import type { QuerySet } from './data.ts';
import { FIRST_QUERY } from './measure.ts';

/** A text in JSON on each line. */
const TEXTS = 'texts.jsonl';
/** 32-bit floats in little-endian order. */
const VECTORS = 'vectors.f32';

export type Embed = (
  request: EmbedRequest<string>,
) => Promise<{ readonly embeddings: readonly (readonly number[])[] }>;

/** Reads the folder. Undefined if it has no vectors yet. Throws an error if texts and vectors do not fit. */
export function readEmbeddings(folder: string): Embed | undefined {
  if (!existsSync(join(folder, VECTORS))) return;
  const lines = readFileSync(join(folder, TEXTS), 'utf8').trimEnd().split('\n');
  const rows = new Map(lines.map((line, row) => [JSON.parse(line) as string, row]));
  const numbers = new Float32Array(new Uint8Array(readFileSync(join(folder, VECTORS))).buffer);
  const size = numbers.length / lines.length;
  if (!Number.isInteger(size) || size === 0)
    throw new Error(`${folder} does not have a vector for each text.`);
  return async ({ values }) => ({
    embeddings: values.map((text) => {
      const row = rows.get(text);
      if (row === undefined)
        throw new Error(`${folder} has no embedding of ${JSON.stringify(text.slice(0, 80))}.`);
      return [...numbers.subarray(row * size, (row + 1) * size)];
    }),
  });
}

/** Finds nothing, so that embeddings decide alone. */
export function nothing(): ToolSearch {
  return { index: () => {}, search: () => [] };
}

/** Writes the texts that the sets need: those that an embedder of a session would be asked. */
export async function writeTexts(folder: string, sets: readonly QuerySet[]): Promise<number> {
  const texts = new Set<string>([FIRST_QUERY]);
  const embed: Embed = async ({ values }) => {
    for (const value of values) texts.add(value);
    return { embeddings: values.map(() => [0]) };
  };
  for (const [tools, group] of Map.groupBy(sets, (set) => set.tools)) {
    const search = fuse(nothing(), { embed, model: 'texts' });
    search.index(tools);
    await search.prepare?.(group.flatMap(({ queries }) => queries.map(({ text }) => text)));
  }
  mkdirSync(folder, { recursive: true });
  const lines = Array.from(texts, (text) => `${JSON.stringify(text)}\n`);
  writeFileSync(join(folder, TEXTS), lines.join(''));
  return texts.size;
}
