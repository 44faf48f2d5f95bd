import { FREQUENT_STEMS } from './frequent-stems.ts';
import { stem } from './stem.ts';

/** The weight of a word that is in few tools. */
const RARE = 0.8;

const WEIGHTS = new Map(
  FREQUENT_STEMS.flatMap(([weight, stems]) =>
    stems.split(' ').map((one) => [one, weight] as const),
  ),
);

/** How much a word says in tools of all kinds, from 0 to 1: `get` little, `invoice` much. */
export function wordWeight(word: string): number {
  return WEIGHTS.get(stem(word)) ?? RARE;
}
