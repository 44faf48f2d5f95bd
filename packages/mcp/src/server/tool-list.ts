import { canonicalJson } from '@toolfold/core/internal/values';
import { ALL_TOOLS, isOffered, type ToolLists } from '../clients/index.ts';
import type { ListedTool, LiveConnection, ServerListing } from '../connection/index.ts';
import type { ServerRequests } from '../requests/index.ts';
import { differences, fingerprintOf, type Manifest, manifestOf } from './manifest.ts';
import { changedTool, leftOutTool } from './outcome.ts';
import type { PoolEvent } from './state.ts';

/** Age in milliseconds at which a list is read again before a call that a user has approved. */
const MAX_AGE = 60_000;

/** Whom a list tells about its changes. */
export interface ListObserver {
  readonly onEvent: (event: PoolEvent) => void;
  readonly requests: Pick<ServerRequests, 'followsOthers'>;
  /** Called when the tools differ from the ones before. */
  readonly onChange: () => void;
  /** Called with each list that was read. */
  readonly onListed: (manifest: Manifest) => void;
}

/** The tools of one server as last listed, now or in an earlier run. */
export class ServerToolList {
  readonly #server: string;
  readonly #observer: ListObserver;
  readonly #timeout: number;
  readonly #offered: ToolLists;
  readonly #changes: Calm;
  readonly #otherChanges: Calm;
  #manifest: Manifest | undefined;
  #live: LiveConnection | undefined;
  #byName: ReadonlyMap<string, ListedTool> = new Map();
  /** When the list of this connection was last read, by a clock that nobody can set. */
  #readAt = 0;
  #reading: Promise<void> | undefined;

  /** `timeout`: milliseconds for reading a changed list. `offered`: which tools of the server there are for anybody. */
  constructor(
    server: string,
    manifest: Manifest | undefined,
    timeout: number,
    observer: ListObserver,
    offered: ToolLists = ALL_TOOLS,
  ) {
    this.#server = server;
    this.#offered = offered;
    if (manifest) this.#keep({ ...manifest, listing: this.#withoutOthers(manifest.listing) });
    this.#timeout = timeout;
    this.#observer = observer;
    this.#changes = new Calm(() => this.#readAgain());
    this.#otherChanges = new Calm(() => this.#readOthers());
  }

  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  /** Takes the list of a new connection, and follows its changes. */
  follow(live: LiveConnection): void {
    this.#live = live;
    live.onListChanged(() => this.#changes.notice());
    this.#take(this.#withoutOthers(live.listing), live);
    if (this.#observer.requests.followsOthers) void this.#readOthers();
  }

  /** The server says that its resources or prompts have changed. */
  otherListsChanged(): void {
    if (this.#observer.requests.followsOthers) this.#otherChanges.notice();
  }

  stop(): void {
    this.#live = undefined;
    this.#changes.stop();
    this.#otherChanges.stop();
  }

  /**
   * The tool as the server lists it now. Throws if it is not the one that the caller knows. A tool that
   * is given by its name may be one that the server does not list.
   */
  current(named: string | ListedTool): ListedTool {
    const name = typeof named === 'string' ? named : named.name;
    const listed = this.#byName.get(name);
    if (typeof named === 'string') return listed ?? { name };
    if (listed === named) return named;
    if (listed === undefined || canonicalJson(listed) !== canonicalJson(named)) {
      throw changedTool(this.#server, name, listed === undefined);
    }
    return listed;
  }

  /** Throws if the entry does not offer the tool. */
  checkOffered(name: string): void {
    if (!isOffered(this.#offered, name)) throw leftOutTool(this.#server, name);
  }

  /** Whether the list of a connection is older than a minute. */
  isOld(live: LiveConnection): boolean {
    return this.#live === live && performance.now() - this.#readAt >= MAX_AGE;
  }

  /**
   * Reads the list of a connection again if it is older than a minute. Calls share one reading. Rejects if
   * the list cannot be read. `timeout`: milliseconds of the call that waits for it.
   */
  async readIfOld(live: LiveConnection, timeout: number): Promise<void> {
    if (!this.isOld(live)) return;
    this.#reading ??= this.#read(live, timeout).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  #withoutOthers(listing: ServerListing): ServerListing {
    const tools = listing.tools.filter(({ name }) => isOffered(this.#offered, name));
    return tools.length === listing.tools.length ? listing : { ...listing, tools };
  }

  #keep(manifest: Manifest): void {
    this.#manifest = manifest;
    this.#byName = new Map(manifest.listing.tools.map((tool) => [tool.name, tool]));
  }

  #take(listing: ServerListing, live: LiveConnection): void {
    this.#readAt = performance.now();
    const before = this.#manifest;
    const others = before?.others && { others: before.others };
    const manifest = { ...manifestOf(listing, live.known, Date.now()), ...others };
    this.#keep(manifest);
    this.#observer.onListed(manifest);
    if (before === undefined || before.fingerprint === manifest.fingerprint) return;
    const changes = differences(before.listing.tools, listing.tools);
    this.#observer.onEvent({ kind: 'tools-changed', server: this.#server, ...changes });
    this.#observer.onChange();
  }

  async #read(live: LiveConnection, timeout: number): Promise<void> {
    const listing = this.#withoutOthers(await live.list({ timeout }));
    if (this.#live !== live) return;
    this.#readAt = performance.now();
    if (fingerprintOf(listing) !== this.#manifest?.fingerprint) this.#take(listing, live);
  }

  /** Reads the lists of resources and prompts. One that cannot be read stays as it was. */
  async #readOthers(): Promise<void> {
    const live = this.#live;
    const read = await live?.otherLists({ timeout: this.#timeout });
    const before = this.#manifest;
    if (read === undefined || before === undefined || this.#live !== live) return;
    const others = { ...before.others, ...read };
    if (before.others && canonicalJson({ ...before.others }) === canonicalJson({ ...others }))
      return;
    const manifest = { ...before, others };
    this.#keep(manifest);
    this.#observer.onListed(manifest);
    this.#observer.onChange();
  }

  async #readAgain(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    try {
      await this.#read(live, this.#timeout);
    } catch (error) {
      if (this.#live !== live) return;
      const text = `its changed list of tools cannot be read (${error instanceof Error ? error.message : 'no reason'})`;
      this.#observer.onEvent({ kind: 'warning', server: this.#server, text });
    }
  }
}

/** Milliseconds in which several notices of changes become one. */
const SHORTEST = 200;
const LONGEST = 60_000;

/**
 * Calms a storm of notices: runs the action once for the notices of a short time, and waits longer
 * each time when notices come again soon after.
 */
class Calm {
  readonly #action: () => Promise<void>;
  readonly #shortest: number;
  #wait: number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isNoticed = false;
  #lastRun = Number.NEGATIVE_INFINITY;

  /** `action` never rejects. */
  constructor(action: () => Promise<void>, shortest: number = SHORTEST) {
    this.#action = action;
    this.#shortest = shortest;
    this.#wait = shortest;
  }

  notice(): void {
    this.#isNoticed = true;
    if (this.#timer !== undefined || this.#isRunning) return;
    const isSoon = performance.now() - this.#lastRun < 2 * this.#wait;
    this.#wait = isSoon ? Math.min(LONGEST, 2 * this.#wait) : this.#shortest;
    this.#timer = setTimeout(() => void this.#run(), this.#wait);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isNoticed = false;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isNoticed = false;
    this.#isRunning = true;
    await this.#action();
    this.#isRunning = false;
    this.#lastRun = performance.now();
    if (this.#isNoticed) this.notice();
  }
}
