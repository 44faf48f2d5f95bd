import { type JsonObject, ownProperty, raceAbort, within } from '@toolfold/core/internal/values';
import type { OtherLists } from '../connection/index.ts';
import type { ServerPool } from '../pool/index.ts';
import type { ServerConnection } from '../server/index.ts';
import { ADDRESS, ResourceOwners, type RouteTarget } from './resource-owners.ts';
import { fullName, slugOf } from './shown-tools.ts';

/** Milliseconds for servers whose lists are not known to start and read them. */
const PATIENCE = 3000;

/** The resources and prompts of all servers of a pool. A server that fails has none. */
export class ServerLists {
  /** Which server an address belongs to. */
  readonly owners: ResourceOwners;
  readonly #pool: ServerPool;
  #known: KnownServers | undefined;
  /** The lists that clients got, as texts. */
  readonly #served = new Map<keyof OtherLists, string>();

  constructor(pool: ServerPool) {
    this.#pool = pool;
    this.owners = new ResourceOwners(pool);
  }

  /** Answers a request for a list. Waits a moment for servers whose lists are not known yet. */
  async serve(kind: keyof OtherLists, signal: AbortSignal): Promise<JsonObject> {
    this.#known ??= new KnownServers(this.#pool, areListsKnown, PATIENCE);
    this.#startMissing(signal);
    await raceAbort(this.#known.wait(), signal);
    const list = this.#list(kind);
    this.#served.set(kind, JSON.stringify(list));
    if (kind !== 'prompts') this.#noteOwners(kind);
    return { [kind]: list };
  }

  /** The server of a prompt. Waits for one whose lists are not known, for a bounded time. */
  async findPrompt(name: string, signal: AbortSignal): Promise<RouteTarget | undefined> {
    return this.#find(
      () => this.#prompt(name),
      ({ name: server }) => name.startsWith(`${slugOf(server)}__`),
      signal,
    );
  }

  /** The server of a resource or a template. Waits like `findPrompt`, if none is known to have it. */
  async findResource(address: string, signal: AbortSignal): Promise<RouteTarget | undefined> {
    return this.#find(
      () => this.owners.place(address),
      () => true,
      signal,
    );
  }

  /** The lists that differ from what clients got. Templates are of the resources. */
  changed(): Iterable<'prompts' | 'resources'> {
    const kinds = [...this.#served].filter(
      ([kind, served]) => JSON.stringify(this.#list(kind)) !== served,
    );
    return new Set(kinds.map(([kind]) => (kind === 'prompts' ? kind : 'resources')));
  }

  #startMissing(signal: AbortSignal): void {
    for (const connection of this.#pool.connections)
      if (!areListsKnown(connection)) connection.start(signal).catch(() => {});
  }

  /** What `look` finds, as soon as it finds it, or when no server that `may` have it is missing any more. */
  async #find<T>(
    look: () => T | undefined,
    may: (connection: ServerConnection) => boolean,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const isOver = (): boolean =>
      look() !== undefined || !this.#pool.connections.some((one) => may(one) && isMissing(one));
    if (isOver()) return look();
    this.#startMissing(signal);
    const done = Promise.withResolvers<void>();
    const stop = this.#pool.onChange(() => {
      if (isOver()) done.resolve();
    });
    await raceAbort(within(PATIENCE, done.promise), signal).finally(stop);
    return look();
  }

  #prompt(name: string): RouteTarget | undefined {
    for (const { server, item } of this.#all('prompts')) {
      const own = String(item.name);
      if (fullName(server, own) === name) return { server, own };
    }
    return;
  }

  /** The items of all servers under the names and addresses for clients. */
  #list(kind: keyof OtherLists): JsonObject[] {
    return this.#all(kind).map(({ server, item }) => {
      if (kind === 'prompts') return { ...item, name: fullName(server, String(item.name)) };
      const own = String(item[ADDRESS[kind]]);
      const address = this.owners.listed(server, own);
      return address === own ? item : { ...item, [ADDRESS[kind]]: address };
    });
  }

  #noteOwners(kind: keyof typeof ADDRESS): void {
    const owners = new Map<string, string>();
    for (const { server, item } of this.#all(kind)) {
      const own = String(item[ADDRESS[kind]]);
      if (this.owners.listed(server, own) === own) owners.set(own, server);
    }
    this.owners.served(kind, owners);
  }

  #all(key: keyof OtherLists): { readonly server: string; readonly item: JsonObject }[] {
    return this.#pool.connections.flatMap(({ name: server, manifest }) =>
      (manifest?.others?.[key] ?? []).map((item) => ({ server, item })),
    );
  }
}

