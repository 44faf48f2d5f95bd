import { within } from '@toolfold/core/internal/time-limit.ts';
import { type JsonObject, ownProperty, raceAbort } from '@toolfold/core/internal/tools/values';
import type { OtherLists, ServerConnection, ServerPool } from '../../mcp/index.ts';
import { ADDRESS, type Place, ResourceOwners } from '../resources/index.ts';
import { KnownServers } from './known-servers.ts';
import { fullName, slugOf } from './wire-names.ts';

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
  async findPrompt(name: string, signal: AbortSignal): Promise<Place | undefined> {
    return this.#find(
      () => this.#prompt(name),
      ({ name: server }) => name.startsWith(`${slugOf(server)}__`),
      signal,
    );
  }

  /** The server of a resource or a template. Waits like `findPrompt`, if none is known to have it. */
  async findResource(address: string, signal: AbortSignal): Promise<Place | undefined> {
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

  #prompt(name: string): Place | undefined {
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
