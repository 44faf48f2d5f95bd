import type { McpServer } from '@agentclientprotocol/sdk';
import { type AgentSetUp, openAgentServers } from '../../app/agents/index.ts';
import type { Terminal } from '../../app/terminal/index.ts';
import type { ServerPool } from '../../mcp/index.ts';
import { withClientServers } from './client-servers.ts';

/** What the servers of a session need besides its settings. */
export interface SessionServerOptions {
  /** The folder of the session, in which they start. */
  readonly folder: string;
  /** Those that the editor gives. */
  readonly given: readonly McpServer[];
  /** What they may ask of the user. */
  readonly elicitation: 'form' | 'url' | undefined;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Gets a line about what is wrong, or was changed. */
  readonly remark: (line: string) => void;
}

/** Opens the servers of the configuration and those that the editor gives. Rejects when the signal aborts. */
export async function openSessionServers(
  set: AgentSetUp,
  { folder, given, elicitation, terminal, signal, remark }: SessionServerOptions,
): Promise<ServerPool> {
  const { servers, remarks } = withClientServers(set.config?.servers ?? new Map(), given, folder);
  const config = {
    ...{ file: '', disabled: [], settings: set.settings },
    ...set.config,
    servers,
  };
  for (const line of remarks) remark(line);
  // A session can change its role, so the servers of all roles are opened.
  const { pool, missing } = await openAgentServers(
    { ...set, config },
    {},
    { terminal, signal },
    { note: remark, folder, elicitation, areLogsShown: true },
  );
  for (const name of missing) remark(`${name} is still starting.`);
  return pool;
}
