import {
  type JsonObject,
  listIn,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/values';
import {
  type Client,
  type ClientRequest,
  INVALID_PARAMS,
  RpcError,
} from '../gateway-clients/index.ts';
import type { ServerConnection } from '../server/index.ts';
import { lowestLevel } from './questions.ts';
import type { SharedPool } from './upstreams.ts';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** The notice that each field of a filter asks for. */
const FILTERS: readonly (readonly [field: string, method: string])[] = [
  ['toolsListChanged', 'notifications/tools/list_changed'],
  ['promptsListChanged', 'notifications/prompts/list_changed'],
  ['resourcesListChanged', 'notifications/resources/list_changed'],
];

const UPDATED = 'notifications/resources/updated';

/** Maximum subscriptions that are open. */
const MAX_OPEN = 1000;

/** Who is told of which changes, in the ways of all revisions. */
export class Subscriptions {
  /** Open subscriptions of 2026-07-28. */
  readonly #open = new Set<Listener>();
  readonly #followed = new Map<ServerConnection, ServerSubscription>();
  readonly #stop = new AbortController();

  /** Answers `subscriptions/listen` when the subscription has ended. `clientClass`: that of the client. */
  listen(
    { client, id, params, notify, signal }: ClientRequest,
    clientClass: Audience['clientClass'],
  ): Promise<JsonObject> {
    const filter = ownProperty(params, 'notifications');
    if (typeof filter !== 'object' || filter === null)
      throw new RpcError(INVALID_PARAMS, "'notifications' is required.");
    if (this.#open.size >= MAX_OPEN)
      throw new RpcError(INVALID_PARAMS, 'There are too many subscriptions.');
    const methods = FILTERS.filter(([field]) => ownProperty(filter, field) === true);
    const uris = listIn(filter, 'resourceSubscriptions').filter((uri) => typeof uri === 'string');
    const honored: JsonObject = {
      ...Object.fromEntries(methods.map(([field]) => [field, true])),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    const _meta = { [SUBSCRIPTION_ID]: id };
    const tell = (method: string, params: JsonObject | undefined): void => {
      const meta = { ...ownProperties(params?._meta), ..._meta } as JsonObject;
      notify(method, { ...params, _meta: meta });
    };
    const ended = Promise.withResolvers<JsonObject>();
    const listener: Listener = {
      client,
      clientClass,
      tell,
      methods: new Set(methods.map(([, method]) => method)),
      uris: new Set(uris),
      end: () => ended.resolve({ _meta }),
    };
    tell('notifications/subscriptions/acknowledged', { notifications: honored });
    if (Object.keys(honored).length === 0) return Promise.resolve({ _meta });
    this.#open.add(listener);
    signal.addEventListener('abort', listener.end, { once: true });
    // The client may have gone before it was known of which class it is.
    if (signal.aborted) listener.end();
    return ended.promise.finally(() => this.#open.delete(listener));
  }

  /** Follows a resource of a server for somebody, who leaves later. */
  async follow(
    connection: ServerConnection,
    uri: string,
    holder: object,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    // Before it is noted: what is noted is sent again when a server has started.
    if (connection.state.kind !== 'ready') await connection.start(signal);
    // Who has left meanwhile does not leave again.
    signal.throwIfAborted();
    const followed = this.#followed.get(connection) ?? { wanted: new Map() };
    this.#followed.set(connection, followed);
    const holders = followed.wanted.get(uri) ?? new Set();
    followed.wanted.set(uri, holders.add(holder));
    try {
      return await this.#send(connection, 'resources/subscribe', uri, signal);
    } catch (error) {
      this.#drop(connection, uri, holder);
      throw error;
    }
  }

  /** Ends this for one who holds it. Others may still want the resource. */
  async unfollow(
    connection: ServerConnection,
    uri: string,
    holder: object,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    if (!this.#drop(connection, uri, holder)) return {};
    return this.#send(connection, 'resources/unsubscribe', uri, signal);
  }

  /** The connection on which somebody follows a resource of a server. */
  followedBy(holder: object, server: string, uri: string): ServerConnection | undefined {
    return [...this.#followed].find(
      ([{ name }, { wanted }]) => name === server && wanted.get(uri)?.has(holder),
    )?.[0];
  }

  /** Ends everything that somebody follows. */
  leave(holder: object): void {
    for (const [connection, { wanted }] of this.#followed)
      for (const [uri, holders] of wanted) {
        if (!holders.has(holder)) continue;
        // A server that has stopped has forgotten it.
        if (connection.state.kind !== 'ready') this.#drop(connection, uri, holder);
        else this.unfollow(connection, uri, holder).catch(() => {});
      }
  }

  /** Follows on other connections what was followed on those that they replace. */
  move(replaced: (connection: ServerConnection) => ServerConnection | undefined): void {
    for (const [connection, { wanted, stop }] of [...this.#followed]) {
      const next = replaced(connection);
      if (next === connection) continue;
      stop?.abort();
      this.#followed.delete(connection);
      if (next === undefined) continue;
      for (const [uri, holders] of wanted)
        for (const holder of holders)
          this.follow(next, uri, holder, this.#stop.signal).catch(() => {});
    }
  }

  /** Follows again what was followed on a server that has started again. */
  renew(connection: ServerConnection): void {
    for (const uri of this.#followed.get(connection)?.wanted.keys() ?? []) {
      this.#send(connection, 'resources/subscribe', uri).catch(() => {});
      if (hasOneSubscription(connection)) return;
    }
  }

  async #send(
    connection: ServerConnection,
    method: string,
    uri: string,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    if (!hasOneSubscription(connection)) return connection.request(method, { uri }, { signal });
    const followed = this.#followed.get(connection);
    followed?.stop?.abort();
    if (followed === undefined) return {};
    followed.stop = new AbortController();
    const notifications = { resourceSubscriptions: [...followed.wanted.keys()] };
    const over = AbortSignal.any([followed.stop.signal, this.#stop.signal]);
    connection.request('subscriptions/listen', { notifications }, { signal: over }).catch(() => {});
    return {};
  }

  /** Whether nobody wants the resource any more. */
  #drop(connection: ServerConnection, uri: string, holder: object): boolean {
    const { wanted, stop } = this.#followed.get(connection) ?? {};
    const holders = wanted?.get(uri);
    holders?.delete(holder);
    if (holders && holders.size > 0) return false;
    wanted?.delete(uri);
    if (wanted?.size === 0) {
      stop?.abort();
      this.#followed.delete(connection);
    }
    return true;
  }

  /** Tells all who want it that a list has changed. */
  tell(audience: Audience, method: string, params: JsonObject | undefined): void {
    for (const client of audience.clients) if (client.isLegacy) client.notify(method, params);
    for (const { methods, tell } of this.#of(audience))
      if (methods.has(method)) tell(method, params);
  }

  /** Tells all who subscribed to a resource that it has changed. */
  updated(audience: Audience, uri: string, params: JsonObject): void {
    for (const client of audience.clients)
      if (client.subscribed.has(uri)) client.notify(UPDATED, params);
    for (const { uris, tell } of this.#of(audience)) if (uris.has(uri)) tell(UPDATED, params);
  }

  ended(client: Client): void {
    for (const listener of this.#open) if (listener.client === client) listener.end();
    this.leave(client);
  }

  close(): void {
    for (const { end } of this.#open) end();
    this.#stop.abort();
  }

  /** The subscriptions of an audience. Without sessions, a client is known by its class only. */
  #of({ clientClass, clients }: Audience): Listener[] {
    return [...this.#open].filter(
      ({ client, ...listener }) =>
        listener.clientClass === clientClass && (client.isShared || clients.has(client)),
    );
  }
}

/** Whether one subscription has all addresses, as since 2026-07-28. */
function hasOneSubscription({ manifest }: ServerConnection): boolean {
  return manifest?.known?.kind === 'modern';
}

/** What is followed on a server: who wants each address. */
interface ServerSubscription {
  readonly wanted: Map<string, Set<object>>;
  /** Ends the subscription of a server of 2026-07-28. */
  stop?: AbortController;
}

/** The clients of a connection: what its server tells is for nobody else. */
type Audience = Pick<SharedPool, 'clientClass' | 'clients'>;

interface Listener {
  readonly client: Client;
  readonly clientClass: Audience['clientClass'];
  readonly tell: (method: string, params: JsonObject | undefined) => void;
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
  readonly end: () => void;
}

/** Asks all servers that are ready for the log messages that one of their clients wants. */
export async function tellLevels(shared: SharedPool): Promise<void> {
  const ready = shared.pool.connections.filter(({ state }) => state.kind === 'ready');
  await Promise.all(ready.map(({ name }) => tellLevel(shared, name)));
}

/** Asks a server for the log messages that one of its clients wants. Each client gets its own. */
export async function tellLevel({ pool, clients }: SharedPool, server: string): Promise<void> {
  const connection = pool.connection(server);
  const { listing, manifest } = connection ?? {};
  const level = lowestLevel([...clients].map(({ logLevel }) => logLevel));
  const isAble = ownProperty(listing?.capabilities, 'logging') !== undefined;
  // Since 2026-07-28 each request says which messages it wants.
  if (level === undefined || !isAble || manifest?.known?.kind === 'modern') return;
  await connection?.request('logging/setLevel', { level }).catch(() => {});
}
