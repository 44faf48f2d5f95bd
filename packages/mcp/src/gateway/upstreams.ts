import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, oncePerKey } from '@toolfold/core/internal/values';
import { type Caller, type Client, METHOD_NOT_FOUND, RpcError } from '../gateway-clients/index.ts';
import { type ConfiguredServers, idleRules } from '../known-tools.ts';
import { createServerPool, type PoolOptions, type ServerPool } from '../pool/index.ts';
import type { Relay } from '../requests/index.ts';
import type { PoolEvent, ServerConnection } from '../server/index.ts';
import type { ServerMessage } from '../transport/index.ts';
import { checkDeclared, isDeclared, type RequestAddressee } from './questions.ts';
import { type ClientClass, classOf, Leases } from './sharing.ts';

type Config = ConfiguredServers;

/** Milliseconds for a client to say which folders it works in. */
const ROOTS_TIME = 5000;

/** Maximum requests without sessions that one server works on at once. Further requests wait. */
const MAX_AT_ONCE = 8;

/** Maximum connections of one server, shared or not. */
const MAX_OWN = 256;

/** Notifications that never belong to one request. */
const OF_THE_CONNECTION = /^notifications\/(\w+\/list_changed|resources\/updated)$/;

/** What the upstream servers need of the gateway. */
interface UpstreamsOptions extends Pick<PoolOptions, 'manifests' | 'logins' | 'starts'> {
  readonly log: (text: string) => void;
  readonly onEvent: (event: PoolEvent) => void;
  /** Called when a server of a class is ready. */
  readonly onReady: (shared: SharedPool, server: string) => void;
  /** Called with a notification that belongs to no request. */
  readonly onNotice: (shared: SharedPool, server: string, message: ServerMessage) => void;
  /** Called when the pool of a class was made. */
  readonly onShared: (shared: SharedPool) => void;
  /** Called when one more client uses it. */
  readonly onJoined: (shared: SharedPool) => void;
  /** Called when it ends, because its last client has gone. */
  readonly onEnded: (shared: SharedPool) => void;
}

/** The connections that the clients of one class share. */
export interface SharedPool {
  readonly clientClass: ClientClass;
  readonly pool: ServerPool;
  readonly clients: Set<Client>;
}

/**
 * The connections to servers, by who may share them. Clients of one class share a connection, unless its
 * entry says `perSession`, or the server asks without saying which call its question belongs to.
 */
export class Upstreams {
  readonly #options: UpstreamsOptions;
  readonly #shared = new Map<string, Promise<SharedPool>>();
  /** Those of them that were made. */
  readonly #made = new Set<SharedPool>();
  readonly #own = new WeakMap<Client, Map<string, Promise<ServerPool>>>();
  /** Pools that are not shared, each with its one server. */
  readonly #owned = new Map<Promise<ServerPool>, string>();
  readonly #roots = new WeakMap<Client, Promise<JsonObject>>();
  /** Servers that asked while calls of several clients ran. */
  readonly #asking = new Set<string>();
  readonly #leases = new Map<string, Leases>();
  readonly #logOnce: (key: string, text: string) => void;
  #config: Config;

  constructor(config: Config, options: UpstreamsOptions) {
    this.#config = config;
    this.#logOnce = oncePerKey(options.log);
    this.#options = options;
  }

