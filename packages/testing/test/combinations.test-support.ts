/** One value for each of some settings. */
export type Combination = Readonly<Record<string, unknown>>;

/** Values by setting: `{ mode: ['generate', 'stream'], route: ['json', 'ui'] }`. */
export type Values<T extends Combination> = { readonly [K in keyof T]: readonly T[K][] };

/** Whether every combination is tested (`npm run test:full`), or every pair of values. */
export const isFull: boolean = process.env.TOOLFOLD_TEST_FULL === '1';

/** Whether every value is tested once, and pairs are left to the slow tests (`npm test`). */
export const isQuick: boolean = !isFull && process.env.TOOLFOLD_TEST_QUICK === '1';

/** Which combinations a run tests, for the titles of tests. */
export const selection: string = isFull
  ? 'every combination'
  : isQuick
    ? 'every setting'
    : 'every pair of settings';

/** The combinations of these values that a run tests: the same ones in the same order every time. */
export function combinations<const T extends Combination>(values: Values<T>): readonly T[] {
  return selected(product(values));
}

/** The ones that a run tests of these combinations, which leave out what makes no sense. */
export function selected<const T extends Combination>(all: readonly T[]): readonly T[] {
  if (isFull) return all;
  return isQuick ? everyValue(all) : pairwise(all);
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
  const named = all.map(valuesIn(all));
  // With one setting there is no pair, and each value is tested.
  return covering(
    all,
    named.map((own) =>
      own.length < 2
        ? own
        : own.flatMap((first, at) => own.slice(at + 1).map((second) => `${first}, ${second}`)),
    ),
  );
}

/** Some of these combinations, in which every value of all still occurs. */
export function everyValue<const T extends Combination>(all: readonly T[]): T[] {
  return covering(all, all.map(valuesIn(all)));
}

/** Some of the combinations that together have every part of all. */
function covering<T>(all: readonly T[], parts: readonly (readonly string[])[]): T[] {
  const open = new Set(parts.flat());
  const isChosen = new Set<number>();
  // Greedy: those that bring most first. What a combination brings only ever shrinks.
  for (let most = parts[0]?.length ?? 0; most > 0; most--) {
    for (const [index, own] of parts.entries()) {
      if (isChosen.has(index) || own.filter((part) => open.has(part)).length < most) continue;
      isChosen.add(index);
      for (const part of own) open.delete(part);
    }
  }
  return all.filter((_, index) => isChosen.has(index));
}

/** Names the values in a combination; they are told apart by identity. */
function valuesIn<T extends Combination>(all: readonly T[]): (row: T) => string[] {
  const places = new Map<string, Map<unknown, number>>();
  for (const row of all) {
    for (const [name, value] of Object.entries(row)) {
      const known = places.get(name) ?? new Map<unknown, number>();
      places.set(name, known.set(value, known.get(value) ?? known.size));
    }
  }
  return (row) =>
    Object.entries(row).map(([name, value]) => `${name} ${places.get(name)?.get(value)}`);
}
