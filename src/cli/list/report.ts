import type { ServerStatus } from '../../mcp/index.ts';
import type { Selection } from './filter.ts';

/** A server's row. `disabled`: the configuration says that it is not used. */
export interface ListedServer extends Omit<ServerStatus, 'state' | 'tools' | 'ms'> {
  readonly state: ServerStatus['state'] | 'disabled';
  readonly tools?: number;
  readonly ms?: number;
}

/** A tool's row. */
export interface ListedTool {
  /** The canonical name. */
  readonly name: string;
  readonly server: string;
  /** The name that the server uses. */
  readonly tool: string;
  readonly description: string;
  /** Why models may not see it. */
  readonly hidden?: string;
}

/** The output of `toolfold list --json`. */
export interface ListReport {
  /** The file that lists the servers. */
  readonly source: string;
  readonly servers: readonly ListedServer[];
  /** Absent if only the servers were asked for. */
  readonly tools?: readonly ListedTool[];
}

export interface ListReportInputs {
  readonly source: string;
  readonly servers: readonly ServerStatus[];
  readonly disabled: readonly string[];
  /** Seconds that servers had to start. */
  readonly timeout: number;
  readonly selection?: Selection;
}

/** Combines the rows of servers and tools. */
export function listReport(inputs: ListReportInputs): ListReport {
  const { source, servers, disabled, timeout, selection } = inputs;
  return {
    source,
    servers: [
      ...servers.map((server) => row(server, timeout)),
      ...disabled.map((name): ListedServer => ({ name, state: 'disabled' })),
    ],
    ...(selection && {
      tools: selection.tools.map(
        ({ name, server, bare, description, hidden }): ListedTool => ({
          ...{ name, server, tool: bare, description },
          ...(hidden === undefined ? {} : { hidden }),
        }),
      ),
    }),
  };
}

/** What is not known after the time limit has a reason. */
function row(server: ServerStatus, timeout: number): ListedServer {
  const { state, listedAt } = server;
  const isLate = listedAt === undefined && (state === 'connecting' || state === 'idle');
  if (!isLate) return server;
  const reason = `it is not ready after ${timeout.toLocaleString('en-US')} s`;
  return { ...server, state: 'connecting', reason, remedy: 'Set a longer time with --timeout.' };
}
