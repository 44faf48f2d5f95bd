import { tableOf } from './search-picture.ts';

/** The short table of docs/search.md, from the tables of docs/contributing/measurements.md. */
export function searchSummary(measured: string): string {
  const times = new Map(
    tableOf(measured, 'search-scale')
      .filter((row) => row.tools === '50,000')
      .map((row) => [row.method, row['sentence ms (p95)']?.replace(/ .*/, '')]),
  );
  const rows = tableOf(measured, 'search').map((row) =>
    [row.method, row['R@1'], row['R@5'], row['nDCG@10'], times.get(row.method)].map(
      (cell) => cell ?? '',
    ),
  );
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return ['| method | R@1 | R@5 | nDCG@10 | ms |', '|---|--:|--:|--:|--:|', ...lines].join('\n');
}
