import type { LanguageModel } from 'ai';
import { type Agent, type AgentOptions, categoriesWith, createAgent } from '../../agent/index.ts';
import type { ServerPool } from '../../mcp/index.ts';
import type { AgentFlags } from './flags/index.ts';
import type { AgentSetUp } from './set-up.ts';
import type { AgentTeam } from './subagents.ts';
import { foldOf } from './tools.ts';

/** The parts of an agent, besides what flags and configuration decide. */
export interface AgentParts
  extends Pick<AgentOptions, 'session' | 'onUnknown' | 'elicitation' | 'onWarning'> {
  readonly model: LanguageModel;
  readonly pool: ServerPool;
  readonly team: AgentTeam | undefined;
  /** Asks the user for approvals. */
  readonly ask: NonNullable<AgentOptions['approvals']>['ask'];
  /** Saves an approval for good. Left out where no question offers that. */
  readonly onAlways?: ((name: string) => void) | undefined;
}

/** Creates the agent. Throws as `createAgent` does. */
export function agentOf(
  set: AgentSetUp,
  flags: AgentFlags,
  { pool, team, ask, onAlways, ...parts }: AgentParts,
): Agent {
  const { settings, roles, models } = set;
  const { approvals = {}, categories = {}, routing, maxRounds } = settings;
  return createAgent({
    ...parts,
    ...{ roles, models, fold: foldOf(set, flags, { pool, team, onWarning: parts.onWarning }) },
    role: flags.role,
    categories: categoriesWith(categories),
    routing: flags.routing ?? routing,
    maxRounds: flags.maxRounds ?? maxRounds,
    subagents: team?.subagents,
    approvals: { mode: approvals.mode, allow: allowed(settings, flags), ask, onAlways },
  });
}

/** The globs of the tools that run without a question. */
export function allowed(
  { approvals = {} }: AgentSetUp['settings'],
  { allow = [] }: AgentFlags,
): readonly string[] {
  return [...(approvals.allow ?? []), ...allow];
}
