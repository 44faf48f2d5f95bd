/**
 * Draws docs/search.svg from the tables of docs/contributing/measurements.md: nDCG@10 of each way
 * to search with its interval, and the time of a query among 50,000 tools. Run: `npm run picture`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { escaped, line, round, text } from './svg.ts';

const WIDTH = 900;
const TOP = 92;
const ROW = 34;
const BAR = 18;
const LABELS = 250;
const QUALITY = { left: LABELS, width: 270 };
const TIME = { left: 600, width: 210 };
/** The scale of times in milliseconds is logarithmic. */
const SHORTEST_MS = 0.1;
const LONGEST_MS = 10_000;

interface Row {
  readonly name: string;
  readonly isOurs: boolean;
  /** In percent: nDCG@10 and the bounds of its interval. */
  readonly ndcg: number;
  readonly low: number;
  readonly high: number;
  /** Milliseconds of a sentence among the most tools, if measured. */
  readonly ms: number | undefined;
}

/** The picture of the tables on a page, as the text of an SVG file. */
export function searchPicture(page: string): string {
  const times = new Map(
    tableOf(page, 'search-scale')
      .filter((row) => row.tools === '50,000')
      .map((row) => [row.method, Number.parseFloat(row['sentence ms (p95)'] ?? '')]),
  );
  const rows = tableOf(page, 'search').flatMap((row): Row[] => {
    const { method: name = '' } = row;
    const [low, high] = (row['nDCG@10, 95 %'] ?? '').split(' to ').map(Number);
    const ndcg = Number.parseFloat(row['nDCG@10'] ?? '');
    if (low === undefined || high === undefined || Number.isNaN(ndcg)) return [];
    return [{ name, isOurs: name.startsWith('Toolfold'), ndcg, low, high, ms: times.get(name) }];
  });
  return draw(rows);
}

/** The rows of a table between the comments of its region, by heading. */
export function tableOf(page: string, name: string): Record<string, string>[] {
  const region = new RegExp(`<!-- figures: ${name} -->\\n([\\s\\S]*?)<!-- /figures -->`);
  const lines = region.exec(page)?.[1]?.trim().split('\n') ?? [];
  const [headings = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => Object.fromEntries(headings.map((key, at) => [key, cells[at] ?? ''])));
}

function draw(rows: readonly Row[]): string {
  const bottom = TOP + ROW * rows.length;
  const height = bottom + 62;
  const [first] = rows;
  const label = `nDCG@10 of ${rows.length} ways to search tools${first ? `; ${first.name}: ${first.ndcg.toFixed(1)}` : ''}.`;
  const shapes = rows.map((row, at) => rowOf(row, TOP + ROW * at + ROW / 2));
  const percents = [0, 20, 40, 60, 80].map((value) =>
    tick(QUALITY.left + (QUALITY.width * value) / 100, bottom, String(value)),
  );
  const decades = [0.1, 1, 10, 100, 1_000, 10_000].map((ms) =>
    tick(timeAt(ms), bottom, ms.toLocaleString('en-US')),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .small { fill: #57606a; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .page { fill: #ffffff; }
  .ours { fill: #1a7f5a; }
  .other { fill: #8c959f; }
  .axis { stroke: #d0d7de; }
  .interval { stroke: #24292f; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .page { fill: #0d1117; }
    .ours { fill: #2ea077; }
    .other { fill: #6e7781; }
    .axis { stroke: #3d444d; }
    .interval { stroke: #e6edf3; }
  }
</style>
<rect x="0" y="0" width="${WIDTH}" height="${height}" class="page"/>
${text(40, 40, 'How well each way finds the right tool', 'title')}
${text(QUALITY.left, 66, 'nDCG@10 in percent, with its 95 % interval', 'small')}
${text(TIME.left, 66, 'ms for a sentence, 50,000 tools (log)', 'small')}
${[...percents, ...decades].join('\n')}
${shapes.join('\n')}
</svg>
`;
}

function rowOf({ name, isOurs, ndcg, low, high, ms }: Row, y: number): string {
  const at = (value: number) => QUALITY.left + (QUALITY.width * value) / 100;
  const bar = `<rect x="${QUALITY.left}" y="${round(y - BAR / 2)}" width="${round(at(ndcg) - QUALITY.left)}" height="${BAR}" class="${isOurs ? 'ours' : 'other'}"/>`;
  const interval = line(at(low), y, at(high), y, 'interval');
  const dot =
    ms === undefined || Number.isNaN(ms)
      ? text(TIME.left, y + 4, 'not measured', 'small')
      : `<circle cx="${round(timeAt(ms))}" cy="${round(y)}" r="6" class="${isOurs ? 'ours' : 'other'}"/>` +
        text(timeAt(ms) + 12, y + 4, figure(ms));
  return [
    text(LABELS - 12, y + 4, name, 'end'),
    bar,
    interval,
    text(at(high) + 8, y + 4, ndcg.toFixed(1)),
    dot,
  ].join('');
}

function timeAt(ms: number): number {
  const share = Math.log(ms / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS);
  return TIME.left + TIME.width * Math.min(1, Math.max(0, share));
}

function tick(x: number, bottom: number, label: string): string {
  return line(x, TOP - 6, x, bottom + 4, 'axis') + text(x, bottom + 22, label, 'small middle');
}

function figure(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms.toPrecision(2);
}

if (import.meta.main) {
  const measured = new URL('../docs/contributing/measurements.md', import.meta.url);
  const page = readFileSync(measured, 'utf8');
  writeFileSync(new URL('../docs/search.svg', import.meta.url), searchPicture(page));
  console.log('docs/search.svg is written.');
}
