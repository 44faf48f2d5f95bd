import type { OtherLists, ServerConnection, ServerPool } from '../../mcp/index.ts';
import { within } from '../../time-limit.ts';
import { type JsonObject, ownProperty } from '../../tools/values/index.ts';
import { matchesTemplate, namedServer, otherAddress } from '../resources/index.ts';
import { fullName } from './wire-names.ts';

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
  /** The lists that clients got, as texts. */
  readonly #served = new Map<'prompts' | 'resources' | 'templates', string>();

  constructor(pool: ServerPool) {
    this.#pool = pool;
  }

  /** Waits for servers whose lists are not known yet, for a bounded time. */
  async known(signal: AbortSignal): Promise<void> {
    const missing = this.#pool.connections.filter((one) => isMissing(one));
    if (missing.length === 0) return;
    for (const connection of missing) connection.start(signal).catch(() => {});
    const done = Promise.withResolvers<void>();
    const stop = this.#pool.onChange(() => {
      if (!missing.some((one) => isMissing(one))) done.resolve();
    });
    signal.addEventListener('abort', () => done.resolve(), { once: true });
    await within(PATIENCE, done.promise);
    stop();
  }

  /** A list for a client. */
  serve(kind: 'prompts' | 'resources' | 'templates'): JsonObject[] {
    const list = this[kind]();
    this.#served.set(kind, JSON.stringify(list));
    return list;
  }

  /** The lists that differ from what clients got. */
  changed(): ('prompts' | 'resources')[] {
    const differs = (kind: 'prompts' | 'resources' | 'templates'): boolean => {
      const served = this.#served.get(kind);
      return served !== undefined && JSON.stringify(this[kind]()) !== served;
    };
    return [
      ...(differs('prompts') ? (['prompts'] as const) : []),
      ...(differs('resources') || differs('templates') ? (['resources'] as const) : []),
    ];
  }

  prompts(): JsonObject[] {
    return this.#all('prompts').map(({ server, item }) => {
      return { ...item, name: fullName(server, String(item.name)) };
    });
  }

  prompt(name: string): Place | undefined {
    for (const { server, item } of this.#all('prompts')) {
      const own = String(item.name);
      if (fullName(server, own) === name) return { server, own };
    }
    return;
  }

  resources(): JsonObject[] {
    return this.#addressed('resources', 'uri');
  }

  templates(): JsonObject[] {
    return this.#addressed('resourceTemplates', 'uriTemplate');
  }

  /** The servers that may have a resource, the likeliest first. */
  places(address: string): Place[] {
    const named = namedServer(address);
    if (named && this.#pool.connection(named.server))
      return [{ server: named.server, own: named.uri }];
    const listed = this.#all('resources').filter(({ item }) => item.uri === address);
    const templates = this.#all('resourceTemplates').filter(({ item }) => {
      const template = String(item.uriTemplate);
      return template === address || matchesTemplate(template, address);
    });
    const able = this.#pool.connections.filter(({ listing }) => hasResources(listing));
    const servers = [
      ...[...listed, ...templates].map(({ server }) => server),
      ...able.map(({ name }) => name),
    ];
    return [...new Set(servers)].map((server) => ({ server, own: address }));
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

  /** The first server that has each address: there it stays as it is. */
  #owners(): ReadonlyMap<unknown, string> {
    const owners = new Map<unknown, string>();
    for (const { server, item } of this.#all('resources'))
      if (!owners.has(item.uri)) owners.set(item.uri, server);
    return owners;
  }

  #addressed(key: 'resources' | 'resourceTemplates', field: string): JsonObject[] {
    const seen = new Set<unknown>();
    return this.#all(key).map(({ server, item }) => {
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

/** Whether the lists of a server may still come. */
function isMissing({ manifest, state, listing }: ServerConnection): boolean {
  if (manifest?.others !== undefined) return false;
  if (state.kind === 'failed' || state.kind === 'needs-auth' || state.kind === 'closed')
    return false;
  const { capabilities } = listing ?? {};
  const isAble = ['resources', 'prompts'].some((key) => ownProperty(capabilities, key));
  return listing === undefined || isAble;
}

function hasResources(listing: ServerConnection['listing']): boolean {
  return ownProperty(listing?.capabilities, 'resources') !== undefined;
}
