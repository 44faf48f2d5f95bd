/** Short sentences in other words than those of the right tool, asked over servers of several kinds. */
import type { Arguments } from './arguments.ts';
import type { QuerySet } from './data.ts';
import { halfOf, type Need } from './honesty/need.ts';
import type { Quality } from './quality.ts';
import { readOwnData, readServers, type Servers, toolsOf } from './servers.ts';
import { macroEstimate, mean } from './statistics.ts';
import { interval, markdown, percent, type Results } from './tables.ts';

/** The queries of each part over each catalog. Empty if there are no captured lists. */
export function paraphraseSets({ catalogs }: Pick<Arguments, 'catalogs'>): QuerySet[] {
  const servers = readServers(catalogs);
  if (servers.size === 0) return [];
  return [
    ...setsOf(servers, readOwnData<Need>('paraphrases.jsonl'), halfOf),
    // Nothing was chosen with these, so they have no halves.
    ...setsOf(servers, readOwnData<Need>('verbs.jsonl'), () => 'other verbs'),
  ];
}

function setsOf(
  servers: Servers,
  needs: readonly Need[],
  partOf: (need: Need) => string,
): QuerySet[] {
  const byCatalog = Map.groupBy(needs, (need) => need.servers.join(' '));
  return [...byCatalog].flatMap(([names, asked]) => {
    const tools = toolsOf(servers, names.split(' '));
    return [...Map.groupBy(asked, partOf)].map(([part, queries]) => ({
      name: `${part} ${names}`,
      folder: part,
      tools,
      queries: queries.map(({ id, query, right }) => ({
        ...{ id, text: query },
        needs: [new Set(right)],
      })),
    }));
  });
}

/** A row for each method and part, over its queries. */
export function paraphrasesTable({ methods, sets, measured }: Results): string {
  const rows = [...Map.groupBy(sets, ({ folder }) => folder)].flatMap(([part, own]) =>
    methods.map(({ id, title }) => {
      const names = new Set(own.map(({ name }) => name));
      const qualities = measured
        .filter(({ method, set }) => method === id && names.has(set))
        .flatMap((row): readonly Quality[] => row.qualities);
      const share = (measure: keyof Quality) => percent(mean(qualities.map((q) => q[measure])));
      return [
        ...[part, title, String(qualities.length)],
        ...[share('r1'), share('r5'), share('ndcg')],
        interval(macroEstimate([qualities.map(({ r1 }) => r1)])),
      ];
    }),
  );
  const headings = ['part', 'method', 'queries', 'R@1', 'R@5', 'nDCG@10', 'R@1, 95 %'];
  return markdown(headings, rows, 2);
}
