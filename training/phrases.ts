/**
 * Writes the phrases of `words/phrases.tsv` into a table of word vectors, and takes words out of it to make
 * room: words that `pairs` does not have, and that are nearly the same as the simpler form that stands in for
 * them. Run, before `npm run words`:
 * `node training/phrases.ts packages/core/src/vectors/word-vectors.bin`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { searchWords } from '../packages/core/src/near-names.ts';
import { checksum } from '../packages/core/src/values/files.ts';
import { simplerForms } from '../packages/core/src/vectors/read-vectors.ts';
import { readTable, type Table } from '../packages/core/src/vectors/table-file.ts';
import { readPhrases } from './read-phrases.ts';

const MOST_WORDS = 28_560;
const HEADER_BYTES = 24;

const [file = ''] = process.argv.slice(2);
const bytes = readFileSync(file);
const table = readTable(bytes);
const phrases = readPhrases();
for (const { gloss, phrases: same } of phrases)
  for (const word of gloss)
    if (!table.rows.has(word)) throw new Error(`The table has no word "${word}" of "${same[0]}".`);

const pairs = new URL('pairs/', import.meta.url);
const texts = readdirSync(pairs).map((name) => readFileSync(new URL(name, pairs), 'utf8'));
const needed = new Set([
  ...phrases.flatMap(({ gloss }) => gloss),
  ...searchWords(texts.join('\n')),
]);
const dropped = new Set(spare(table, needed).slice(0, Math.max(0, table.rows.size - MOST_WORDS)));
const left = [...table.rows].filter(([word]) => !dropped.has(word));
const lines = [
  ...left.map(([word]) => word),
  ...phrases.map(({ gloss, phrases: same }) => `${gloss.join(' ')}\t${same.join(',')}`),
];
const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
const header = Buffer.from(bytes.subarray(0, HEADER_BYTES));
header.writeUInt32LE(left.length, 12);
header.writeUInt32LE(text.length, 16);
const { dimensions, scales, values, reference = new Int8Array() } = table;
const rows = left.map(([, row]) => row);
const all = Buffer.concat([
  ...[header, text, Buffer.alloc(-text.length & 3)],
  Buffer.from(Float32Array.from(rows, (row) => scales[row] ?? 0).buffer),
  ...rows.map((row) => Buffer.from(values.slice(row * dimensions, (row + 1) * dimensions))),
  Buffer.from(reference),
]);
all.writeUInt32LE(checksum(all, HEADER_BYTES) >>> 0, 20);
writeFileSync(file, all);
const count = phrases.reduce((sum, { phrases: same }) => sum + same.length, 0);
console.log(`${left.length} words, ${count} phrases, ${all.length} bytes`);

/** Words that a simpler form stands in for, the nearest to it first. Such a form is never one of them. */
function spare({ rows: all, dimensions, scales, values }: Table, kept: ReadonlySet<string>) {
  const valueAt = (row: number, i: number) =>
    (scales[row] ?? 0) * (values[row * dimensions + i] ?? 0);
  const pairs = [...all].flatMap(([word, row]) => {
    const form = simplerForms(word).find((one) => all.has(one));
    const simpler = all.get(form ?? '');
    if (form === undefined || simpler === undefined || kept.has(word)) return [];
    let distance = 0;
    for (let i = 0; i < dimensions; i++) distance += (valueAt(row, i) - valueAt(simpler, i)) ** 2;
    return [{ word, form, distance }];
  });
  const chosen = new Set<string>();
  const forms = new Set<string>();
  for (const { word, form } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (forms.has(word) || chosen.has(form)) continue;
    chosen.add(word);
    forms.add(form);
  }
  return [...chosen];
}
