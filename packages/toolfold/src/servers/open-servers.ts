import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from '@toolfold/config/internal/files';
import { formatCount, formatNumber, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import type { ServerEntry, ToolfoldConfig } from '@toolfold/mcp/internal/config';
import { createServerPool, type PoolOptions, type ServerPool } from '@toolfold/mcp/internal/pool';
import {
  type ManifestStore,
  manifestFiles,
  manifestKey,
  type PoolEvent,
  type ServerStatus,
} from '@toolfold/mcp/internal/server';
import type { Failure } from '@toolfold/mcp/internal/transport';
import { type CommandContext, type Terminal, timeLeft } from '../terminal/index.ts';
import { useProxies } from './network.ts';

/** Milliseconds that a turn or a call waits for servers whose tools are not known yet. */
export const PATIENCE = 2000;

/** A pool whose servers start when needed, and the names of those whose tools are not known yet. */
export interface OpenedServers {
  readonly pool: ServerPool;
  readonly missing: readonly string[];
  readonly close: () => Promise<void>;
}

/** How the servers of a command start, besides the options of the pool. */
interface OpenServersOptions extends Pick<PoolOptions, 'starts' | 'timeout' | 'requests'> {
  /** Do not use the lists of earlier runs. */
  readonly refresh?: boolean;
  /** Neither lists nor logins are read or kept. */
  readonly isAdHoc?: boolean;
  /** Milliseconds to wait for servers whose tools are not known yet. */
  readonly patience: number;
  readonly verbose?: boolean | undefined;
  /** Gets what happens, also while the command waits. */
  readonly onEvent?: (event: PoolEvent, isWaiting: boolean) => void;
}

/**
 * Opens a pool with the lists of earlier runs, and waits within the time limit for the servers that
 * start. Shows the progress on the terminal.
 */
export async function openServers(
  config: Pick<ToolfoldConfig, 'servers' | 'settings'>,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  {
    refresh,
    isAdHoc,
    patience,
    verbose = false,
    onEvent = () => {},
    ...options
  }: OpenServersOptions,
): Promise<OpenedServers> {
  useProxies(config.servers, terminal.note);
  const progress = progressOn(terminal, verbose);
  const files = manifestFiles({ onWarning: terminal.note });
  let isOpening = true;
  const pool = await createServerPool(config, {
    ...options,
    manifests: !isAdHoc && (refresh ? { ...files, load: async () => undefined } : files),
    ...(isAdHoc ? { logins: false } : {}),
    onEvent: (event) => {
      onEvent(event, isOpening);
      if (isOpening && event.kind === 'state') progress.update(event.status);
    },
  });
  try {
    const missing = await pool.ready({ within: options.starts === 'none' ? 0 : patience, signal });
    return { pool, missing, close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  } finally {
    isOpening = false;
    progress.end();
  }
}

/**
 * Shows the progress of starting servers: one line that is overwritten on a terminal, or with
 * `isVerbose` a line per change.
 */
export function progressOn(
  terminal: Terminal,
  isVerbose: boolean,
): { readonly update: (status: ServerStatus) => void; readonly end: () => void } {
  const waiting = new Set<string>();
  let settled = 0;
  return {
    update: ({ name, state, tools, ms, reason }) => {
      if (state === 'connecting') waiting.add(name);
      else if (waiting.delete(name)) settled += 1;
      if (state === 'closed' || state === 'idle') return;
      if (isVerbose) {
        const result =
          state === 'ready' ? `, ${formatCount(tools, 'tool')}` : reason ? `: ${reason}` : '';
        terminal.note(`${name}: ${state}${result}${ms > 0 ? ` (${formatNumber(ms)} ms)` : ''}`);
      } else if (terminal.isInteractive) {
        const done = `${settled} of ${formatCount(settled + waiting.size, 'server')} done`;
        const names = [...waiting].join(', ');
        terminal.overwrite(names === '' ? done : `${done}; waiting for ${names}`);
      }
    },
    end: () => {
      if (terminal.isInteractive && !isVerbose) terminal.overwrite('');
    },
  };
}

/** Seconds for the servers that a command names to start and list their tools. An entry may say otherwise. */
const START_TIME = 30;

/** Which servers a command needs, and how long it waits for them. */
export interface ListedOptions
  extends Pick<OpenServersOptions, 'refresh' | 'verbose' | 'requests'> {
  /** Only these servers. They are started even if they have failed a moment ago. */
  readonly named?: readonly string[] | undefined;
  /** Seconds from the start of the command. Default: 30 for named servers and with `refresh`. */
  readonly timeout?: number | undefined;
  /** Which servers start by themselves. Default: those without a list. */
  readonly starts?: 'missing' | 'none';
  /** The servers are given on the command line: neither their lists nor logins are read or kept. */
  readonly isAdHoc?: boolean;
}

/** The servers of a command, and the seconds that those without a list had. */
export interface ListedServers extends OpenedServers, AsyncDisposable {
  readonly waited: number;
}

/**
 * Opens the servers of a command with their lists of earlier runs. Those without a list start side by side,
 * and get two seconds if the command names none of them and no time.
 */
export async function openListed(
  config: ToolfoldConfig,
  context: CommandContext,
  { named, timeout, starts = 'missing', isAdHoc = false, ...options }: ListedOptions,
): Promise<ListedServers> {
  const { refresh = false } = options;
  const isTried = named !== undefined || refresh;
  const waited = timeout ?? (isTried ? START_TIME : PATIENCE / 1000);
  const isOpened = (name: string): boolean => named?.includes(name) !== false;
  const servers = new Map([...config.servers].filter(([name]) => isOpened(name)));
  const failures = new RecentFailures(servers);
  const usable = isTried ? servers : await failures.marked(manifestFiles(), waited * 1000);
  const { pool, missing } = await openServers({ ...config, servers: usable }, context, {
    ...{ ...options, starts, isAdHoc, timeout: START_TIME * 1000 },
    patience: isTried || timeout ? timeLeft(waited, context) : PATIENCE,
    onEvent: (event) => isAdHoc || failures.observe(event),
  });
  // Others did not get their turn to start.
  const late = missing.filter((name) => pool.connection(name)?.state.kind === 'connecting');
  if (!isAdHoc) for (const name of late) failures.keepLate(name, waited * 1000);
  const close = async (): Promise<void> => {
    await pool.close();
    await failures.kept();
  };
  return { pool, missing, waited, close, [Symbol.asyncDispose]: close };
}

/** Milliseconds for which a failure is kept. */
const KEPT_FOR = 60_000;

type Servers = ReadonlyMap<string, ServerEntry>;

/** Why a server could not be used a moment ago. Texts without secrets. */
interface KeptFailure extends Failure {
  /** Milliseconds after which it was not ready yet, if nothing else is known. */
  readonly waited?: number;
}

/** The failures of the last minute: commands that need only lists do not start these servers again. */
class RecentFailures {
  readonly #servers: Servers;
  /** What is being kept, one after the other: the last thing that is known of a server wins. */
  #saved: Promise<void> = Promise.resolve();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /**
   * The servers; those without a list that have failed a moment ago as entries that cannot be used. A
   * server that was only not ready counts if it had at least `patience` milliseconds.
   */
  async marked({ load }: Pick<ManifestStore, 'load'>, patience: number): Promise<Servers> {
    const rows = [...this.#servers].map(async ([name, entry]) => {
      const kept = await failureOf(name, entry);
      if (kept === undefined || (kept.waited ?? patience) < patience) return [name, entry] as const;
      if ((await load(name, entry)) !== undefined) return [name, entry] as const;
      const remedy = `${kept.remedy} toolfold list ${name} tries again.`;
      return [name, { kind: 'unusable', reason: kept.reason, remedy }] as const;
    });
    return new Map(await Promise.all(rows));
  }

  observe(event: PoolEvent): void {
    if (event.kind !== 'state' || event.from.kind !== 'connecting') return;
    if (event.to.kind === 'failed') this.#save(event.server, event.to);
    if (event.to.kind === 'ready') this.#save(event.server, undefined);
  }

  /** Keeps that a server was not ready after this time. */
  keepLate(server: string, milliseconds: number): void {
    const reason = `it was not ready after ${(milliseconds / 1000).toLocaleString('en-US')} s`;
    const remedy = 'Set a longer time with --timeout.';
    this.#save(server, { reason, remedy, waited: milliseconds });
  }

  kept(): Promise<void> {
    return this.#saved;
  }

  #save(server: string, failure: KeptFailure | undefined): void {
    const entry = this.#servers.get(server);
    const file = entry && fileOf(server, entry);
    if (entry === undefined || file === undefined) return;
    const salt = randomUUID();
    const kept = failure && { ...failure, at: Date.now(), salt, hash: hashOf(entry, salt) };
    const save = async (): Promise<void> => {
      await (kept ? writePrivate(file, JSON.stringify(kept)) : removePrivate(file));
    };
    // What is not kept is tried again by the next command.
    this.#saved = this.#saved.then(save).catch(() => {});
  }
}

