import { manifestFiles, type ToolfoldConfig } from '@toolfold/mcp/internal/mcp';
import { type CommandContext, timeLeft } from '../terminal/index.ts';
import { type OpenedServers, type OpenOptions, openServers, PATIENCE } from './open-servers.ts';
import { RecentFailures } from './recent-failures.ts';

/** Seconds for the servers that a command names to start and list their tools. An entry may say otherwise. */
const START_TIME = 30;

/** Which servers a command needs, and how long it waits for them. */
export interface ListedOptions extends Pick<OpenOptions, 'refresh' | 'verbose' | 'requests'> {
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
