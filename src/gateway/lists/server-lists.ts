import type { OtherLists, ServerConnection, ServerPool } from '../../mcp/index.ts';
import { within } from '../../time-limit.ts';
import { type JsonObject, ownProperty, raceAbort } from '../../tools/values/index.ts';
import { matchesTemplate, namedServer, otherAddress } from '../resources/index.ts';
import { KnownServers } from './known-servers.ts';
import { fullName, slugOf } from './wire-names.ts';

/** Milliseconds for servers whose lists are not known to start and read them. */
const PATIENCE = 3000;

/** Where a request for a resource or a prompt goes. */
export interface Place {
  readonly server: string;
  /** The address or name there. */
  readonly own: string;
}

/** The resources and prompts of all servers of a pool. A server that fails has none. */
export class ServerLists {
  readonly #pool: ServerPool;
  #known: KnownServers | undefined;
  /** The lists that clients got, as texts. */
  readonly #served = new Map<keyof OtherLists, string>();

  constructor(pool: ServerPool) {
    this.#pool = pool;
  }

  /** Answers a request for a list. Waits a moment for servers whose lists are not known yet. */
  async serve(kind: keyof OtherLists, signal: AbortSignal): Promise<JsonObject> {
    this.#known ??= new KnownServers(this.#pool, areListsKnown, PATIENCE);
    this.#startMissing(signal);
    await raceAbort(this.#known.wait(), signal);
    const list = this.#list(kind);
    this.#served.set(kind, JSON.stringify(list));
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

  /** The servers that may have a resource, the likeliest first. Waits like `findPrompt`, if none lists it. */
  async findPlaces(address: string, signal: AbortSignal): Promise<Place[]> {
    const named = namedServer(address);
    await this.#find(
      () => this.#listers(address)[0],
      ({ name }) => named === undefined || name === named.server,
      signal,
    );
    if (named && this.#pool.connection(named.server))
      return [{ server: named.server, own: named.uri }];
    const able = this.#pool.connections.filter(({ listing }) => hasResources(listing));
    const servers = [...this.#listers(address), ...able.map(({ name }) => name)];
    return [...new Set(servers)].map((server) => ({ server, own: address }));
  }

  /** The lists that differ from what clients got. Templates are of the resources. */
  changed(): Iterable<'prompts' | 'resources'> {
    const kinds = [...this.#served].filter(
      ([kind, served]) => JSON.stringify(this.#list(kind)) !== served,
    );
    return new Set(kinds.map(([kind]) => (kind === 'prompts' ? kind : 'resources')));
  }

  /** The address of a server's resource for clients. */
  address(server: string, uri: string): string {
    return this.#ownerOf(server, uri) === server ? uri : otherAddress(server, uri);
  }

  /** Whether another server has an address of this server too. */
  hasOthers(server: string): boolean {
    const { others } = this.#pool.connection(server)?.manifest ?? {};
    const { resources = [], resourceTemplates = [] } = others ?? {};
    if (resourceTemplates.some(({ uriTemplate }) => this.#firstWith(uriTemplate) !== server))
      return true;
    if (resources.length === 0) return false;
    const owners = this.#owners();
    return resources.some(({ uri }) => owners.get(uri) !== server);
  }

  /** The server that a client reaches with an address of this server. */
  #ownerOf(server: string, uri: string): string {
    const listed = this.#owners().get(uri);
    if (listed !== undefined) return listed;
    const templates = this.#pool.connection(server)?.manifest?.others?.resourceTemplates ?? [];
    const own = templates.find(({ uriTemplate }) => matchesTemplate(String(uriTemplate), uri));
    return (own && this.#firstWith(own.uriTemplate)) ?? server;
  }

  /** The first server that has a template. */
  #firstWith(template: unknown): string | undefined {
    return this.#all('resourceTemplates').find(({ item }) => item.uriTemplate === template)?.server;
  }

  /** The servers that list an address, or a template for it. */
  #listers(address: string): string[] {
    const listed = this.#all('resources').filter(({ item }) => item.uri === address);
    const templates = this.#all('resourceTemplates').filter(({ item }) => {
      const template = String(item.uriTemplate);
      return template === address || matchesTemplate(template, address);
    });
    return [...listed, ...templates].map(({ server }) => server);
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

  /** The first server that has each address: there it stays as it is. */
  #owners(): ReadonlyMap<unknown, string> {
    const owners = new Map<unknown, string>();
    for (const { server, item } of this.#all('resources'))
      if (!owners.has(item.uri)) owners.set(item.uri, server);
    return owners;
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
    const seen = new Set<unknown>();
    const field = kind === 'resources' ? 'uri' : 'uriTemplate';
    return this.#all(kind).map(({ server, item }) => {
      if (kind === 'prompts') return { ...item, name: fullName(server, String(item.name)) };
      const address = item[field];
      if (seen.has(address)) return { ...item, [field]: otherAddress(server, String(address)) };
      seen.add(address);
      return item;
    });
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

function hasResources(listing: ServerConnection['listing']): boolean {
  return ownProperty(listing?.capabilities, 'resources') !== undefined;
}
