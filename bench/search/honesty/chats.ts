/** Sentences as people write them to an assistant, by somebody who did not know the search. Nothing was chosen with them. */
import { macroEstimate, mean } from '../statistics.ts';
import { interval, markdown, percent } from '../tables.ts';
import type { Judged } from './judge.ts';
import type { Need } from './need.ts';
import type { Honesty } from './tables.ts';

/** A line of `bench/search/data/chats.jsonl`. */
export interface Chat extends Need {
  /** For one that is not served: whether tools of the catalog are about the same things. */
  readonly kind?: 'near' | 'foreign';
}

/** A row for each way to search and each share. `judged` has an entry for each line, in their order. */
export function chatsTable(all: readonly Honesty[], chats: readonly Chat[]): string {
  const rows = all.flatMap(({ title, scale, judged }) => {
    const isDoubted = ({ score }: Judged) => (score < scale.fits ? 1 : 0);
    const served = judged.filter((_, i) => chats[i]?.kind === undefined);
    const ofKind = (kind: Chat['kind']) => judged.filter((_, i) => chats[i]?.kind === kind);
    const shares: readonly (readonly [string, readonly number[]])[] = [
      ['served: R@1', served.map(({ r1 }) => r1)],
      ['served: R@5', served.map(({ r5 }) => r5)],
      ['served, and wrongly told that nothing fits', served.map(isDoubted)],
      ['not served, of a foreign kind, and told so', ofKind('foreign').map(isDoubted)],
      ['not served, though near to some tools, and told so', ofKind('near').map(isDoubted)],
    ];
    return shares.map(([share, values]) => [
      ...[title, share, String(values.length), percent(mean(values))],
      interval(macroEstimate([values])),
    ]);
  });
  return markdown(['search', 'share', 'sentences', 'percent', '95 %'], rows, 2);
}
