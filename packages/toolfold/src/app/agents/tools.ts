import { createRecall, type Subagents } from '@toolfold/agent/internal/agent';
import { createFold, type Fold } from '@toolfold/ai-sdk';
import type { Allowed } from '@toolfold/config/internal/config';
import { RESULT_LENGTH } from '@toolfold/core/internal/tools/tokens';
import { LOG_LEVELS, type LogLevel } from '@toolfold/core/internal/tools/tool';
import { pick } from '@toolfold/core/internal/tools/values';
import type { PoolEvent, ServerPool, ServerStatus } from '@toolfold/mcp/internal/mcp';
import type { ToolSet } from 'ai';
import type { AgentFlags } from './flags/index.ts';
import type { AgentSetUp } from './set-up.ts';

/** What the tools of an agent come from. */
export interface FoldParts {
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
): readonly Allowed[] {
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
