import { createRecall } from '@toolfold/agent/internal/compaction';
import { identify, modelName, settingsOf } from '@toolfold/agent/internal/options';
import { createSubagents, type Subagents } from '@toolfold/agent/internal/tasks';
import { createFold, type Fold } from '@toolfold/ai-sdk';
import type { AllowRule } from '@toolfold/config/internal/settings';
import { viewOf } from '@toolfold/core/internal/registry';
import { LOG_LEVELS, type LogLevel, RESULT_LENGTH } from '@toolfold/core/internal/tool';
import { pick } from '@toolfold/core/internal/values';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import type { PoolEvent, ServerStatus } from '@toolfold/mcp/internal/server';
import type { LanguageModel, ToolSet } from 'ai';
import type { Keys } from '../models/index.ts';
import { type AgentFlags, usageError } from '../terminal/index.ts';
import type { AgentSetUp } from './set-up.ts';

/** What the tools of an agent come from. */
interface FoldParts {
  readonly pool: ServerPool;
  readonly subagents: Subagents | undefined;
  /** Whether a session keeps results, which the model can read again after a compaction. */
  readonly isKept: boolean;
  /** Replaces secrets in results and errors. */
  readonly hide: (text: string) => string;
  /** Gets warnings about settings that have no effect, and about tools. By default nobody does. */
  readonly onWarning?: ((text: string) => void) | false | undefined;
}

/** The tools of the servers and those of subagents. */
export function foldOf(
  { settings, roles }: AgentSetUp,
  { pool, subagents, isKept, hide, onWarning = false }: FoldParts,
): Fold<ToolSet> {
  return createFold({
    onWarning,
    hide,
    tools: { ...subagents?.tools, ...(isKept ? createRecall().tools : {}) },
    groups: pool,
    roles,
    ...pick(settings, 'strategy', 'exposure', 'catalog', 'cache'),
    maxResultLength: settings.maxResultLength ?? RESULT_LENGTH,
  });
}

/** What runs without a question. */
export function allowed(
  { approvals = {} }: AgentSetUp['settings'],
  { allow = [] }: AgentFlags,
): readonly AllowRule[] {
  return [...(approvals.allow ?? []), ...allow];
}

/** The lines about what happens to a server during a turn. `isLoginAsked`: a login is a question, not a line. */
export function remarksOn(event: PoolEvent, isLoginAsked: boolean): string[] {
  if (event.kind === 'warning') return [`${event.server}: ${event.text}.`];
  const isNews = event.kind === 'state' && ['failed', 'needs-auth'].includes(event.to.kind);
  return isNews ? serverRemarks({ ...event.status, warnings: [] }, isLoginAsked) : [];
}

/** The lines about a server that failed or has warnings. */
export function serverRemarks(
  { name, state, reason, remedy, warnings = [] }: ServerStatus,
  isLoginAsked = false,
): string[] {
  const isLeft = reason === undefined || (isLoginAsked && state === 'needs-auth');
  const failure = isLeft ? [] : [`${name} is not ready: ${reason}. ${remedy ?? ''}`];
  return [...failure, ...warnings.map((warning) => `${name}: ${warning}.`)].map((line) =>
    line.trimEnd(),
  );
}

/** Whether a log message of a server is shown. */
export function isSevere(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('warning');
}

/**
 * The subagents of an agent with this model. Undefined if it has none. Rejects with `invalid-option` and
 * `unknown-role` for invalid settings, and with the errors of `Keys.load`. `keys` gets the API keys of the models
 * of roles.
 */
export async function teamOf(
  set: AgentSetUp,
  model: LanguageModel,
  keys: Keys,
): Promise<Subagents | undefined> {
  const { roles } = set;
  const { subagents: settings = false } = set.settings;
  if (settings === false) return;
  const configured = settings === true ? {} : settings;
  const models = new Map<string, LanguageModel>();
  for (const role of configured.roles ?? []) {
    viewOf(roles, role);
    const name = roles[role]?.model;
    if (name !== undefined) models.set(role, (await keys.load(set, name)).model);
  }
  if (configured.budget?.cost !== undefined) checkPrices([model, ...models.values()], set);
  const ofRole = (role: string | undefined) => (role === undefined ? undefined : models.get(role));
  return createSubagents({ ...configured, ...(models.size === 0 ? {} : { model: ofRole }) });
}

/** The tool that starts subagents, before there is a model. */
export function plannedTeam({ settings }: AgentSetUp): Subagents | undefined {
  const { subagents = false } = settings;
  return subagents === false ? undefined : createSubagents(subagents === true ? {} : subagents);
}

/** A budget in money needs the price of every model. */
function checkPrices(used: readonly LanguageModel[], { models }: AgentSetUp): void {
  const identities = used.map(identify);
  const unpriced = identities.find((model) => settingsOf(models, model).price === undefined);
  if (!unpriced) return;
  const name = modelName(unpriced);
  throw usageError(
    `The budget of subagents has a cost, but ${name} has no price.`,
    `Set "models": { "${name}": { "price": { "input": …, "output": … } } }, or give the budget in tokens.`,
  );
}
