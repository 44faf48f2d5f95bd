import type { ToolSet } from 'ai';
import { createFold, type FoldOptions } from '../ai-sdk/index.ts';
import { FOLD_OPTIONS } from '../ai-sdk/options/index.ts';
import { invalidOption } from '../errors.ts';
import { checkKnown, type KnownOptions } from '../tools/options/index.ts';
import { isRecord, own } from '../tools/values/index.ts';
import { checkAgentData, checkAgentOptions } from './agent-check.ts';
import type { AgentFold, AgentOptions, AgentToolOptions } from './options/index.ts';
import { emptyRoleWarning, rolesWith } from './roles/index.ts';
import { createSubagents, type SubagentOptions, type Subagents } from './subagents/tool/index.ts';

const AGENT_OPTIONS: KnownOptions<AgentOptions> = {
  model: true,
  fold: true,
  role: true,
  roles: true,
  instructions: true,
  hooks: true,
  approvals: true,
  routing: true,
  categories: true,
  maxRounds: true,
  models: true,
  messages: true,
  subagents: true,
  settings: true,
  onWarning: true,
};

/** Those that both have: with a fold they are the agent's. */
const SHARED: readonly string[] = ['roles', 'onWarning'];

/** What a file says of servers is for those who connect them: a whole block may be spread. */
const IGNORED = { servers: true } as const;

/**
 * The options with a fold: the one given, or one made of the tools, groups and roles that are given in
 * its place. Tells `onWarning` of a role that finds no tool. Throws `invalid-option` for options that
 * neither has, and for those of a fold beside one.
 */
export function withFold(given: AgentOptions | AgentToolOptions): AgentOptions {
  const whole = folded(given);
  checkAgentOptions(whole);
  const { fold, role, onWarning } = whole;
  const warning = role && emptyRoleWarning(fold.roles, role, fold.layer.known());
  if (warning) onWarning?.(warning);
  return whole;
}

function folded(given: AgentOptions | AgentToolOptions): AgentOptions {
  checkKnown('createAgent()', given, { ...FOLD_OPTIONS, ...AGENT_OPTIONS }, IGNORED);
  const forFold = Object.entries(given).filter(
    ([key, value]) => value !== undefined && Object.hasOwn(FOLD_OPTIONS, key),
  );
  if (given.fold !== undefined) {
    const twice = forFold.find(([key]) => !SHARED.includes(key));
    if (twice) throw invalidOption(twice[0], 'nothing beside a fold: give it to `createFold()`');
    return given;
  }
  checkAgentData(given);
  const forAgent = Object.entries(given).filter(
    ([key]) => Object.hasOwn(AGENT_OPTIONS, key) && key !== 'roles',
  );
  const { subagents: _, ...others } = Object.fromEntries(forAgent) as Partial<AgentOptions>;
  const roles = rolesWith(given.roles);
  const subagents = subagentsOf(given.subagents);
  const tools = toolsWith(given.tools, subagents);
  const options = { ...Object.fromEntries(forFold), roles, tools } as FoldOptions<ToolSet>;
  const fold = createFold(options) as unknown as AgentFold;
  return { ...others, model: given.model, fold, ...(subagents ? { subagents } : {}) };
}

/** Of settings as a file has them, and of what `createSubagents` made. */
function subagentsOf(given: Subagents | SubagentOptions | boolean = false): Subagents | undefined {
  if (given === false) return;
  if (given === true) return createSubagents();
  return isMade(given) ? given : createSubagents(given);
}

function isMade(given: Subagents | SubagentOptions): given is Subagents {
  return isRecord(own(given, 'tools')) && isRecord(own(given, 'options'));
}

function toolsWith(tools: ToolSet = {}, subagents: Subagents | undefined): ToolSet {
  if (!subagents) return tools;
  const { subagents: tool } = subagents.tools;
  if (tools.subagents !== undefined && tools.subagents !== tool)
    throw invalidOption('tools.subagents', 'no other tool of that name beside `subagents`');
  return { ...tools, subagents: tool };
}
