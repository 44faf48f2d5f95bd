import { createFold, type FoldOptions } from '@toolfold/ai-sdk';
import { FOLD_OPTIONS } from '@toolfold/ai-sdk/internal/fold';
import { invalidOption } from '@toolfold/core/internal/errors.ts';
import { OTHERS_SETTINGS } from '@toolfold/core/internal/session';
import { RESULT_LENGTH } from '@toolfold/core/internal/tool';
import { checkKnown, fixedOptions, isRecord, ownProperty } from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';
import { createRecall } from '../compaction/index.ts';
import { RECALL } from '../entries/index.ts';
import type { AgentFold, AgentOptions, AgentToolOptions } from '../options/index.ts';
import { emptyRoleWarning, rolesWith } from '../routing/index.ts';
import {
  createSubagents,
  fixedSubagents,
  SUBAGENTS,
  type SubagentOptions,
  type Subagents,
} from '../tasks/index.ts';
import { AGENT_OPTIONS, checkAgentData, checkAgentOptions } from './agent-check.ts';

/** Options that hold objects with a state of their own. The fold fixes its options itself. */
const AS_GIVEN: readonly string[] = [
  ...['model', 'fold', 'session', 'messages', 'subagents', 'settings'],
  ...['tools', 'groups', 'search', 'loaderCache'],
];

const SDK_OBJECTS: readonly string[] = ['output', 'telemetry', 'experimental_telemetry'];

/** Options of both the fold and the agent. If a fold is given, they apply to the agent. */
const SHARED: readonly string[] = ['roles', 'onWarning'];

/**
 * The options with a fold: the given one, or one made from the given tools, groups and roles. Calls
 * `onWarning` if the role matches no tool. Throws `invalid-option` for unknown options, and for
 * options of a fold next to `fold`.
 */
export function withFold(given: AgentOptions | AgentToolOptions): AgentOptions {
  const whole = folded(fixedOptions(given, AS_GIVEN));
  checkAgentOptions(whole);
  const { fold, role, onWarning } = whole;
  const warning = role && emptyRoleWarning(fold.roles, role, fold.layer.known());
  if (warning) onWarning?.(warning);
  const { subagents, settings } = whole;
  return {
    ...whole,
    ...(subagents
      ? { subagents: { ...subagents, options: fixedSubagents(subagents.options) } }
      : {}),
    ...(settings ? { settings: fixedOptions(settings, SDK_OBJECTS) } : {}),
  };
}

function folded(given: AgentOptions | AgentToolOptions): AgentOptions {
  checkKnown('createAgent()', given, { ...FOLD_OPTIONS, ...AGENT_OPTIONS }, OTHERS_SETTINGS);
  for (const name of Object.keys(AGENT_OPTIONS))
    if (Reflect.get(given, name) instanceof Map)
      throw invalidOption(name, 'no Map: its members would not be read');
  const forFold = Object.entries(given).filter(
    ([key, value]) => value !== undefined && Object.hasOwn(FOLD_OPTIONS, key),
  );
  if (given.fold !== undefined) {
    const misplaced = forFold.find(([key]) => !SHARED.includes(key));
    if (misplaced)
      throw invalidOption(misplaced[0], 'nothing beside a fold: give it to `createFold()`');
    return given;
  }
  checkAgentData(given);
  const forAgent = Object.entries(given).filter(
    ([key]) => Object.hasOwn(AGENT_OPTIONS, key) && key !== 'roles',
  );
  const { subagents: _, ...others } = Object.fromEntries(forAgent) as Partial<AgentOptions>;
  const roles = rolesWith(given.roles);
  const subagents = subagentsOf(given.subagents);
  const recall = given.session ? createRecall() : undefined;
  const tools = toolsWith(given.tools, { ...subagents?.tools, ...recall?.tools });
  const maxResultLength = RESULT_LENGTH;
  const options = { maxResultLength, ...Object.fromEntries(forFold), roles, tools };
  const fold = createFold(options as FoldOptions<ToolSet>) as unknown as AgentFold;
  return { ...others, model: given.model, fold, ...(subagents ? { subagents } : {}) };
}

/** Accepts the setting of a configuration file or the result of `createSubagents`. */
function subagentsOf(given: Subagents | SubagentOptions | boolean = false): Subagents | undefined {
  if (given === false) return;
  if (given === true) return createSubagents();
  return isMade(given) ? given : createSubagents(given);
}

function isMade(given: Subagents | SubagentOptions): given is Subagents {
  return isRecord(ownProperty(given, 'tools')) && isRecord(ownProperty(given, 'options'));
}

/** The tools of the app with those of the agent. Throws `invalid-option` if the app's have one of the names. */
function toolsWith(tools: ToolSet = {}, own: ToolSet): ToolSet {
  for (const [name, tool] of Object.entries(own)) {
    const option = name === RECALL ? 'session' : SUBAGENTS;
    if (tools[name] !== undefined && tools[name] !== tool)
      throw invalidOption(`tools.${name}`, `no other tool of that name beside \`${option}\``);
  }
  return { ...tools, ...own };
}