async function failureOf(server: string, entry: ServerEntry): Promise<KeptFailure | undefined> {
  const file = fileOf(server, entry);
  const kept = file && parsedJson((await readPrivate(file).catch(() => undefined)) ?? '');
  const [at, waited] = ['at', 'waited'].map((name) => ownProperty(kept, name));
  const [reason, remedy, salt] = ['reason', 'remedy', 'salt'].map((key) => ownProperty(kept, key));
  if (typeof at !== 'number' || Math.abs(Date.now() - at) > KEPT_FOR) return;
  if (ownProperty(kept, 'hash') !== hashOf(entry, String(salt))) return;
  if (typeof reason !== 'string' || typeof remedy !== 'string') return;
  return { reason, remedy, ...(typeof waited === 'number' ? { waited } : {}) };
}

function fileOf(server: string, entry: ServerEntry): string | undefined {
  const key = manifestKey(server, entry);
  return key && join(userFolder('cache'), 'failures', `${key}.json`);
}

/** Changes with what starts the server: its entry, secrets included, and the folders of programs. */
function hashOf(entry: ServerEntry, salt: string): string {
  const text = JSON.stringify([salt, process.env.PATH, entry], (key, value) => {
    if (key === 'callTimeout' || key === 'maxCallTime' || key === 'toolTimeouts') return;
    return value instanceof Map ? [...value] : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}
