import type { DeferredToolGroup, Tool } from '../tool/index.ts';
import { raceAbort } from '../values/index.ts';

/** What loaders returned, by group id; given back to a new layer it saves running them again. */
export type LoaderCache = ReadonlyMap<string, readonly Tool[]>;

interface Flight {
  readonly promise: Promise<readonly Tool[]>;
  readonly controller: AbortController;
  waiting: number;
  state: 'under way' | 'settled' | 'superseded';
}

/**
 * Runs loaders: once per group until its fingerprint changes or it is forgotten, one call shared by
 * all who wait, failures not kept. The loader's signal fires when the last waiter has gone.
 */
export class Loads {
  readonly #kept = new Map<string, { fingerprint: string | undefined; tools: readonly Tool[] }>();
  readonly #flights = new Map<string, Flight>();

  readonly #onLoaded: (group: DeferredToolGroup, tools: readonly Tool[]) => void;

  /** `onLoaded` is called once for each load, before its waiters go on; what it throws fails the load. */
  constructor(onLoaded: (group: DeferredToolGroup, tools: readonly Tool[]) => void) {
    this.#onLoaded = onLoaded;
  }

  /** Takes over what another layer had loaded. */
  restore(group: DeferredToolGroup, tools: readonly Tool[]): void {
    this.#kept.set(group.groupId, { fingerprint: group.fingerprint, tools });
    this.#onLoaded(group, tools);
  }

  /** The tools of a group that has loaded, without loading. */
  peek(group: DeferredToolGroup): readonly Tool[] | undefined {
    const kept = this.#kept.get(group.groupId);
    return kept && kept.fingerprint === group.fingerprint ? kept.tools : undefined;
  }

  /**
   * Rejects with the loader's error, or with the signal's reason for this waiter alone. Undefined
   * where the group was forgotten meanwhile, whatever its loader came to: look it up and ask again.
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

  /** What is loaded now, to be handed to another layer. */
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
          // What nobody waits for any more, or what was forgotten meanwhile, leaves nothing behind.
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
    // A loader may fail after its last waiter has left: that is nobody's unhandled rejection.
    flight.promise.catch(() => {});
    this.#flights.set(groupId, flight);
    return flight;
  }

  #stop(groupId: string, flight: Flight): void {
    // A loader that has ended may have tied something that lives on to its signal.
    if (flight.state !== 'settled') flight.controller.abort();
    if (this.#flights.get(groupId) === flight) this.#flights.delete(groupId);
  }
}