  /** The connections that the client of a request shares with others. */
  async sharedFor(caller: Caller): Promise<SharedPool> {
    const { client } = caller;
    const clientClass = classOf(caller, await this.#rootsOf(caller));
    const { key } = clientClass;
    let made = this.#shared.get(key);
    if (made === undefined) {
      made = this.#share(clientClass);
      this.#shared.set(key, made);
      made.catch(() => this.#shared.delete(key));
    }
    const shared = await made;
    if (!client.isShared && !client.gone.aborted && !shared.clients.has(client)) {
      await this.#leave(client);
      // The last other client may have gone meanwhile.
      if (this.#shared.get(key) !== made) return this.sharedFor(caller);
      shared.clients.add(client);
      this.#options.onJoined(shared);
    }
    return shared;
  }

  /** Runs work on the connection of a server that the client of a request uses. */
  async using<T>(
    shared: SharedPool,
    server: string,
    { client, signal }: Caller,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> {
    const connection = shared.pool.connection(server);
    if (connection === undefined) throw gone(server);
    if (!isRunning(connection)) this.#checkCount(server);
    if (client.isShared) return this.#alone(shared, connection, signal, work);
    const { entry } = connection;
    const isOwn = entry.kind !== 'unusable' && entry.lifecycle?.perSession === true;
    if (!isOwn && !this.#asking.has(server)) return work(connection);
    return work(connectionOf(await this.#ownPool(client, server, shared), server));
  }

  /** Takes a new configuration. Returns what has replaced a connection: itself if it did not change. */
  async update(
    config: Config,
  ): Promise<(connection: ServerConnection) => ServerConnection | undefined> {
    this.#config = config;
    const pools = new Map<ServerConnection, ServerPool>();
    const shared = [...this.#shared.values()].map(async (one) => (await one).pool);
    for (const made of [...shared, ...this.#owned.keys()]) {
      const pool = await made;
      for (const connection of pool.connections) pools.set(connection, pool);
    }
    for (const shared of this.#shared.values()) await (await shared).pool.update(config);
    for (const [own, server] of this.#owned) {
      const entry = config.servers.get(server);
      await (await own).update({ ...config, servers: new Map(entry && [[server, entry]]) });
    }
    return (connection) => pools.get(connection)?.connection(connection.name);
  }

  /** The folders of a client may have changed. */
  forgetRoots(client: Client): void {
    this.#roots.delete(client);
  }

  /** Ends what only this client used. */
  async ended(client: Client): Promise<void> {
    const own = [...(this.#own.get(client)?.values() ?? [])];
    this.#own.delete(client);
    await Promise.all([
      this.#leave(client),
      ...own.map(async (pool) => {
        this.#owned.delete(pool);
        await (await pool).close();
      }),
    ]);
  }

  async close(): Promise<void> {
    const pools = [
      ...[...this.#shared.values()].map(async (one) => (await one).pool),
      ...this.#owned.keys(),
    ];
    this.#shared.clear();
    this.#made.clear();
    this.#owned.clear();
    await Promise.allSettled(pools.map(async (pool) => (await pool).close()));
  }

  async #share(clientClass: ClientClass): Promise<SharedPool> {
    const clients = new Set<Client>();
    // Assigned before a server can tell anything.
    let shared: SharedPool | undefined;
    const pool = await createServerPool(this.#config, {
      ...this.#poolOptions(),
      onEvent: (event) => {
        this.#options.onEvent(event);
        if (event.kind === 'state' && event.to.kind === 'ready' && shared)
          this.#options.onReady(shared, event.server);
      },
      requests: {
        relay: this.#relay(
          clientClass,
          (server, message) => {
            if (shared) this.#options.onNotice(shared, server, message);
          },
          (server) => this.#leases.get(leasesKey(clientClass, server))?.asks(0),
        ),
      },
    });
    shared = { clientClass, pool, clients };
    this.#made.add(shared);
    this.#options.onShared(shared);
    const checkRules = (): void => {
      for (const said of idleRules(pool, this.#config)) this.#logOnce(...said);
    };
    checkRules();
    pool.onChange(checkRules);
    return shared;
  }

  async #ownPool(client: Client, server: string, shared: SharedPool): Promise<ServerPool> {
    const own = this.#own.get(client) ?? new Map<string, Promise<ServerPool>>();
    this.#own.set(client, own);
    const known = own.get(server);
    if (known) return known;
    const made = this.#makeOwn(server, shared, new Set([client]), () => undefined);
    own.set(server, made);
    made.catch(() => own.delete(server));
    return made;
  }

  /** Throws if a server has as many connections as it may have. */
  #checkCount(server: string): void {
    const own = [...this.#owned.values()].filter((name) => name === server);
    const shared = [...this.#made].filter(({ pool }) => isRunning(pool.connection(server)));
    if (own.length + shared.length >= MAX_OWN) throw tooMany(server);
  }

  /** A connection of one server for `clients` alone. `asks`: called when the server asks; returns what to call with the answer. */
  #makeOwn(
    server: string,
    shared: SharedPool,
    clients: Set<Client>,
    asks: () => (() => void) | undefined,
  ): Promise<ServerPool> {
    this.#checkCount(server);
    const entry = this.#config.servers.get(server);
    if (entry === undefined) throw gone(server);
    const tell = (name: string, message: ServerMessage): void =>
      this.#options.onNotice({ ...shared, clients }, name, message);
    const made = createServerPool(
      { ...this.#config, servers: new Map([[server, entry]]) },
      {
        ...this.#poolOptions(),
        starts: 'none',
        requests: { relay: this.#relay(shared.clientClass, tell, asks) },
      },
    );
    this.#owned.set(made, server);
    made.catch(() => this.#owned.delete(made));
    return made;
  }

  #poolOptions(): PoolOptions {
    const { manifests, logins, starts, onEvent } = this.#options;
    return {
      ...(manifests !== undefined && { manifests }),
      ...(logins !== undefined && { logins }),
      ...(starts !== undefined && { starts }),
      onEvent,
    };
  }

  #relay(
    { capabilities, roots }: ClientClass,
    onNotice: (server: string, message: ServerMessage) => void,
    asks: (server: string) => (() => void) | undefined,
  ): Relay {
    return {
      capabilities,
      ask: async (server, { addressee, ...question }) => {
        if (question.method === 'roots/list' && roots) return roots;
        checkDeclared(question, capabilities);
        if (addressee === 'several') {
          this.#asking.add(server);
          const text = 'Calls of several clients run, and the question does not say whose it is.';
          throw new RpcError(METHOD_NOT_FOUND, text);
        }
        if (addressee === undefined)
          throw new RpcError(METHOD_NOT_FOUND, 'No call runs whose client could be asked.');
        const answered = asks(server);
        return (addressee as RequestAddressee).ask(question).finally(answered);
      },
      tell: (server, message) => {
        const { addressee, method, params } = message;
        const isOfCall = !OF_THE_CONNECTION.test(method);
        if (isOfCall && addressee !== undefined && addressee !== 'several')
          (addressee as RequestAddressee).tell(method, params);
        else onNotice(server, message);
      },
    };
  }

  /** The folders of a client that announces some and can be asked for them. */
  #rootsOf({ client, capabilities, ask, signal }: Caller): Promise<JsonObject | undefined> {
    const question = { method: 'roots/list', params: {} };
    if (ask === undefined || !isDeclared(question, capabilities)) return Promise.resolve(undefined);
    const known = this.#roots.get(client);
    if (known) return known;
    const over = AbortSignal.any([signal, AbortSignal.timeout(ROOTS_TIME)]);
    const asked = ask({ ...question, signal: over }).catch(() => ({ roots: [] }));
    this.#roots.set(client, asked);
    return asked;
  }

  /** A client goes on in another class, or has gone. Connections for its folders end with the last client. */
  async #leave(client: Client): Promise<void> {
    for (const [key, made] of [...this.#shared]) {
      const shared = await made;
      if (!shared.clients.delete(client) || shared.clients.size > 0) continue;
      if (shared.clientClass.roots === undefined) continue;
      this.#shared.delete(key);
      this.#made.delete(shared);
      this.#options.onEnded(shared);
      await shared.pool.close();
    }
  }

  /**
   * Runs work while nobody else uses the connection, if the server may ask without saying which call its
   * question belongs to: without sessions, two requests may be of two programs.
   */
  async #alone<T>(
    shared: SharedPool,
    connection: ServerConnection,
    signal: AbortSignal,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> {
    const { name, entry } = connection;
    const canAsk = Object.keys(shared.clientClass.capabilities).length > 0;
    if (!canAsk || entry.kind === 'http') return work(connection);
    if (connection.listing === undefined) await connection.start();
    if (connection.manifest?.known?.kind === 'modern') return work(connection);
    const key = leasesKey(shared.clientClass, name);
    const leases = this.#leases.get(key) ?? new Leases(MAX_AT_ONCE);
    this.#leases.set(key, leases);
    const lease = await leases.take(signal);
    try {
      if (lease === 0) return await work(connection);
      const asks = (): (() => void) => leases.asks(lease);
      const made = leases.made.get(lease) ?? this.#makeOwn(name, shared, shared.clients, asks);
      leases.made.set(lease, made);
      made.catch(() => leases.made.delete(lease));
      return await work(connectionOf(await made, name));
    } finally {
      leases.giveBack(lease);
    }
  }
}

function leasesKey({ key }: ClientClass, server: string): string {
  return `${key} ${server}`;
}

/** Whether a connection has a process, or will have one at once. */
function isRunning(connection: ServerConnection | undefined): boolean {
  const { kind } = connection?.state ?? {};
  return kind === 'ready' || kind === 'connecting';
}

function connectionOf(pool: ServerPool, server: string): ServerConnection {
  const connection = pool.connection(server);
  if (connection === undefined) throw gone(server);
  return connection;
}

function gone(server: string): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    `The MCP server ${server} is no longer configured.`,
    'List the tools again.',
  );
}

function tooMany(server: string): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    `There are too many connections to the MCP server ${server}.`,
    'Try again when another client has ended.',
  );
}
