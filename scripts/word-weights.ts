/**
 * Writes how much each frequent word of tools says, from the tools of `training/pairs`. Run:
 * `npm run words`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { searchWords } from '../packages/core/src/near-names.ts';
import { stem } from '../packages/core/src/search/stem.ts';

const pairs = new URL('../training/pairs/', import.meta.url);
const target = new URL('../packages/core/src/search/frequent-stems.ts', import.meta.url);
/** Stems of fewer tools are not listed. */
const MIN_TOOLS = 8;

interface Tool {
  readonly name: string;
  readonly description: string;
}

const tools: Tool[] = readdirSync(pairs)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readFileSync(new URL(file, pairs), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line));

const counts = new Map<string, number>();
for (const { name, description } of tools)
  for (const one of new Set(searchWords(`${name} ${description}`).map(stem)))
    counts.set(one, (counts.get(one) ?? 0) + 1);

/** The idf of a stem of `count` tools in relation to that of a stem of none, in tenths. */
function tenths(count: number): number {
  const idf = (n: number) => Math.log(1 + (tools.length - n + 0.5) / (n + 0.5));
  return Math.round((10 * idf(count)) / idf(0));
}

const byWeight = new Map<number, string[]>();
for (const [one, count] of counts) {
  if (count < MIN_TOOLS || !/^[a-z]+$/.test(one)) continue;
  const weight = tenths(count);
  byWeight.set(weight, [...(byWeight.get(weight) ?? []), one]);
}

const lines = [...byWeight]
  .sort(([a], [b]) => a - b)
  .map(([weight, stems]) => `  [${weight / 10}, '${stems.sort().join(' ')}'],`);
const text = `// Written by \`npm run words\` from ${tools.length} tools of training/pairs.

/** Stems that occur in many tools of all kinds, by how much they say: from 0 to 1. */
export const FREQUENT_STEMS: readonly (readonly [number, string])[] = [
${lines.join('\n')}
];
`;
writeFileSync(target, text);
console.log(`${target.pathname.split('/').at(-1)}: ${lines.length} weights, ${text.length} bytes`);
