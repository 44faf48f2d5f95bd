import { signatureOf } from '@toolfold/core/internal/tools/schema';
import { ownProperty, pick } from '@toolfold/core/internal/tools/values';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools';
import type { ServerStatus } from '@toolfold/mcp/internal/mcp';
import type { Selection } from './filter.ts';

/** A server's row. `disabled`: the configuration says that it is not used. */
export interface ListedServer extends Omit<ServerStatus, 'state' | 'tools' | 'ms'> {
  readonly state: ServerStatus['state'] | 'disabled';
  readonly tools?: number;
  readonly ms?: number;
}

/** A tool's row. */
export interface ListedTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly hidden?: string;
  /** Its name with its arguments and their types, and what it returns. */
  readonly signature?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** The output of `toolfold list --json`. */
export interface ListReport {
  /** The file that lists the servers. */
  readonly source: string;
  readonly servers: readonly ListedServer[];
  /** Absent if only the servers were asked for. */
  readonly tools?: readonly ListedTool[];
}

export interface ListReportInputs extends Pick<ListReport, 'source'> {
  readonly servers: readonly ServerStatus[];
  readonly disabled: readonly string[];
  /** Seconds that servers had to start. */
  readonly timeout: number;
  readonly selection?: Selection | undefined;
  /** What is shown of each tool, besides its name and description. Default: `line`, nothing. */
  readonly detail?: 'line' | 'signature' | 'schema';
}

/** Combines the rows of servers and tools. */
export function listReport(inputs: ListReportInputs): ListReport {
  const { source, servers, disabled, timeout, selection, detail = 'line' } = inputs;
  return {
    source,
    servers: [
      ...servers.map((server) => row(server, timeout)),
      ...disabled.map((name): ListedServer => ({ name, state: 'disabled' })),
    ],
    ...(selection && { tools: selection.tools.map((tool) => toolRow(tool, detail)) }),
  };
}

function toolRow(tool: KnownTool, detail: ListReportInputs['detail']): ListedTool {
  const { name, server, bare, description, inputSchema, listed } = tool;
  const row = { name, server, tool: bare, description, ...pick(tool, 'hidden') };
  if (detail === 'line') return row;
  const outputSchema = ownProperty(listed, 'outputSchema');
  const returned = signatureOf(outputSchema);
  const returns = returned === '' ? '' : `: { ${returned} }`;
  const signature = `${name}(${signatureOf(inputSchema)})${returns}`;
  return { ...row, signature, ...(detail === 'schema' && { inputSchema, outputSchema }) };
}

/** What is not known after the time limit has a reason. */
function row(server: ServerStatus, timeout: number): ListedServer {
  const { state, listedAt } = server;
  const isLate = listedAt === undefined && (state === 'connecting' || state === 'idle');
  if (!isLate) return server;
  const reason = `it is not ready after ${timeout.toLocaleString('en-US')} s`;
  return { ...server, state: 'connecting', reason, remedy: 'Set a longer time with --timeout.' };
}
