import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool';
import {
  type InOrder,
  ownProperty,
  queueOfWork,
  raceAbort,
  within,
} from '@toolfold/core/internal/values';
import type { ServerEntry, ToolfoldConfig } from '../config/index.ts';
import { authProviderFor, canLogIn, loginNeeded } from '../login/index.ts';
import { ServerRequests } from '../requests/index.ts';
import { importSdk } from '../sdk.ts';
import {
  type Manifest,
  type ManifestStore,
  manifestFiles,
  ServerConnection,
  type ServerStatus,
  Slots,
  statusOf,
} from '../server/index.ts';
import type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
import { Listeners, Member, PendingWork, poolSession } from './members.ts';
import { checkConfig, checkPool, POOL_OPTIONS } from './pool-options.ts';

/** Milliseconds without a call after which a server is stopped. */
const IDLE_TIME = 600_000;

/** Milliseconds in which the calls of a server that was changed or removed can end. */
const RETIRING = 600_000;

/** Age in milliseconds at which a list of tools is read again in the background. */
const MAX_AGE = 24 * 3_600_000;

const AT_ONCE = 8;
/** Milliseconds after which a server that is still starting does not count any more. */
const COUNTS_FOR = 500;

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
  checkPool('createServerPool()', options, POOL_OPTIONS);
  checkConfig(config);
  const pool = new Pool(options);
  await pool.update(config);
  return pool;
}

/** A pool without servers at first. A host may take single functions of it, which need no `this`. */
export class Pool implements ServerPool {
  readonly #options: PoolOptions;
  readonly #store: ManifestStore | undefined;
  readonly #listeners = new Listeners();
  readonly #background = new Background();
  readonly #sessions = new Set<ServerSession>();
  #members: ReadonlyMap<string, Member> = new Map();
  readonly #ending = new PendingWork();
  /** Those whose calls still run, with what ends the waiting for them. */
  readonly #retiring = new Map<ServerConnection, () => void>();
  #settings: PoolConfig['settings'];
  readonly #saving = new PendingWork();
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

  readonly connection = (server: string): ServerConnection | undefined =>
    this.#members.get(server)?.connection;

