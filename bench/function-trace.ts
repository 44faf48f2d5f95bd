/** Counts the distinct functions of the packages that are entered, their files, and the calls of `JSON.stringify`. */
import { Session } from 'node:inspector/promises';

export interface Counted {
  /** As `file name offset`. */
  readonly functions: ReadonlySet<string>;
  /** Calls of `JSON.stringify`. */
  readonly writes: number;
}

const inspector = new Session();
const stringify = JSON.stringify;
let writes = 0;

/** Connects to the inspector of this process. */
export async function connect(): Promise<void> {
  inspector.connect();
  await inspector.post('Profiler.enable');
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    writes++;
    return stringify(...args);
  }) as typeof stringify;
}

export function disconnect(): void {
  inspector.disconnect();
  JSON.stringify = stringify;
}

/** Begins to count. */
export async function begin(): Promise<void> {
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  writes = 0;
}

/** What was entered since `begin`. */
export async function end(): Promise<Counted> {
  const counted = writes;
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const functions = new Set<string>();
  for (const { url, functions: all } of result) {
    const file = /\/(packages\/.*)$/.exec(url)?.[1];
    if (!file) continue;
    for (const { functionName, ranges } of all) {
      const [range] = ranges;
      // The whole module is a range of its own, which starts at 0.
      if (!range || range.count === 0 || range.startOffset === 0) continue;
      functions.add(`${file} ${functionName || `(at ${range.startOffset})`} ${range.startOffset}`);
    }
  }
  return { functions, writes: counted };
}

/** What was entered in either. */
export function sumOf(one: Counted, other: Counted): Counted {
  return {
    functions: new Set([...one.functions, ...other.functions]),
    writes: one.writes + other.writes,
  };
}

/** Prints the counts and, if wanted, the functions by file. */
export function say(label: string, { functions, writes: count }: Counted, isListed: boolean): void {
  const files = new Set([...functions].map((name) => name.split(' ')[0]));
  process.stdout.write(
    `${label}: ${functions.size} functions in ${files.size} files, ${count} JSON writes\n`,
  );
  if (!isListed) return;
  for (const file of [...files].sort()) {
    const names = [...functions].filter((name) => name.startsWith(`${file} `));
    process.stdout.write(
      `  ${file} (${names.length}): ${names.map((name) => name.split(' ')[1]).join(', ')}\n`,
    );
  }
}
