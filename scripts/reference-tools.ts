/**
 * Writes what tools of all kinds are about, from the tools of `training/pairs`: the search compares the
 * tools of a catalog with them. Run: `npm run words`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { searchWords } from '../packages/core/src/near-names.ts';
import { STOP_WORDS } from '../packages/core/src/search/fields.ts';
import { stem, wordWeight } from '../packages/core/src/search/stem.ts';

const pairs = new URL('../training/pairs/', import.meta.url);
const target = new URL('../packages/core/src/search/reference-tools.ts', import.meta.url);
/** Three of eight tools: all of them need more than twice the bytes, and tell no better whether a tool fits. */
const TAKEN = 3;
const EVERY = 8;
/** Words of a description beside those of the server and the name: the most telling. */
const FROM_DESCRIPTION = 1;
/** Characters of one line of the file. */
const LINE = 700;

interface Tool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

const tools: Tool[] = readdirSync(pairs)
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) => readFileSync(new URL(file, pairs), 'utf8').trim().split('\n'))
  .filter((_, at) => at % EVERY < TAKEN)
  .map((line) => JSON.parse(line));

function wordsOf(text: string): string[] {
  return [...new Set(searchWords(text))].filter((word) => !STOP_WORDS.has(word));
}

function listed({ server, name, description }: Tool): readonly string[] {
  const own = wordsOf(`${server} ${name}`);
  const others = wordsOf(description)
    .filter((word) => !own.includes(word))
    .sort((a, b) => wordWeight(b) - wordWeight(a));
  const all = [...own, ...others.slice(0, FROM_DESCRIPTION)];
  // A stem counts once in a tool.
  return [...new Map(all.toReversed().map((word) => [stem(word), word])).values()];
}

const lists = tools.map(listed);
const uses = Map.groupBy(lists.flat(), (word) => word);
const usesOf = (word: string) => uses.get(word)?.length ?? 0;
// Tools with the same first words stand together: a word that is also in its place in the tool before is left out.
const sorted = lists.map((words) =>
  words.toSorted((a, b) => usesOf(b) - usesOf(a) || (a < b ? -1 : 1)).join(' '),
);
const lines: string[] = [];
let before: readonly string[] = [];
for (const tool of [...new Set(sorted)].sort()) {
  const words = tool.split(' ');
  const differs = words.findIndex((word, at) => word !== before[at]);
  const text = words.map((word, at) => (at < differs ? '' : word)).join(' ');
  before = words;
  const last = lines.at(-1);
  if (last === undefined || last.length + text.length > LINE) lines.push(text);
  else lines[lines.length - 1] = `${last};${text}`;
}
const text = `// Written by \`npm run words\` from ${tools.length} tools of training/pairs.

/** The words of tools of all kinds: several tools a line, with \`;\` between them. An empty word is that of the tool before. */
export const REFERENCE_TOOLS: readonly string[] = [
${lines.map((line) => `  ${JSON.stringify(line).replaceAll("'", "\\'").replace(/^"|"$/g, "'")},`).join('\n')}
];
`;
writeFileSync(target, text);
console.log(`${target.pathname.split('/').at(-1)}: ${lines.length} lines, ${text.length} bytes`);
