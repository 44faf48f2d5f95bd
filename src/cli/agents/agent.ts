import type { LanguageModel } from 'ai';
import {
  type Agent,
  type AgentFold,
  type AgentOptions,
  categoriesWith,
  createAgent,
} from '../../agent/index.ts';
import type { AgentFlags } from './flags/index.ts';
import type { AgentSetUp } from './set-up.ts';
import type { AgentTeam } from './subagents.ts';

/** The parts of an agent, besides what flags and configuration decide. */
export interface AgentParts
  extends Pick<AgentOptions, 'session' | 'onUnknown' | 'elicitation' | 'onWarning'> {
  readonly model: LanguageModel;
  readonly fold: AgentFold;
  readonly team: AgentTeam | undefined;
  /** Asks the user for approvals. */
  readonly ask: NonNullable<AgentOptions['approvals']>['ask'];
  /** Saves an approval for good. */
  readonly onAlways: (name: string) => void;
}

/** Creates the agent. Throws as `createAgent` does. */
export function agentOf(
  { settings, roles, models }: AgentSetUp,
  flags: AgentFlags,
  { team, ask, onAlways, ...parts }: AgentParts,
): Agent {
  const { approvals = {}, categories = {}, routing, maxRounds } = settings;
  return createAgent({
    ...parts,
    ...{ roles, models },
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
