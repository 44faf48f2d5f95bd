import type { ServerConnection } from '../mcp/index.ts';
import { type JsonObject, listIn, ownProperties, ownProperty } from '../tools/values/index.ts';
import { type Client, INVALID_PARAMS, type Incoming, RpcError } from './front/index.ts';
import type { Shared } from './isolation/index.ts';

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
  /** What is followed on servers of 2026-07-28: one subscription for all addresses of a server. */
  readonly #followed = new WeakMap<ServerConnection, Followed>();
  readonly #stop = new AbortController();

  /** Answers `subscriptions/listen` when the subscription has ended. `clientClass`: that of the client. */
  listen(
    { client, id, params, notify, signal }: Incoming,
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
    const tell = (method: string, told: JsonObject | undefined): void => {
      const meta = { ...ownProperties(told?._meta), ..._meta } as JsonObject;
      notify(method, { ...told, _meta: meta });
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
    return ended.promise.finally(() => this.#open.delete(listener));
  }

  /** Follows a resource of a server, or ends this. */
  async follow(
    connection: ServerConnection,
    uri: string,
    isOn: boolean,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { known } = connection.manifest ?? {};
    if (known?.kind !== 'modern') {
      const method = isOn ? 'resources/subscribe' : 'resources/unsubscribe';
      return connection.request(method, { uri }, { signal });
    }
    const { uris, stop } = this.#followed.get(connection) ?? { uris: new Set<string>() };
    stop?.abort();
    if (isOn) uris.add(uri);
    else uris.delete(uri);
    const next = new AbortController();
    this.#followed.set(connection, { uris, stop: next });
    if (uris.size === 0) return {};
    const notifications = { resourceSubscriptions: [...uris] };
    const over = AbortSignal.any([next.signal, this.#stop.signal]);
    connection.request('subscriptions/listen', { notifications }, { signal: over }).catch(() => {});
    return {};
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

interface Followed {
  readonly uris: Set<string>;
  readonly stop?: AbortController;
}

/** The clients of a connection: what its server tells is for nobody else. */
type Audience = Pick<Shared, 'clientClass' | 'clients'>;

interface Listener {
  readonly client: Client;
  readonly clientClass: Audience['clientClass'];
  readonly tell: (method: string, params: JsonObject | undefined) => void;
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
  readonly end: () => void;
}
