import {
  type JsonObject,
  listIn,
  ownProperties,
  ownProperty,
  within,
} from '@toolfold/core/internal/values';
import {
  type Caller,
  type Client,
  type ClientHost,
  type ClientRequest,
  IDENTITY,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  MODERN,
  RpcError,
  SERVER_INFO,
} from '../gateway-clients/index.ts';
import {
  calledTool,
  changedLists,
  GatewayView,
  KnownServers,
  type ListKind,
  PassedTools,
  type RouteTarget,
  readdressed,
  readUnlisted,
  ServerLists,
  statesOf,
  textOf,
  uriOf,
  type ViewOptions,
} from '../gateway-lists/index.ts';
import type { ConfiguredServers } from '../known-tools.ts';
import type { PoolOptions } from '../pool/index.ts';
import type { PoolEvent } from '../server/index.ts';
import type { ServerMessage } from '../transport/index.ts';
import { failureAsResult, forward } from './forward.ts';
import { isParked, ParkedCalls } from './parked-calls.ts';
import { isLogLevel } from './questions.ts';
import { Subscriptions, tellLevel, tellLevels } from './subscriptions.ts';
import { type SharedPool, Upstreams } from './upstreams.ts';

/** Milliseconds for the one server of `passthrough`. */
const START_TIME = 20_000;

/** Milliseconds in which a list of tools waits for servers that were never listed. */
const PATIENCE = 1500;

const CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** Options of a gateway. */
export interface GatewayOptions
  extends ViewOptions,
    Pick<PoolOptions, 'manifests' | 'logins' | 'starts'> {
  /** Gets one line for each call, and what happens to servers. */
  readonly log: (text: string) => void;
}

type Config = ConfiguredServers;

/** What the clients of one class see. */
interface Scene extends SharedPool {
  readonly view: GatewayView;
  readonly lists: ServerLists;
  readonly known: KnownServers;
}

/** One MCP server in front of any number of others. Serves clients of every revision. */
export class Gateway implements ClientHost {
  readonly #options: GatewayOptions;
  readonly #upstreams: Upstreams;
  readonly #scenes = new Map<SharedPool['clientClass'], Scene>();
  readonly #parked = new ParkedCalls();
  readonly #subscriptions = new Subscriptions();
  #config: Config;