  readonly ready = async ({
    within: limit,
    signal,
  }: ReadyOptions = {}): Promise<readonly string[]> => {
    signal?.throwIfAborted();
    const missing = this.connections.filter(({ listing }) => listing === undefined);
    const starting = missing.map((connection) => this.#background.of(connection));
    const all = raceAbort(Promise.all(starting), signal);
    await (limit === undefined ? all : within(limit, all));
    return missing
      .filter(({ state }) => state.kind === 'connecting' || state.kind === 'idle')
      .map(({ name }) => name);
  };

  readonly onChange = (listener: () => void): (() => void) => this.#listeners.add(listener);

  readonly update = (config: PoolConfig): Promise<void> =>
    this.#inOrder(() => this.#update(config));

  readonly session = (): ServerSession => {
    const session = poolSession(
      this,
      (name) => {
        const member = this.#members.get(name);
        const { entry } = member?.connection ?? {};
        if (!member || entry?.kind === 'unusable' || entry?.lifecycle?.perSession !== true) return;
        return {
          isTrusted: member.isTrusted,
          connect: (onChange) => this.#connect(name, entry, member.connection.manifest, onChange),
        };
      },
      () => this.#sessions.delete(session),
    );
    this.#sessions.add(session);
    return session;
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    for (const end of this.#retiring.values()) end();
    await Promise.all([
      ...[...this.#sessions].map((session) => session.close()),
      ...this.connections.map((connection) => connection.close()),
      this.#ending.end(),
    ]);
    await this.#saving.end();
  };

  readonly [Symbol.asyncDispose]: () => Promise<void> = this.close;

  async #update(config: PoolConfig): Promise<void> {
    checkConfig(config);
    const { servers, settings } = config;
    this.#settings = settings;
    const isTrusted = (name: string): boolean =>
      ownProperty(ownProperty(settings?.servers, name), 'trusted') === true;
    const next = new Map<string, Member>();
    const created = [...servers].map(async ([name, entry]) => {
      const kept = this.#members.get(name);
      if (kept && isSameEntry(kept.connection.entry, entry)) return kept;
      const { capabilities } = this.#requestsOf(name, entry);
      const manifest = await this.#kept(name, 'its cached tool list is not used', (store) =>
        store.load(name, entry, capabilities),
      );
      return new Member(this.#connect(name, entry, manifest), isTrusted(name));
    });
    for (const member of await Promise.all(created)) {
      member.isTrusted = isTrusted(member.connection.name);
      next.set(member.connection.name, member);
    }
    const before = this.#members;
    this.#members = next;
    for (const [name, member] of before) {
      if (next.get(name) !== member) this.#ending.add(this.#retire(member.connection));
    }
    const isChanged = [...next.values()].map((member) => member.refresh()).includes(true);
    const isReplaced = [...next.keys(), ...before.keys()].some(
      (name) => next.get(name) !== before.get(name),
    );
    if (isChanged || isReplaced) this.#listeners.call();
    if (this.#isClosed) await this.close();
    else await this.#startMissing();
  }

  /** Ends a connection that another one replaces, once its calls have ended. */
  async #retire(connection: ServerConnection): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#retiring.set(connection, resolve);
    if (connection.calls > 0) await within(RETIRING, promise);
    this.#retiring.delete(connection);
    await connection.close();
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
    onChange: () => void = () => this.#refresh(name),
  ): ServerConnection {
    const { idleTime = IDLE_TIME, timeout, logins, onEvent = () => {} } = this.#options;
    const requests = this.#requestsOf(name, entry);
    const { capabilities } = requests;
    const connection = new ServerConnection(name, entry, manifest, {
      isTrusted: () => this.#members.get(name)?.isTrusted === true,
      idleTime,
      startTimeout: timeout,
      requests,
      onEvent,
      onChange,
      onIdle: () => this.#retiring.get(connection)?.(),
      ...(logins !== false &&
        canLogIn(entry) && {
          authProvider: async () => authProviderFor(name, entry, logins),
          loginNeeded: (error) => loginNeeded(name, error),
        }),
      onListed: (listed) =>
        this.#saving.add(
          this.#kept(name, 'its tool list cannot be cached', (store) =>
            store.save(name, entry, listed, capabilities),
          ),
        ),
    });
    if (this.#isClosed) this.#ending.add(connection.close());
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

  /** The result of the store. A store of the host may fail. */
  async #kept<T>(
    server: string,
    problem: string,
    ask: (store: ManifestStore) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return this.#store && (await ask(this.#store));
    } catch (error) {
      this.#warn(server, `${problem}: ${errorMessage(error)}`);
      return;
    }
  }

  #refresh(name: string): void {
    if (this.#members.get(name)?.refresh() === true) this.#listeners.call();
  }

  #warn(server: string, text: string): void {
    this.#options.onEvent?.({ kind: 'warning', server, text });
  }
}

function isSameEntry(one: ServerEntry, other: ServerEntry): boolean {
  const isOfHost = one.kind === 'transport' || other.kind === 'transport';
  return one === other || (!isOfHost && isDeepStrictEqual(one, other));
}

/** Starts servers in the background, a few at once. A server that hangs does not hold up the others. */
class Background {
  readonly #slots = new Slots(AT_ONCE);
  readonly #starting = new Map<ServerConnection, Promise<void>>();

  /** Starts a server. Callers share one attempt. Rejects only with `missing-dependency`. */
  start(connection: ServerConnection): Promise<void> {
    const known = this.#starting.get(connection);
    if (known) return known;
    const starting = this.#start(connection).finally(() => this.#starting.delete(connection));
    this.#starting.set(connection, starting);
    // Whoever waits gets the error. Without anybody it must not end the process.
    starting.catch(() => {});
    return starting;
  }

  /** The attempt that is under way, if any. */
  of(connection: ServerConnection): Promise<void> | undefined {
    return this.#starting.get(connection);
  }

  async #start(connection: ServerConnection): Promise<void> {
    const giveBack = await this.#slots.take();
    const started = connection.start().then(() => {});
    try {
      await within(COUNTS_FOR, started);
    } finally {
      giveBack();
    }
    await started;
  }
}
