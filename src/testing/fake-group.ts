import type { DeferredToolGroup, Tool } from '../tools/tool/index.ts';
import { fakeTools } from './fake-tools.ts';

/** A group to be made, with how its loader behaves; other fields are kept as given. */
export interface FakeGroupOptions extends Omit<Partial<DeferredToolGroup>, 'loader' | 'toolNames'> {
  readonly groupId: string;
  /** So many fake tools, where `tools` is not given. */
  readonly count?: number;
  readonly tools?: readonly Tool[];
  /** Seed of the fake tools. */
  readonly seed?: number;
  /** `false`: the group cannot list its names before it has loaded; a list: it claims these. */
  readonly names?: boolean | readonly string[];
  /** Every load waits for this, or for its signal to abort. */
  readonly gate?: Promise<unknown>;
  /** How many loads fail before one succeeds; `Infinity` for a group that never loads. */
  readonly failures?: number;
  /** What a failing load throws. */
  readonly error?: Error;
}

/** A group that counts what is asked of it. */
export interface FakeGroup extends DeferredToolGroup {
  /** How often the loader was called. */
  readonly loads: number;
  /** How many of those calls ended because their signal aborted. */
  readonly aborted: number;
}

/** A deferred group of any size whose loader can be slow, fail, or claim names it does not have. */
export function fakeGroup(options: FakeGroupOptions): FakeGroup {
  const { count = 3, seed, names = true, gate, failures = 0, error, ...rest } = options;
  const { tools = fakeTools(count, seed), ...group } = rest;
  let loads = 0;
  let aborted = 0;
  const loader = async ({ signal }: { signal: AbortSignal }): Promise<readonly Tool[]> => {
    const load = ++loads;
    try {
      await raceAbort(gate, signal);
    } catch (reason) {
      if (signal.aborted) aborted++;
      throw reason;
    }
    if (load <= failures) throw error ?? new Error(`${options.groupId} failed to load.`);
    return tools;
  };
  const listed = names === true ? tools.map(({ name }) => name) : names;
  return {
    ...group,
    ...(listed !== false && { toolNames: listed }),
    loader,
    get loads() {
      return loads;
    },
    get aborted() {
      return aborted;
    },
  };
}

async function raceAbort(gate: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (gate === undefined) return;
  const settled = new AbortController();
  const abort = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: settled.signal });
  });
  try {
    await Promise.race([gate, abort]);
  } finally {
    settled.abort();
  }
}
