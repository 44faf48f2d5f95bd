import type { DeferredToolGroup } from '@toolfold/core/internal/tool';
import type { ToolfoldConfig } from '../config/index.ts';
import type { AuthProviderOptions } from '../login/index.ts';
import type { RequestOptions } from '../requests/index.ts';
import type { ManifestStore, PoolEvent, ServerConnection, ServerStatus } from '../server/index.ts';

/** Options of `createServerPool`. */
export interface PoolOptions {
  /**
   * Where lists of tools are kept between runs. Default: files in the user's cache folder. `false`:
   * nowhere, so that every server is started in the background to list its tools.
   */
  readonly manifests?: ManifestStore | false;
  /** Milliseconds without a call after which a server is stopped. Default: ten minutes. */
  readonly idleTime?: number;
  /** Milliseconds for a server to start and list its tools. Default: 30,000. */
  readonly timeout?: number;
  /** Where the logins of servers over HTTP are kept. Default: in the user's data folder. `false`: none is used. */
  readonly logins?: AuthProviderOptions | false;
  /** What this host can do for servers that ask. Default: nothing. */
  readonly requests?: RequestOptions;
  /**
   * Which servers start by themselves, in the background, to list their tools. `due` (the default):
   * those without a list, and those whose list is older than a day. `missing`: those without a list.
   * `none`: a server starts with its first call.
   */
  readonly starts?: 'due' | 'missing' | 'none';
  /** Called with every change. It must not throw. */
  readonly onEvent?: (event: PoolEvent) => void;
}

/** What `ready` waits for. */
export interface ReadyOptions {
  /** Milliseconds to wait at most. Default: no limit of its own. */
  readonly within?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The servers of a host, with one connection for each. */
export interface ServerPool {
  /** One group for each server, as it is known now. */
  readonly groups: readonly DeferredToolGroup[];
  /** In the order of the configuration. */
  readonly servers: readonly ServerStatus[];
  readonly connections: readonly ServerConnection[];
  connection(server: string): ServerConnection | undefined;
  /**
   * Waits until every server without a list of tools is ready or has failed. Returns the names of those
   * that are still starting when the time is over. Rejects with the signal's reason, and with
   * `missing-dependency` without the SDK.
   */
  ready(options?: ReadyOptions): Promise<readonly string[]>;
  /** Calls the listener when `groups` has changed. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
  /** Takes a new configuration. Servers whose entry did not change keep running. */
  update(config: Pick<ToolfoldConfig, 'servers' | 'settings'>): Promise<void>;
  /**
   * The servers for one of several sessions: those with `perSession` have connections of their own,
   * which end with the session. All others are shared.
   */
  session(): ServerSession;
  /** Ends all connections and processes. Resolves when they have ended, and the lists are kept. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The servers of one session. */
export interface ServerSession extends Pick<ServerPool, 'groups' | 'onChange' | 'connection'> {
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
