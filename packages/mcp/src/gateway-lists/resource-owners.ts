import { type JsonObject, listIn, ownProperty, Recent } from '@toolfold/core/internal/values';
import type { OtherLists } from '../connection/index.ts';
import type { ServerPool } from '../pool/index.ts';
import { AnsweredError } from '../transport/index.ts';
import { matchesTemplate, namedServer, otherAddress } from './resource-addresses.ts';

/** Where a request for a resource or a prompt goes. */
export interface RouteTarget {
  readonly server: string;
  /** The address or name there. */
  readonly own: string;
}

type ResourceKind = Exclude<keyof OtherLists, 'prompts'>;

/** The field with the address, by list. */
export const ADDRESS: Readonly<Record<ResourceKind, 'uri' | 'uriTemplate'>> = {
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

/** Maximum links of one server that are remembered, and the characters of each. */
const MAX_LINKS = 10_000;
const MAX_LINK = 2000;

/**
 * Which server an address belongs to: the one that lists it, else the one whose template matches, else the one in
 * whose result it stood as a link. Where several could have it, it is the first of them, and the others have it under
 * an address that names their server. A server cannot take an address from another one by a link.
 */
export class ResourceOwners {
  readonly #pool: ServerPool;
  /** The servers under whose own address an item was last served to clients. It keeps this meaning. */
  readonly #served: Record<ResourceKind, ReadonlyMap<string, string>> = {
    resources: new Map(),
    resourceTemplates: new Map(),
  };
  /** The links in the results of each server, with a number that says in which order they came. */
  readonly #links = new Map<string, Recent<number>>();
  #lastLink = 0;
  #index: Index | undefined;

  constructor(pool: ServerPool) {
    this.#pool = pool;
  }

  /** Where an address of a client leads. */
  place(address: string): RouteTarget | undefined {
    const named = namedServer(address);
    if (named && this.#has(named.server, named.uri))
      return { server: named.server, own: named.uri };
    const server = this.#ownerOf(address);
    return server === undefined ? undefined : { server, own: address };
  }

  /** The servers that may have an address that no server is known to have: those that list none of their own. */
  unlisted(address: string): RouteTarget[] {
    // What stands in a query may be meant for one server only.
    if (address.includes('?')) return [];
    const named = namedServer(address);
    return this.#pool.connections
      .filter(({ listing, manifest }) => {
        const { resources, resourceTemplates } = manifest?.others ?? {};
        const listsNothing = resources?.length === 0 && resourceTemplates?.length === 0;
        return listsNothing && ownProperty(listing?.capabilities, 'resources') !== undefined;
      })
      .filter(({ name }) => named === undefined || name === named.server)
      .map(({ name }) => ({ server: name, own: named?.uri ?? address }));
  }

  /** The address for clients of what a server lists. */
  listed(server: string, address: string): string {
    const place = this.place(address);
    const isOwn = place?.server === server && place.own === address;
    return isOwn || place === undefined ? address : otherAddress(server, address);
  }

  /** The address for clients of what stands in a result of a server, which has this address from now on. */
  linked(server: string, address: string): string {
    if (address.length <= MAX_LINK) {
      const links = this.#links.get(server) ?? new Recent<number>(MAX_LINKS);
      this.#links.set(server, links);
      links.set(address, links.get(address) ?? ++this.#lastLink);
    }
    return this.listed(server, address);
  }

  /** Notes which server's each address was in a list that clients get. */
  served(kind: ResourceKind, owners: ReadonlyMap<string, string>): void {
    this.#served[kind] = owners;
  }

  /** The server of an address that names none. */
  #ownerOf(address: string): string | undefined {
    const { listed, templates } = this.#indexNow();
    const listers = listed.resources.get(address) ?? [];
    const [lister] = inServedOrder(listers, this.#served.resources.get(address));
    if (lister !== undefined) return lister;
    const same = listed.resourceTemplates.get(address) ?? [];
    const [template] = inServedOrder(same, this.#served.resourceTemplates.get(address));
    return template ?? this.#templateOwner(templates, address) ?? this.#linker(address);
  }

  /** The server of the most exact template. */
  #templateOwner(templates: readonly string[], address: string): string | undefined {
    const found = templates.find((template) => matchesTemplate(template, address));
    return found === undefined ? undefined : this.#ownerOf(found);
  }

  /** The server whose result had an address as a link first. */
  #linker(address: string): string | undefined {
    let first: { readonly server: string; readonly at: number } | undefined;
    for (const { name: server } of this.#pool.connections) {
      const at = this.#links.get(server)?.get(address);
      if (at !== undefined && (first === undefined || at < first.at)) first = { server, at };
    }
    return first?.server;
  }

  #has(server: string, address: string): boolean {
    if (this.#pool.connection(server) === undefined) return false;
    const { listed } = this.#indexNow();
    if (listed.resources.get(address)?.includes(server)) return true;
    if (this.#links.get(server)?.get(address) !== undefined) return true;
    return [...listed.resourceTemplates].some(
      ([template, servers]) =>
        servers.includes(server) && (template === address || matchesTemplate(template, address)),
    );
  }

  #indexNow(): Index {
    const sources = this.#pool.connections.flatMap(({ name, manifest }) => [
      ...[name, manifest?.listing, manifest?.others],
    ]);
    const known = this.#index;
    const isKnown =
      known?.sources.length === sources.length &&
      known.sources.every((source, at) => source === sources[at]);
    if (known && isKnown) return known;
    this.#index = { sources, ...indexOf(this.#pool) };
    return this.#index;
  }
}

