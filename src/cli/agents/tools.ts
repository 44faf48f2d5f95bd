import type { LanguageModel, ToolSet } from 'ai';
import { createFold, type Fold } from '../../ai-sdk/index.ts';
import type { PoolEvent, PoolOptions, ServerPool, ToolfoldConfig } from '../../mcp/index.ts';
import { RESULT_LENGTH } from '../../tools/tokens/index.ts';
import { openServers } from '../servers/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import type { AgentFlags } from './flags/index.ts';
import { searchWithVectors } from './search.ts';
import type { AgentSetUp } from './set-up.ts';
import { type AgentTeam, loadSubagents } from './subagents.ts';

/** Milliseconds that a turn waits for servers whose tools are not known yet. */
const PATIENCE = 2000;

/** The servers of an agent. */
export interface AgentServers {
  readonly pool: ServerPool;
  /** The names of those whose tools are not known yet. */
  readonly missing: readonly string[];
}

/** How the servers of an agent are opened. */
export interface AgentServerOptions {
  /** Gets what happens after the waiting. */
  readonly onEvent: (event: PoolEvent) => void;
  /** What servers may ask for. */
  readonly requests: NonNullable<PoolOptions['requests']>;
  /** Milliseconds to wait for servers whose tools are not known yet. */
  readonly patience?: number;
}

/** Opens the servers that the role of the flags may use. */
export function openAgentServers(
  { config, settings, roles }: AgentSetUp,
  { role: name }: AgentFlags,
  context: Pick<CommandContext, 'terminal' | 'signal'>,
  { patience = PATIENCE, ...options }: AgentServerOptions,
): Promise<AgentServers> {
  const role = name === undefined ? undefined : roles[name];
  const hasTools = role?.tools !== false && role?.tools?.length !== 0;
  const none: ToolfoldConfig = { file: '', servers: new Map(), disabled: [], settings };
  return openServers(hasTools ? (config ?? none) : none, context, { patience, ...options });
}

/** The tools of the servers and those of subagents. */
export function foldOf(
  { settings, roles }: AgentSetUp,
  { strategy }: AgentFlags,
  { pool, team }: { readonly pool: ServerPool; readonly team: AgentTeam | undefined },
): Fold<ToolSet> {
  return createFold({
    tools: team?.subagents.tools ?? {},
    groups: pool,
    roles,
    strategy: strategy ?? settings.strategy,
    exposure: settings.exposure,
    catalog: settings.catalog,
    maxResultLength: settings.maxResultLength ?? RESULT_LENGTH,
    search: searchWithVectors,
  });
}

/** The subagents of an agent with this model. Undefined if it has none. Rejects as `loadSubagents` does. */
export function teamOf(
  { settings, roles, models, load }: AgentSetUp,
  { subagents: flag }: AgentFlags,
  model: LanguageModel,
): Promise<AgentTeam | undefined> {
  return loadSubagents({ flag, settings: settings.subagents, roles, model, models, load });
}
