import { errorMessage } from '../../errors.ts';
import { within } from '../../time-limit.ts';
import type { DeferredToolGroup } from '../../tools/tool/index.ts';
import { type InOrder, ownProperty, queueOfWork, raceAbort } from '../../tools/values/index.ts';
import type { ServerEntry, ToolfoldConfig } from '../config/index.ts';
import type { ServerStatus } from '../groups/index.ts';
import { authProviderFor, canLogIn, loginNeeded } from '../login/index.ts';
import { type Manifest, type ManifestStore, manifestFiles } from '../manifest/index.ts';
import { ServerRequests } from '../requests/index.ts';
import { ServerConnection, statusOf } from '../server/index.ts';
import { importSdk } from '../transport/index.ts';
import { Background } from './background.ts';
import type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
import { Listeners } from './listeners.ts';
import { Member } from './member.ts';
import { isSameEntry } from './same-entry.ts';
import { PoolSession } from './session.ts';

/** Milliseconds without a call after which a server is stopped. */
const IDLE_TIME = 600_000;

/** Age in milliseconds at which a list of tools is read again in the background. */
const MAX_AGE = 24 * 3_600_000;

type PoolConfig = Pick<ToolfoldConfig, 'servers' | 'settings'>;

/**
 * Creates the pool of a host's servers. Resolves as soon as the cached lists of tools are read; no
 * server has started then. Servers without a list, and those whose list is older than a day, start in
 * the background.
 */
export async function createServerPool(
  config: PoolConfig,
  options: PoolOptions = {},
): Promise<ServerPool> {
  const pool = openPool(options);
  await pool.update(config);
  return pool;
}

