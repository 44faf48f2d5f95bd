import { median } from '../pool/figures.ts';

/** What is counted at one moment. */
export interface Sample {
  readonly processes: number;
  readonly descriptors: number;
  /** Bytes after a collection of garbage. */
  readonly heap: number;
  /** Bytes that the process has in memory. */
  readonly resident: number;
}

/** How much each may grow between the first and the last third. */
const ALLOWED: readonly (readonly [keyof Sample, number])[] = [
  ['processes', 3],
  ['descriptors', 12],
  ['heap', 2e6],
];

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** A line of the run. `begin`: when it began. */
export function shown(begin: number, { processes, descriptors, heap, resident }: Sample): string {
  const seconds = String(Math.round((performance.now() - begin) / 1000)).padStart(5);
  return `${seconds} s  ${processes} processes, ${descriptors} descriptors, heap ${mb(heap)}, RSS ${mb(resident)}`;
}

/** Prints the first and the last third of a run, and returns what has grown. */
export function problemsOf(samples: readonly Sample[]): string[] {
  // The first fifth is left out: caches fill, and code is compiled.
  const steady = samples.slice(Math.ceil(samples.length / 5));
  const third = Math.max(1, Math.floor(steady.length / 3));
  const problems: string[] = [];
  for (const [what, allowed] of [...ALLOWED, ['resident', Number.POSITIVE_INFINITY] as const]) {
    const [from = 0, to = 0] = [steady.slice(0, third), steady.slice(-third)].map((part) =>
      median(part.map((one) => one[what])),
    );
    const isBytes = what === 'heap' || what === 'resident';
    const text = isBytes ? `${mb(from)} to ${mb(to)}` : `${from} to ${to}`;
    console.log(`${what}: ${text} (first and last third after the warm-up, medians)`);
    if (to - from > allowed) problems.push(`${what} grew: ${text}`);
  }
  return problems;
}