  constructor(config: Config, options: GatewayOptions) {
    this.#config = config;
    this.#options = options;
    this.#upstreams = new Upstreams(config, {
      ...options,
      onEvent: (event) => this.#event(event),
      onNotice: (shared, server, message) => this.#notice(shared, server, message),
      onReady: (shared, server) => {
        const connection = shared.pool.connection(server);
        if (connection) this.#subscriptions.renew(connection);
        void tellLevel(shared, server);
      },
      onShared: (shared) => this.#begin(shared),
      onJoined: (shared) => void tellLevels(shared),
      onEnded: ({ clientClass }) => this.#scenes.delete(clientClass),
    });
  }

  /** The state of each server, of the connections that are shared. */
  health(): JsonObject {
    const pools = [...this.#scenes.values()].map(({ pool }) => pool);
    return { status: 'ok', servers: statesOf(pools, this.#config.servers.keys()) };
  }

  /** The input schema of a tool, by the name for clients. */
  readonly schemaOf = (tool: string): unknown => {
    for (const { view, pool } of this.#scenes.values()) {
      const [server] = pool.connections;
      const passed =
        server && this.#passedTools(server.name).find(server.listing?.tools ?? [], tool);
      const found = this.#options.mode === 'passthrough' ? passed : view.find(tool)?.listed;
      if (found) return found.inputSchema;
    }
    return undefined;
  };

  readonly toolOf = (params: JsonObject): string => calledTool(params, this.#options.mode);

  readonly log = (text: string): void => this.#options.log(text);

  async handle(incoming: ClientRequest): Promise<JsonObject> {
    const { method, params, client } = incoming;
    if (isParked(incoming)) {
      const resumed = this.#parked.resume(incoming);
      return method === 'tools/call' ? this.#answered(resumed) : resumed;
    }
    switch (method) {
      case 'ping':
        return {};
      case 'server/discover': {
        const { serverInfo: _, ...introduction } = await this.#introduction(incoming);
        return { supportedVersions: [MODERN], ...introduction, _meta: IDENTITY };
      }
      case 'logging/setLevel':
        return this.#setLevel(incoming);
      case 'subscriptions/listen':
        return this.#listen(incoming);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(incoming);
    }
    const scene = await this.#sceneOf(incoming);
    if (this.#options.mode === 'passthrough') return this.#passThrough(scene, incoming);
    switch (method) {
      case 'tools/list':
        await scene.known.wait();
        return { tools: [...(await scene.view.definitions())] };
      case 'tools/call':
        return this.#answered(this.#call(scene, incoming));
      case 'prompts/list':
        return scene.lists.serve('prompts', incoming.signal);
      case 'prompts/get': {
        const name = textOf(params, 'name');
        const place = await scene.lists.findPrompt(name, incoming.signal);
        if (place === undefined)
          throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${name.slice(0, 80)}`);
        return this.#send(scene, incoming, place.server, { ...params, name: place.own });
      }
      case 'resources/list':
        return scene.lists.serve('resources', incoming.signal);
      case 'resources/templates/list':
        return scene.lists.serve('resourceTemplates', incoming.signal);
      case 'resources/read':
        return this.#read(scene, incoming);
      case 'completion/complete':
        return this.#complete(scene, incoming);
      default:
        throw new RpcError(METHOD_NOT_FOUND, 'Method not found', { client: client.info ?? {} });
    }
  }

  async welcome(client: Client): Promise<JsonObject> {
    const { capabilities = {}, gone: signal } = client;
    return this.#introduction({ client, capabilities, signal });
  }

  rootsChanged(client: Client): void {
    this.#upstreams.forgetRoots(client);
  }

  async closed(client: Client): Promise<void> {
    this.#subscriptions.ended(client);
    await this.#upstreams.ended(client);
  }

  /** Takes a new configuration. Servers whose entry did not change keep running. */
  async update(config: Config): Promise<void> {
    const before = this.#config;
    this.#config = config;
    this.#subscriptions.move(await this.#upstreams.update(config));
    for (const { view } of this.#scenes.values()) await view.update(config.settings);
    if (this.#options.mode !== 'passthrough') return;
    for (const kind of changedLists(before, config))
      for (const scene of this.#scenes.values()) this.#tellList(scene, kind);
  }

  async close(): Promise<void> {
    this.#subscriptions.close();
    await this.#upstreams.close();
  }

  /** What the gateway, or the only server behind it, says of itself. */
  async #introduction(caller: Caller): Promise<JsonObject> {
    if (this.#options.mode !== 'passthrough')
      return { capabilities: CAPABILITIES, serverInfo: SERVER_INFO };
    const { pool } = await this.#sceneOf(caller);
    const [connection] = pool.connections;
    if (connection) await within(START_TIME, connection.start(caller.signal));
    const { listing } = connection ?? {};
    const { subscriptions: _, ...capabilities } = ownProperties(listing?.capabilities);
    const instructions = listing?.instructions;
    return {
      capabilities: listing ? (capabilities as JsonObject) : CAPABILITIES,
      serverInfo: SERVER_INFO,
      ...(instructions !== undefined && { instructions }),
    };
  }

  async #sceneOf(caller: Caller): Promise<Scene> {
    const { clientClass } = await this.#upstreams.sharedFor(caller);
    const scene = this.#scenes.get(clientClass);
    if (scene === undefined) throw new Error('The connections of the client have ended.');
    return scene;
  }

  #begin(shared: SharedPool): void {
    const { pool, clientClass } = shared;
    const onChange = (): void => this.#listChanged(shared, 'tools');
    const view = new GatewayView(pool, this.#config.settings, this.#options, onChange);
    const lists = new ServerLists(pool);
    const known = new KnownServers(pool, ({ listing }) => listing !== undefined, PATIENCE);
    this.#scenes.set(clientClass, { ...shared, view, lists, known });
    pool.onChange(() => {
      for (const kind of lists.changed()) this.#listChanged(shared, kind);
    });
  }

  async #passThrough(scene: Scene, incoming: ClientRequest): Promise<JsonObject> {
    const [connection] = scene.pool.connections;
    if (connection === undefined) throw new RpcError(INVALID_PARAMS, 'There is no server.');
    const { method, params } = incoming;
    this.#passedTools(connection.name).check(method, params);
    const result = await this.#send(scene, incoming, connection.name, params);
    return this.#passedTools(connection.name).shown(method, result);
  }

  #passedTools(server: string): PassedTools {
    return new PassedTools(server, this.#config.settings?.exposure);
  }

  async #call(scene: Scene, incoming: ClientRequest): Promise<JsonObject> {
    const { params, signal } = incoming;
    const decision = await scene.view.decide(params, signal, () => scene.known.wait());
    if (decision.kind === 'answer') return decision.result;
    const { server, bare } = decision.target;
    const input = decision.arguments;
    const sent = { ...params, name: bare, ...(input !== undefined && { arguments: input }) };
    return this.#send(scene, incoming, server, sent);
  }

  #answered(call: Promise<JsonObject>): Promise<JsonObject> {
    return this.#options.mode === 'passthrough' ? call : failureAsResult(call);
  }

  async #read(scene: Scene, incoming: ClientRequest): Promise<JsonObject> {
    const { params, era, signal } = incoming;
    const uri = uriOf(params);
    const { lists } = scene;
    const read = ({ server, own }: RouteTarget, over: AbortSignal): Promise<JsonObject> =>
      this.#send(scene, { ...incoming, signal: over }, server, { ...params, uri: own });
    const place = await scene.lists.findResource(uri, signal);
    const result = place
      ? await read(place, signal)
      : await readUnlisted(lists.owners.unlisted(uri), signal, read);
    if (result) return result;
    const code = era === 'modern' ? INVALID_PARAMS : -32_002;
    throw new RpcError(code, 'Resource not found', { uri });
  }

  async #complete(scene: Scene, incoming: ClientRequest): Promise<JsonObject> {
    const { params, signal } = incoming;
    const ref = ownProperties(params.ref);
    const name = String(ref.name ?? ref.uri ?? '');
    const isPrompt = ref.type === 'ref/prompt';
    const find = isPrompt ? scene.lists.findPrompt : scene.lists.findResource;
    const place = await find.call(scene.lists, name, signal);
    if (place === undefined)
      throw new RpcError(INVALID_PARAMS, `Nothing to complete: ${name.slice(0, 80)}`);
    const mapped = { ...ref, ...(isPrompt ? { name: place.own } : { uri: place.own }) };
    return this.#send(scene, incoming, place.server, { ...params, ref: mapped as JsonObject });
  }

  async #send(
    scene: Scene,
    incoming: ClientRequest,
    server: string,
    params: JsonObject,
  ): Promise<JsonObject> {
    const isPassed = this.#options.mode === 'passthrough';
    return forward(
      incoming,
      this.#parked,
      async (work) => {
        const result = await this.#upstreams.using(scene, server, incoming, work);
        return isPassed
          ? result
          : readdressed(result, (uri) => scene.lists.owners.linked(server, uri));
      },
      params,
    );
  }

  async #setLevel(incoming: ClientRequest): Promise<JsonObject> {
    const { client, params } = incoming;
    const level = textOf(params, 'level');
    if (!isLogLevel(level)) throw new RpcError(INVALID_PARAMS, 'The level is not known.');
    client.logLevel = level;
    await tellLevels(await this.#sceneOf(incoming));
    return {};
  }

  async #listen(incoming: ClientRequest): Promise<JsonObject> {
    const filter = ownProperty(incoming.params, 'notifications');
    try {
      for (const uri of listIn(filter, 'resourceSubscriptions'))
        await this.#follow(incoming, String(uri), incoming);
      const { clientClass } = await this.#sceneOf(incoming);
      return await this.#subscriptions.listen(incoming, clientClass);
    } finally {
      this.#subscriptions.leave(incoming);
    }
  }

  async #subscribe(incoming: ClientRequest): Promise<JsonObject> {
    const { client, params, method } = incoming;
    const [uri, isOn] = [uriOf(params), method === 'resources/subscribe'];
    client.subscribed[isOn ? 'add' : 'delete'](uri);
    return this.#follow(incoming, uri, client, isOn);
  }

  /** Follows a resource for a client or a subscription, or ends this. */
  async #follow(by: ClientRequest, uri: string, holder: object, isOn = true): Promise<JsonObject> {
    const { signal } = by;
    const scene = await this.#sceneOf(by);
    const [place] =
      this.#options.mode === 'passthrough'
        ? scene.pool.connections.map(({ name }) => ({ server: name, own: uri }))
        : [(await scene.lists.findResource(uri, signal)) ?? scene.lists.owners.unlisted(uri)[0]];
    if (place === undefined) throw new RpcError(INVALID_PARAMS, 'Resource not found', { uri });
    const { server, own } = place;
    const subscriptions = this.#subscriptions;
    const followed = isOn ? undefined : subscriptions.followedBy(holder, server, own);
    if (followed) return subscriptions.unfollow(followed, own, holder, signal);
    return this.#upstreams.using(scene, server, by, (connection) =>
      isOn
        ? subscriptions.follow(connection, own, holder, signal)
        : subscriptions.unfollow(connection, own, holder, signal),
    );
  }

  #notice(shared: SharedPool, server: string, { method, params }: ServerMessage): void {
    const isPassed = this.#options.mode === 'passthrough';
    const [, list] = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method) ?? [];
    if (list !== undefined) {
      if (list !== 'tools') shared.pool.connection(server)?.otherListsChanged();
      if (isPassed) this.#subscriptions.tell(shared, method, params);
    } else if (method === 'notifications/resources/updated') {
      const uri = textOf(params ?? {}, 'uri');
      const lists = this.#scenes.get(shared.clientClass)?.lists;
      const address = isPassed ? uri : (lists?.owners.linked(server, uri) ?? uri);
      this.#subscriptions.updated(shared, address, { ...params, uri: address });
    } else {
      const [only, ...others] = shared.clients;
      // Only where there is no doubt whose it is.
      if (only && others.length === 0 && only.isLegacy) only.notify(method, params);
      else if (method === 'notifications/message')
        this.log(`${server}: ${JSON.stringify(ownProperty(params, 'data'))?.slice(0, 2000)}`);
    }
  }

  #listChanged(shared: SharedPool, kind: ListKind): void {
    if (this.#options.mode !== 'passthrough') this.#tellList(shared, kind);
  }

  #tellList(shared: SharedPool, kind: ListKind): void {
    this.#subscriptions.tell(shared, `notifications/${kind}/list_changed`, undefined);
  }

  #event(event: PoolEvent): void {
    if (event.kind === 'warning') this.log(`${event.server}: ${event.text}`);
    else if (event.kind === 'state' && event.to.kind === 'failed')
      this.log(`${event.server}: ${event.to.reason}. ${event.to.remedy}`);
  }
}