/** A pool without servers. */
export function openPool(options: PoolOptions): ServerPool {
  const pool = new Pool(options);
  const close = (): Promise<void> => pool.close();
  // Functions without `this`, so that a host may take single ones of them.
  return {
    get groups() {
      return pool.groups;
    },
    get servers() {
      return pool.servers;
    },
    get connections() {
      return pool.connections;
    },
    connection: (server) => pool.connection(server),
    ready: (ready) => pool.ready(ready),
    onChange: (listener) => pool.onChange(listener),
    update: (config) => pool.update(config),
    session: () => pool.session(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Pool implements ServerPool {
  readonly #options: PoolOptions;
  readonly #store: ManifestStore | undefined;
  readonly #listeners = new Listeners();
  readonly #background = new Background();
  readonly #sessions = new Set<PoolSession>();
  #members: ReadonlyMap<string, Member> = new Map();
  /** Connections that are ending. */
  readonly #ending = new Set<Promise<void>>();
  #settings: PoolConfig['settings'];
  /** Lists of tools that are being written. */
  readonly #saving = new Set<Promise<void>>();
  #isClosed = false;
  /** The last of the updates, which run one after another. */
  readonly #inOrder: InOrder = queueOfWork();

  constructor(options: PoolOptions) {
    this.#options = options;
    const onWarning = (text: string): void => this.#warn('', text);
    this.#store =
      options.manifests === false ? undefined : (options.manifests ?? manifestFiles({ onWarning }));
  }

  get groups(): readonly DeferredToolGroup[] {
    return [...this.#members.values()].map((member) => member.group);
  }

  get servers(): readonly ServerStatus[] {
    return this.connections.map(statusOf);
  }

  get connections(): readonly ServerConnection[] {
    return [...this.#members.values()].map((member) => member.connection);
  }

  connection(server: string): ServerConnection | undefined {
    return this.#members.get(server)?.connection;
  }

  async ready({ within: limit, signal }: ReadyOptions = {}): Promise<readonly string[]> {
    signal?.throwIfAborted();
    const missing = this.connections.filter(({ listing }) => listing === undefined);
    const starting = missing.map((connection) => this.#background.of(connection));
    const all = raceAbort(Promise.all(starting), signal);
    await (limit === undefined ? all : within(limit, all));
    return missing
      .filter(({ state }) => state.kind === 'connecting' || state.kind === 'idle')
      .map(({ name }) => name);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  update(config: PoolConfig): Promise<void> {
    return this.#inOrder(() => this.#update(config));
  }

  session(): ServerSession {
    const session = new PoolSession(
      this,
      (name) => {
        const member = this.#members.get(name);
        const { entry } = member?.connection ?? {};
        if (!member || entry?.kind === 'unusable' || entry?.lifecycle?.perSession !== true) return;
        return {
          isTrusted: member.isTrusted,
          connect: (onChange) =>
            this.#connect(
              name,
              entry,
              member.connection.manifest,
              this.#requestsOf(name, entry),
              onChange,
            ),
        };
      },
      () => this.#sessions.delete(session),
    );
    this.#sessions.add(session);
    return session;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      ...[...this.#sessions].map((session) => session.close()),
      ...this.connections.map((connection) => connection.close()),
      ...this.#ending,
    ]);
    await Promise.all(this.#saving);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #update({ servers, settings }: PoolConfig): Promise<void> {
    this.#settings = settings;
    const isTrusted = (name: string): boolean =>
      ownProperty(ownProperty(settings?.servers, name), 'trusted') === true;
    const next = new Map<string, Member>();
    const created = [...servers].map(async ([name, entry]) => {
      const kept = this.#members.get(name);
      if (kept && isSameEntry(kept.connection.entry, entry)) return kept;
      const requests = this.#requestsOf(name, entry);
      const manifest = await this.#load(name, entry, requests.capabilities);
      return new Member(this.#connect(name, entry, manifest, requests), isTrusted(name));
    });
    for (const member of await Promise.all(created)) {
      member.isTrusted = isTrusted(member.connection.name);
      next.set(member.connection.name, member);
    }
    const before = this.#members;
    this.#members = next;
    for (const [name, member] of before) {
      if (next.get(name) !== member) this.#end(member.connection);
    }
    const isChanged = [...next.values()].map((member) => member.refresh()).includes(true);
    const isReplaced = [...next.keys(), ...before.keys()].some(
      (name) => next.get(name) !== before.get(name),
    );
    if (isChanged || isReplaced) this.#listeners.call();
    if (this.#isClosed) await this.close();
    else await this.#startMissing();
  }

  async #startMissing(): Promise<void> {
    const { starts = 'due' } = this.#options;
    if (starts === 'none') return;
    const now = Date.now();
    const missing = this.connections.filter(({ entry, manifest, state }) => {
      if (entry.kind === 'unusable' || state.kind !== 'idle') return false;
      if (manifest === undefined) return true;
      return starts === 'due' && Math.abs(now - manifest.listedAt) > MAX_AGE;
    });
    if (missing.length === 0) return;
    // Without the SDK no server can start, which the host must know at once.
    await importSdk();
    for (const connection of missing) void this.#background.start(connection);
  }

  #connect(
    name: string,
    entry: ServerEntry,
    manifest: Manifest | undefined,
    requests: ServerRequests,
    onChange: () => void = () => this.#refresh(name),
  ): ServerConnection {
    const { idleTime = IDLE_TIME, timeout, logins, onEvent = () => {} } = this.#options;
    const { capabilities } = requests;
    const connection = new ServerConnection(name, entry, manifest, {
      isTrusted: () => this.#members.get(name)?.isTrusted === true,
      idleTime,
      startTimeout: timeout,
      requests,
      onEvent,
      onChange,
      ...(logins !== false &&
        canLogIn(entry) && {
          authProvider: async () => authProviderFor(name, entry, logins),
          loginNeeded: (error) => loginNeeded(name, error),
        }),
      onListed: (listed) => this.#save(name, entry, listed, capabilities),
    });
    if (this.#isClosed) this.#end(connection);
    return connection;
  }

  #requestsOf(name: string, entry: ServerEntry): ServerRequests {
    return new ServerRequests({
      server: name,
      secrets: entry.kind === 'unusable' ? [] : entry.secrets,
      host: this.#options.requests ?? {},
      sampling: () => this.#settings?.servers?.[name]?.sampling ?? false,
      onWarning: (text) => this.#warn(name, text),
    });
  }

  async #load(
    name: string,
    entry: ServerEntry,
    capabilities: object,
  ): Promise<Manifest | undefined> {
    try {
      return await this.#store?.load(name, entry, capabilities);
    } catch (error) {
      this.#warn(name, `its cached tool list is not used: ${errorMessage(error)}`);
      return;
    }
  }

  #save(name: string, entry: ServerEntry, listed: Manifest, capabilities: object): void {
    const writing = this.#write(name, entry, listed, capabilities);
    const saving = writing.finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  async #write(
    name: string,
    entry: ServerEntry,
    manifest: Manifest,
    capabilities: object,
  ): Promise<void> {
    try {
      await this.#store?.save(name, entry, manifest, capabilities);
    } catch (error) {
      this.#warn(name, `its tool list cannot be cached: ${errorMessage(error)}`);
    }
  }

  #refresh(name: string): void {
    if (this.#members.get(name)?.refresh() === true) this.#listeners.call();
  }

  #end(connection: ServerConnection): void {
    const ending = connection.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #warn(server: string, text: string): void {
    this.#options.onEvent?.({ kind: 'warning', server, text });
  }
}