/** What all servers list. */
interface Index {
  /** What it was made of. */
  readonly sources: readonly unknown[];
  /** The servers of each address, in the order of the configuration. */
  readonly listed: Readonly<Record<ResourceKind, ReadonlyMap<string, readonly string[]>>>;
  /** All templates, those with the most characters outside of variables first. */
  readonly templates: readonly string[];
}

function indexOf({ connections }: ServerPool): Omit<Index, 'sources'> {
  const listed = {
    resources: new Map<string, string[]>(),
    resourceTemplates: new Map<string, string[]>(),
  };
  for (const { name, manifest } of connections) {
    const add = (kind: ResourceKind, address: unknown): void => {
      const servers = listed[kind].get(String(address)) ?? [];
      if (!servers.includes(name)) listed[kind].set(String(address), [...servers, name]);
    };
    for (const kind of ['resources', 'resourceTemplates'] as const)
      for (const item of manifest?.others?.[kind] ?? []) add(kind, item[ADDRESS[kind]]);
    // The page of a tool's app belongs to the server of the tool, listed or not.
    for (const tool of listIn(manifest?.listing, 'tools')) {
      const page = ownProperty(ownProperty(ownProperty(tool, '_meta'), 'ui'), 'resourceUri');
      if (typeof page === 'string') add('resources', page);
    }
  }
  const exactness = (template: string): number => template.replace(/\{[^{}]*\}/g, '').length;
  const templates = [...listed.resourceTemplates.keys()];
  templates.sort((one, other) => exactness(other) - exactness(one));
  return { listed, templates };
}

/** The servers, that of the served address first if it still is one of them. */
function inServedOrder(servers: readonly string[], served: string | undefined): readonly string[] {
  return served !== undefined && servers.includes(served) ? [served, ...servers] : servers;
}

/** Milliseconds for one server to read a resource that no server is known to have. */
const TIME = 3000;

/** Milliseconds for all of them. */
const WHOLE_TIME = 10_000;

/**
 * Reads a resource from the first of these servers that has it, one after another. `undefined` if none answers; rejects
 * with the first refusal if all that answer refuse.
 */
export async function readUnlisted(
  places: readonly RouteTarget[],
  signal: AbortSignal,
  read: (place: RouteTarget, signal: AbortSignal) => Promise<JsonObject>,
): Promise<JsonObject | undefined> {
  const whole = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_TIME)]);
  let refusal: AnsweredError | undefined;
  for (const place of places) {
    if (whole.aborted) break;
    try {
      return await read(place, AbortSignal.any([whole, AbortSignal.timeout(TIME)]));
    } catch (error) {
      // A server that is silent or cannot be used has no resource for anybody.
      if (error instanceof AnsweredError) refusal ??= error;
    }
  }
  signal.throwIfAborted();
  if (refusal) throw refusal;
  return;
}
