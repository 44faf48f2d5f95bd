import type { DeferredToolGroup, Tool } from '../tool/index.ts';
import { raceAbort } from '../values/index.ts';

/**
 * The results of loaders, by group id. A new layer that gets them need not run the loaders
 * again.
 */
export type LoaderCache = ReadonlyMap<string, readonly Tool[]>;

interface Flight {
  readonly promise: Promise<readonly Tool[]>;
  readonly controller: AbortController;
  waiting: number;
  state: 'under way' | 'settled' | 'superseded';
}

/**
 * Runs each group's loader once, until its fingerprint changes or it is forgotten. Parallel
 * callers share one run. Failures are not kept. The loader's signal fires when the last caller
 * has stopped waiting.
 */
export class Loads {
  readonly #kept = new Map<string, { fingerprint: string | undefined; tools: readonly Tool[] }>();
  readonly #flights = new Map<string, Flight>();

  readonly #onLoaded: (group: DeferredToolGroup, tools: readonly Tool[]) => void;

  /**
   * `onLoaded` is called once for each load, before its callers continue. If it throws, the
   * load fails.
   */
  constructor(onLoaded: (group: DeferredToolGroup, tools: readonly Tool[]) => void) {
    this.#onLoaded = onLoaded;
  }

  /** Accepts tools that another layer has loaded. */
  restore(group: DeferredToolGroup, tools: readonly Tool[]): void {
    this.#kept.set(group.groupId, { fingerprint: group.fingerprint, tools });
    this.#onLoaded(group, tools);
  }

  /** The tools of a group, if it has loaded. */
  peek(group: DeferredToolGroup): readonly Tool[] | undefined {
    const kept = this.#kept.get(group.groupId);
    return kept && kept.fingerprint === group.fingerprint ? kept.tools : undefined;
  }

  /**
   * Rejects with the loader's error, or with the reason of this caller's signal. Undefined if
   * the group was forgotten in the meantime: look it up and load it again.
   */
  async load(group: DeferredToolGroup, signal?: AbortSignal): Promise<readonly Tool[] | undefined> {
    signal?.throwIfAborted();
    const kept = this.peek(group);
    if (kept) return kept;
    const flight = this.#flights.get(group.groupId) ?? this.#start(group);
    flight.waiting++;
    try {
      const tools = await raceAbort(flight.promise, signal);
      return flight.state === 'superseded' ? undefined : tools;
    } catch (error) {
      signal?.throwIfAborted();
      if (flight.state === 'superseded') return;
      throw error;
    } finally {
      flight.waiting--;
      if (flight.waiting === 0) this.#stop(group.groupId, flight);
    }
  }

  /** Forgets a group, so that its loader runs again when next needed, and stops a load under way. */
  forget(groupId: string): void {
    this.#kept.delete(groupId);
    const flight = this.#flights.get(groupId);
    if (!flight) return;
    flight.state = 'superseded';
    this.#stop(groupId, flight);
  }

  /** The tools that are loaded now, for another layer. */
  cache(): LoaderCache {
    return new Map([...this.#kept].map(([groupId, kept]) => [groupId, kept.tools]));
  }

  #start(group: DeferredToolGroup): Flight {
    const { groupId, fingerprint } = group;
    const controller = new AbortController();
    const flight: Flight = {
      controller,
      waiting: 0,
      state: 'under way',
      promise: Promise.resolve()
        .then(() => group.loader({ signal: controller.signal }))
        .then((tools) => {
          if (!Array.isArray(tools)) throw new Error('the loader returned no list of tools');
          // A load without callers, or of a forgotten group, leaves nothing behind.
          if (this.#flights.get(groupId) === flight) {
            this.#onLoaded(group, tools);
            this.#kept.set(groupId, { fingerprint, tools });
          }
          return tools;
        })
        .finally(() => {
          if (flight.state === 'under way') flight.state = 'settled';
          this.#stop(groupId, flight);
        }),
    };
    // A loader may fail after its last caller has gone. That must not be an unhandled
    // rejection.
    flight.promise.catch(() => {});
    this.#flights.set(groupId, flight);
    return flight;
  }

  #stop(groupId: string, flight: Flight): void {
    // A settled loader may have bound something that is still in use to its signal.
    if (flight.state !== 'settled') flight.controller.abort();
    if (this.#flights.get(groupId) === flight) this.#flights.delete(groupId);
  }
}