/** Whether the lists of a server are known, or it has none. */
function areListsKnown({ manifest, listing }: ServerConnection): boolean {
  if (manifest?.others !== undefined) return true;
  const { capabilities } = listing ?? {};
  const isAble = ['resources', 'prompts'].some((key) => ownProperty(capabilities, key));
  return listing !== undefined && !isAble;
}

/** Whether the lists of a server may still come. */
function isMissing(connection: ServerConnection): boolean {
  const { kind } = connection.state;
  return !areListsKnown(connection) && !['failed', 'needs-auth', 'closed'].includes(kind);
}

/** Milliseconds without a new server after which it waits no more, where only some are known. */
const LONG_QUIET = 400;

/** The same where most are known, until two have come in this run. */
const SHORT_QUIET = 75;

/** The same afterwards: a share of the time that has passed, or a multiple of the mean gap between servers. */
const QUIET_SHARE = 0.05;
const QUIET_GAPS = 2;

const MOST = 0.75;

/** Which servers of a pool are known, from now on. */
export class KnownServers {
  readonly #pool: ServerPool;
  readonly #isKnown: (connection: ServerConnection) => boolean;
  readonly #latest: number;
  readonly #started = performance.now();
  /** When each server became known that was not known at first. */
  readonly #arrivals: number[] = [];

  /** `isKnown`: whether a list can have what it lists of a server. `patience`: milliseconds to wait at most. */
  constructor(
    pool: ServerPool,
    isKnown: (connection: ServerConnection) => boolean,
    patience: number,
  ) {
    this.#pool = pool;
    this.#isKnown = isKnown;
    this.#latest = this.#started + patience;
    let known = pool.connections.filter(isKnown).length;
    pool.onChange(() => {
      const before = known;
      known = pool.connections.filter(isKnown).length;
      if (known > before) this.#arrivals.push(performance.now());
    });
  }

  /**
   * Waits a moment for servers that are not known yet. A list without them would be followed by another one,
   * but one that hangs must not hold up the list of the others.
   */
  async wait(): Promise<void> {
    for (;;) {
      const missing = this.#pool.connections.filter((one) => !this.#isSettled(one));
      if (missing.length === 0) return;
      const left = this.#until(missing) - performance.now();
      if (left <= 0) return;
      const changed = Promise.withResolvers<void>();
      const stop = this.#pool.onChange(() => changed.resolve());
      await within(left, changed.promise);
      stop();
    }
  }

  /** Until when a list waits, as things are. */
  #until(missing: readonly ServerConnection[]): number {
    const { connections } = this.#pool;
    const known = connections.length - missing.length;
    if (known === 0) return this.#latest;
    const last = this.#arrivals.at(-1) ?? this.#started;
    const isMost = known >= MOST * connections.length;
    const quiet = last + (isMost ? this.#quiet(last) : LONG_QUIET);
    return Math.min(
      this.#latest,
      Math.max(quiet, performance.now() + this.#shortOfQuickest(missing)),
    );
  }

  #quiet(last: number): number {
    const [first = last] = this.#arrivals;
    if (this.#arrivals.length < 2) return SHORT_QUIET;
    const gap = (last - first) / (this.#arrivals.length - 1);
    return Math.min(LONG_QUIET, Math.max(QUIET_SHARE * (last - this.#started), QUIET_GAPS * gap));
  }

  /** Milliseconds until each missing server has had as long as the quickest of the others took. Few start at once. */
  #shortOfQuickest(missing: readonly ServerConnection[]): number {
    const taken = this.#pool.connections.filter(this.#isKnown).map(({ startedIn }) => startedIn);
    const quickest = Math.min(...taken.filter((time) => time > 0));
    if (quickest === Number.POSITIVE_INFINITY) return 0;
    const had = missing.map(({ state, startedIn }) => (state.kind === 'idle' ? 0 : startedIn));
    return quickest - Math.min(...had);
  }

  /** Whether nothing of a server is awaited. */
  #isSettled(connection: ServerConnection): boolean {
    const { kind } = connection.state;
    return this.#isKnown(connection) || ['failed', 'needs-auth', 'closed'].includes(kind);
  }
}
