import { errorMessage } from '../errors.ts';
import type { DeferredToolGroup } from '../tools/tool/index.ts';
import { own } from '../tools/values/index.ts';
import type { ToolfoldConfig } from './config/index.ts';
import {
  type ConnectOptions,
  connectServer,
  type ServerConnection,
  type ServerListing,
  type SettledState,
} from './connection/index.ts';
import { type CallTool, toGroup, toUnavailableGroup } from './group.ts';
import { redact } from './secrets/index.ts';
import { type Failure, importSdk } from './transport/index.ts';

/** Status of one server, as a row for display. */
export interface ServerStatus {
  readonly name: string;
  readonly state: 'connecting' | 'ready' | 'failed';
  /** Why the server failed. */
  readonly reason?: string;
  /** What to do about it, in one line. */
  readonly remedy?: string;
  /** Problems of a ready server, as texts for people. */
  readonly warnings?: readonly string[];
  /** Tool names that the server lists more than once. */
  readonly duplicates?: readonly string[];
  readonly tools: number;
  /** Milliseconds until the state was known. */
  readonly ms: number;
}

export interface ConnectServersOptions extends ConnectOptions {
  /** Called when each server starts to connect, and again when it is ready or has failed. */
  readonly onProgress?: (status: ServerStatus) => void;
}

/** The servers of a configuration. Each is ready or has failed. */
export interface ConnectedServers {
  /** In the order of the configuration. */
  readonly servers: readonly ServerStatus[];
  readonly connections: readonly ServerConnection[];
  /** One group per server, failed ones marked unavailable. */
  readonly groups: readonly DeferredToolGroup[];
  /** Ends all connections and processes. Resolves when they have ended. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to all servers in parallel. A failed server becomes a failed row and an unavailable group.
 * Throws `missing-dependency` without the SDK, and the signal's reason when the signal aborts. Nothing
 * is left running then.
 */
export async function connectServers(
  config: Pick<ToolfoldConfig, 'servers' | 'settings'>,
  options: ConnectServersOptions = {},
): Promise<ConnectedServers> {
  options.signal?.throwIfAborted();
  if (config.servers.size > 0) await importSdk();
  const connections: ServerConnection[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(connections.map((connection) => connection.close()));
  };
  try {
    const rows = await Promise.all(
      [...config.servers].map(async ([name, entry]) => {
        const started = performance.now();
        options.onProgress?.({ name, state: 'connecting', tools: 0, ms: 0 });
        const connection = connectServer(name, entry, options);
        connections.push(connection);
        const settled = await connection.settled;
        const trusted = own(own(config.settings?.servers, name), 'trusted') === true;
        const { state, group } = groupOf(connection, settled, trusted);
        const status = toStatus(name, state, performance.now() - started);
        options.onProgress?.(status);
        return { status, group };
      }),
    );
    options.signal?.throwIfAborted();
    return {
      servers: rows.map((row) => row.status),
      connections,
      groups: rows.map((row) => row.group),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server's group. If its list cannot become a group, only this server fails. */
function groupOf(
  connection: ServerConnection,
  state: SettledState,
  trusted: boolean,
): { readonly state: SettledState; readonly group: DeferredToolGroup } {
  if (state.kind === 'failed') return { state, group: toUnavailableGroup(connection.name, state) };
  const callTool: CallTool = (name, input, options) => connection.callTool(name, input, options);
  try {
    return { state, group: toGroup(connection.name, state.listing, { callTool, trusted }) };
  } catch (error) {
    const secrets = connection.entry.kind === 'unusable' ? [] : connection.entry.secrets;
    const failed = {
      kind: 'failed',
      reason: `its list of tools cannot be used (${redact(errorMessage(error), secrets)})`,
      remedy: 'Report it to the maker of the server, or remove its entry.',
    } as const;
    return { state: failed, group: toUnavailableGroup(connection.name, failed) };
  }
}

function toStatus(name: string, state: SettledState, ms: number): ServerStatus {
  return state.kind === 'ready'
    ? readyStatus(name, state.listing, ms)
    : failedStatus(name, state, ms);
}

/** The row of a server whose tools were listed. */
export function readyStatus(name: string, listing: ServerListing, ms: number): ServerStatus {
  const { tools, warnings, duplicates } = listing;
  return {
    name,
    state: 'ready',
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(duplicates.length > 0 ? { duplicates } : {}),
    tools: tools.length,
    ms: Math.round(ms),
  };
}

/** The row of a server that cannot be used. */
export function failedStatus(name: string, failure: Failure, ms: number): ServerStatus {
  const { reason, remedy } = failure;
  return { name, state: 'failed', reason, remedy, tools: 0, ms: Math.round(ms) };
}
