import type { DeferredToolGroup, Tool } from '@toolfold/core/internal/tool';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/values';
import { fakeTools } from './fake-tools.ts';

/** Options of a fake group and of its loader. Other fields are used unchanged. */
export interface FakeGroupOptions extends Omit<Partial<DeferredToolGroup>, 'loader' | 'toolNames'> {
  readonly groupId: string;
  /** Number of fake tools if `tools` is not given. Default: 3. */
  readonly count?: number;
  readonly tools?: readonly Tool[];
  /** Seed of the fake tools. */
  readonly seed?: number;
  /** `false`: the group does not list its names before it has loaded. A list: the group lists these names. */
  readonly names?: boolean | readonly string[];
  /** Every load waits for this promise, or until its signal aborts. */
  readonly gate?: Promise<unknown>;
  /** Number of loads that fail before one succeeds. `Infinity`: the group never loads. */
  readonly failures?: number;
  /** The error of a failing load. */
  readonly error?: Error;
}

/** A group that counts its loads. */
export interface FakeGroup extends DeferredToolGroup {
  /** Number of calls of the loader. */
  readonly loads: number;
  /** Number of these calls that ended because their signal aborted. */
  readonly aborted: number;
}

const FAKE_GROUP_OPTIONS: KnownOptions<FakeGroupOptions> = {
  groupId: true,
  displayName: true,
  description: true,
  fingerprint: true,
  prefix: true,
  trusted: true,
  resultFormat: true,
  toolSummaries: true,
  schemaTokens: true,
  exposure: true,
  unavailable: true,
  count: true,
  tools: true,
  seed: true,
  names: true,
  gate: true,
  failures: true,
  error: true,
};

/** Creates a deferred group of any size. Its loader can be slow or fail, and it can list names that it does not have. */
export function fakeGroup(options: FakeGroupOptions): FakeGroup {
  checkKnown('fakeGroup()', options, FAKE_GROUP_OPTIONS);
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
