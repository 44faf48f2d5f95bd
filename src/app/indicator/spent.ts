import type { ScreenTurn, Spending } from '../../agent/index.ts';
import { money } from '../terminal/index.ts';

/** The currency of prices, where the configuration names none. */
const CURRENCY = 'USD';

/** The money that was spent, with its currency. Undefined if no price is known. */
export function costText(
  { cost, requests, unpriced }: Spending,
  currency: string = CURRENCY,
): string | undefined {
  if (requests === 0 || unpriced === requests) return;
  return `${unpriced === 0 ? '' : 'at least '}${money(cost, currency)}`;
}

/** Tokens and money of all turns, those of subagents included, and of what was spent besides. */
export function spentOf(turns: readonly ScreenTurn[], besides?: Spending): Spending {
  // Each frame adds up all turns, so nothing is created for each of them.
  const sum: Sum = { ...NOTHING };
  for (const turn of turns) addTurn(sum, turn);
  if (besides) add(sum, besides);
  return sum;
}

const NOTHING: Spending = {
  ...{ requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  ...{ cost: 0, unpriced: 0, estimated: 0 },
};
const KEYS = Object.keys(NOTHING) as (keyof Spending)[];

type Sum = { -readonly [KEY in keyof Spending]: Spending[KEY] };

function addTurn(sum: Sum, { usage, blocks }: ScreenTurn): void {
  add(sum, usage);
  for (const block of blocks) {
    if (block.kind !== 'call') continue;
    for (const { spent, turns } of block.children) {
      if (spent) add(sum, spent);
      else for (const turn of turns) addTurn(sum, turn);
    }
  }
}

function add(sum: Sum, more: Spending): void {
  for (const key of KEYS) sum[key] += more[key];
}
