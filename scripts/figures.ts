/**
 * Writes the tables of the documents from the output of the benchmarks, between the comments
 * `<!-- figures: NAME -->` and `<!-- /figures -->`. Run: `npm run figures`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** A benchmark's table: its title, and its rows by column. */
interface Section {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** The regions of each document, and the benchmark that each comes from. */
export const REGIONS: readonly {
  readonly document: string;
  readonly name: string;
  readonly bench: string;
  readonly table: (printed: string) => string;
}[] = [
  { document: 'README.md', name: 'savings', bench: 'tasks', table: savings },
  { document: 'docs/benchmarks.md', name: 'shares', bench: 'tasks', table: shares },
  { document: 'docs/contributing/measurements.md', name: 'tasks', bench: 'tasks', table: tasks },
  { document: 'docs/contributing/measurements.md', name: 'cost', bench: 'tasks', table: cost },
  {
    document: 'docs/benchmarks.md',
    name: 'minimum',
    bench: 'tasks --model claude-haiku-4-5',
    table: cost,
  },
  { document: 'docs/benchmarks.md', name: 'weight', bench: 'weight', table: weight },
  { document: 'docs/subagents.md', name: 'subagents', bench: 'subagents', table: subagents },
];

/** The output of a benchmark. */
export function runBench(bench: string): string {
  const [name = '', ...args] = bench.split(' ');
  const file = fileURLToPath(new URL(`bench/${name}.ts`, root));
  return execFileSync(process.execPath, [file, ...args], {
    encoding: 'utf8',
  });
}

/** The document with the table inserted in the region. */
export function withTable(text: string, name: string, table: string): string {
  const region = new RegExp(`(<!-- figures: ${name} -->\\n)[\\s\\S]*?(<!-- /figures -->)`);
  if (!region.test(text)) throw new Error(`There is no region "${name}".`);
  return text.replace(region, (_, begin: string, end: string) => `${begin}${table}\n${end}`);
}

/** Parses blocks of lines: a title, column headings, and rows indented by two spaces. */
function sectionsOf(printed: string): Section[] {
  return printed
    .split('\n\n')
    .map((block) => block.trimEnd().split('\n'))
    .filter((lines) => lines.length > 2 && lines[1]?.startsWith('  way'))
    .map(([title = '', , ...rows]) => ({
      title,
      rows: rows.map((row) => row.trim().split(/ {2,}| (?=\d+ s\b)/)),
    }));
}

/** The first task: without Toolfold, with it, and with the AI SDK's own search. */
function savings(printed: string): string {
  const rows = firstTask(printed).map(({ shown, requests, sent, fresh, cost, share }) => [
    shown,
    requests,
    sent,
    fresh,
    cost,
    cents(Number(cost.replaceAll(',', ''))),
    share,
  ]);
  const head = ['way', 'requests', 'tokens sent', 'not cached', 'cost', 'at $5', 'share'];
  return markdown(head, rows, 1);
}

/** A row of a task, as printed. */
interface TaskRow {
  readonly shown: string;
  readonly requests: string;
  readonly sent: string;
  readonly fresh: string;
  readonly cost: string;
  readonly share: string;
}

/** What the first task of `bench/tasks.ts` took each way. */
export function firstTask(printed: string): TaskRow[] {
  const section = sectionsOf(printed).find(({ title }) => title.startsWith('ten user turns'));
  const ways = [
    ['every schema in every request', /^eager$/],
    ['Toolfold', /^auto: /],
    ['`toolSearch()` of the AI SDK', /^toolSearch/],
  ] as const;
  return ways.map(([shown, name]) => {
    const found = section?.rows.find(([way = '']) => name.test(way)) ?? [];
    const [, requests = '', , sent = '', , , , fresh = '', , cost = '', share = ''] = found;
    return { shown, requests, sent, fresh, cost, share };
  });
}

/** What so many input tokens cost at $5 for a million of them, an example of a price. */
export function cents(tokens: number): string {
  return `${(tokens * 5e-4).toFixed(1)} ¢`;
}

function tasks(printed: string): string {
  const rows = sectionsOf(printed).flatMap(({ title, rows }) =>
    rows.map(([way, requests, steps, sent, share, , kept, fresh, breaks, cost, part], index) => [
      index === 0 ? title.replace(/ \((\d+) tools.*/, '; $1 tools') : '',
      ...[wayOf(way), requests, steps, sent, share, kept, fresh, breaks, cost, part],
    ]),
  );
  const head = 'task, way, requests, steps, sent, of eager, kept, new, breaks, cost, share'.split(
    ', ',
  );
  return markdown(head, rows, 2);
}

/** For each way its cost as a share of that of `eager`: in each task, and in all of them. */
function shares(printed: string): string {
  const sections = sectionsOf(printed);
  const inAll = costsOf(printed);
  const names = sections[0]?.rows.map(([way = '']) => way.replace(/:.*/, '')) ?? [];
  const rows = names.map((name, index) => [
    wayOf(name),
    ...sections.map(({ rows }) => rows[index]?.[10]),
    inAll.find(([way]) => way === name)?.[2],
  ]);
  const columns = sections.map((_, index) => `task ${index + 1}`);
  return markdown(['way', ...columns, 'all'], rows, 1);
}

/** The cost of each way over all tasks. */
function cost(printed: string): string {
  const rows = costsOf(printed).map(([way, ...others]) => [wayOf(way), ...others]);
  return markdown(['way', 'cost', 'of eager'], rows, 1);
}

/** The rows of the block of costs: a way, its cost, and the share of that of `eager`. */
function costsOf(printed: string): string[][] {
  const [, block = ''] = printed.split('\nCost of all ');
  return block
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.trim().split(/ {2,}/));
}

/** A way in code, and the strategy that `auto` chose in brackets. */
function wayOf(way = ''): string {
  return `\`${way.replace(': ', '` (`')}\`${way.includes(': ') ? ')' : ''}`;
}

function subagents(printed: string): string {
  const rows = sectionsOf(printed).flatMap(({ title, rows }) =>
    rows.map(([way = '', time, alone, , sent, , , , biggest, price], index) => [
      index === 0 ? `\`${title}\`` : '',
      way
        .replace(/^alone$/, 'one agent alone')
        .replace('one ahead', '`warmCache`')
        .replace(/subagents$/, 'subagents at once'),
      ...[time, alone, sent, biggest, price],
    ]),
  );
  const head = 'strategy, way, time, of alone, sent, biggest request, price'.split(', ');
  return markdown(head, rows, 2);
}

function weight(printed: string): string {
  // The lines after the table are those of the first search.
  const [table = ''] = printed.split('\n\n');
  const [head = [], ...rows] = table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  const cells = rows.map(([entry, ...others]) => [`\`${entry}\``, ...others]);
  return markdown(head, cells, 2);
}

/** A Markdown table. Columns from index `texts` on are figures and are right-aligned. */
function markdown(
  head: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
  texts: number,
): string {
  if (rows.length === 0) throw new Error('The benchmark printed no table.');
  const rule = head.map((_, index) => (index < texts ? '---' : '--:'));
  const lines = rows.map((row) => `| ${row.map((cell) => cell ?? '').join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${rule.join('|')}|`, ...lines].join('\n');
}

if (import.meta.main) {
  const printed = new Map<string, string>();
  for (const { document, name, bench, table } of REGIONS) {
    const output = printed.get(bench) ?? runBench(bench);
    printed.set(bench, output);
    const file = new URL(document, root);
    writeFileSync(file, withTable(readFileSync(file, 'utf8'), name, table(output)));
    console.log(`${document}: ${name}`);
  }
}
