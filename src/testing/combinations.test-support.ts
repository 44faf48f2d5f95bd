/** One value for each of some settings. */
export type Combination = Readonly<Record<string, unknown>>;

/** Values by setting: `{ mode: ['generate', 'stream'], route: ['json', 'ui'] }`. */
export type Values<T extends Combination> = { readonly [K in keyof T]: readonly T[K][] };

/** Whether every combination is tested (`npm run test:full`), or every pair of values. */
export const isFull: boolean = process.env.TOOLFOLD_TEST_FULL === '1';

/** Which combinations a run tests, for the titles of tests. */
export const selection: string = isFull ? 'every combination' : 'every pair of settings';

/** The combinations of these values that a run tests: the same ones in the same order every time. */
export function combinations<const T extends Combination>(values: Values<T>): readonly T[] {
  return selected(product(values));
}

/** The ones that a run tests of these combinations, which leave out what makes no sense. */
export function selected<const T extends Combination>(all: readonly T[]): readonly T[] {
  return isFull ? all : pairwise(all);
}

/** Every combination. */
export function product<const T extends Combination>(values: Values<T>): T[] {
  let rows: Combination[] = [{}];
  for (const [name, some] of Object.entries<readonly unknown[]>(values))
    rows = rows.flatMap((row) => some.map((value) => ({ ...row, [name]: value })));
  return rows as T[];
}

/**
 * Some of these combinations, in which every two values that occur together in one of all still do.
 * Most faults need one value to show, or two.
 */
export function pairwise<const T extends Combination>(all: readonly T[]): T[] {
  const pairs = all.map(pairsIn(all));
  const open = new Set(pairs.flat());
  const isChosen = new Set<number>();
  // Greedy: those that bring most first. What a combination brings only ever shrinks.
  for (let most = pairs[0]?.length ?? 0; most > 0; most--) {
    for (const [index, own] of pairs.entries()) {
      if (isChosen.has(index) || own.filter((pair) => open.has(pair)).length < most) continue;
      isChosen.add(index);
      for (const pair of own) open.delete(pair);
    }
  }
  // With one setting there is no pair, and each value is tested.
  return all.filter((row, index) => isChosen.has(index) || Object.keys(row).length < 2);
}

/** Names the pairs of values in a combination; values are told apart by identity. */
function pairsIn<T extends Combination>(all: readonly T[]): (row: T) => string[] {
  const places = new Map<string, Map<unknown, number>>();
  for (const row of all) {
    for (const [name, value] of Object.entries(row)) {
      const known = places.get(name) ?? new Map<unknown, number>();
      places.set(name, known.set(value, known.get(value) ?? known.size));
    }
  }
  return (row) => {
    const own = Object.entries(row).map(
      ([name, value]) => `${name} ${places.get(name)?.get(value)}`,
    );
    return own.flatMap((first, at) => own.slice(at + 1).map((second) => `${first}, ${second}`));
  };
}
