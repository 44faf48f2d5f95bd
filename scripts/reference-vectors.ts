/**
 * Writes the vectors of tools of `training/pairs` to the end of the table of word vectors: scores compare
 * with them. Run it after the table was trained: `npm run words`. An argument names another table.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DocumentVectors } from '../packages/core/src/search/document-vectors.ts';
import { WEIGHTS } from '../packages/core/src/search/fields.ts';
import { ToolIndex } from '../packages/core/src/search/tool-index.ts';
import { checksum } from '../packages/core/src/values/files.ts';
import { readTable } from '../packages/core/src/vectors/table-file.ts';
import { readVectors } from '../packages/core/src/vectors.ts';

const pairs = new URL('../training/pairs/', import.meta.url);
const [target = new URL('../packages/core/src/vectors/word-vectors.bin', import.meta.url)] =
  process.argv.slice(2);
/** Every second tool: all of them would take 94 kB more of the package. */
const EVERY = 2;
const VERSION = 2;
const HEADER_BYTES = 24;

const bytes = readFileSync(target);
const table = bytes.subarray(0, bytes.length - (readTable(bytes).reference?.length ?? 0));
const vectors = new DocumentVectors(readVectors(bytes));
const index = new ToolIndex(WEIGHTS, vectors);
const lines = readdirSync(pairs)
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) => readFileSync(new URL(file, pairs), 'utf8').trim().split('\n'))
  .filter((_, at) => at % EVERY === 0);
for (const [at, line] of lines.entries()) {
  const { server, name, description } = JSON.parse(line);
  index.add({ key: String(at), group: server, name, description });
}
index.merge();
const all = Buffer.concat([table, vectors.store()]);
all.writeUInt32LE(VERSION, 4);
all.writeUInt32LE(checksum(all, HEADER_BYTES) >>> 0, 20);
writeFileSync(target, all);
console.log(`${index.size} reference tools, ${all.length} bytes`);
