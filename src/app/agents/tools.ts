import type { ToolSet } from 'ai';
import { createRecall } from '../../agent/index.ts';
import { createFold, type Fold } from '../../ai-sdk/index.ts';
import type { AllowedCall } from '../../config/index.ts';
import type {
  PoolEvent,
  PoolOptions,
  ServerPool,
  ServerStatus,
  ToolfoldConfig,
} from '../../mcp/index.ts';
import { RESULT_LENGTH } from '../../tools/tokens/index.ts';
import { LOG_LEVELS, type LogLevel } from '../../tools/tool/index.ts';
import { pick } from '../../tools/values/index.ts';
import { type OpenedServers, openServers, PATIENCE } from '../servers/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import type { AgentFlags } from './flags/index.ts';
import type { AgentSetUp } from './set-up.ts';
import type { AgentTeam } from './subagents.ts';

/** How the servers of an agent are opened, and what is done with what they say. */
export interface AgentServerOptions {
  /** Gets each line about a server that the user should read. */
  readonly note: (line: string) => void;
  /** The folder in which the user works. */
  readonly folder: string;
  /** How they can ask the user. */
  readonly elicitation: 'form' | 'url' | undefined;
  /** Whether their log messages are lines for the user, outside of calls. */
  readonly areLogsShown: boolean;
  /** Whether the user is asked about a login that is needed, at the opening or later. Else a line says so. */
  readonly isLoginAsked?: (isOpening: boolean) => boolean;
  /** Called with each change after the waiting. */
  readonly onChange?: (() => void) | undefined;
  /** Milliseconds to wait for servers whose tools are not known yet. */
  readonly patience?: number;
}

/** Opens the servers that the role of the flags may use. */
export async function openAgentServers(
  { config, settings, roles }: AgentSetUp,
  { role: name }: AgentFlags,
  context: Pick<CommandContext, 'terminal' | 'signal'>,
  options: AgentServerOptions,
): Promise<OpenedServers> {
  const { note, folder, elicitation, areLogsShown, onChange, patience = PATIENCE } = options;
  const { isLoginAsked = () => false } = options;
  const role = name === undefined ? undefined : roles[name];
  const hasTools = role?.tools !== false && role?.tools?.length !== 0;
  const none: ToolfoldConfig = { file: '', servers: new Map(), disabled: [], settings };
  const host: NonNullable<PoolOptions['requests']>['host'] = {
    onLog: ({ server, level, text }) => {
      if (isSevere(level)) note(`${server}: ${text}`);
    },
  };
  const opened = await openServers(hasTools ? (config ?? none) : none, context, {
    patience,
    onEvent: (event, isWaiting) => {
      if (isWaiting) return;
      for (const line of remarksOn(event, isLoginAsked(false))) note(line);
      onChange?.();
    },
    requests: {
      elicitation,
      sampling: true,
      roots: [folder],
      logLevel: 'warning',
      host: areLogsShown ? host : undefined,
    },
  });
  for (const server of opened.pool.servers)
    for (const line of serverRemarks(server, isLoginAsked(true))) note(line);
  return opened;
}

/** What the tools of an agent come from. */
export interface FoldParts {
  readonly pool: ServerPool;
  readonly team: AgentTeam | undefined;
  /** Whether a session keeps results, which the model can read again after a compaction. */
  readonly isKept: boolean;
  /** Gets warnings about settings that have no effect, and about tools. By default nobody does. */
  readonly onWarning?: ((text: string) => void) | false | undefined;
}

/** The tools of the servers and those of subagents. */
export function foldOf(
  { settings, roles }: AgentSetUp,
  { pool, team, isKept, onWarning = false }: FoldParts,
): Fold<ToolSet> {
  return createFold({
    onWarning,
    tools: { ...team?.subagents.tools, ...(isKept ? createRecall().tools : {}) },
    groups: pool,
    roles,
    ...pick(settings, 'strategy', 'exposure', 'catalog'),
    maxResultLength: settings.maxResultLength ?? RESULT_LENGTH,
  });
}

/** What runs without a question. */
export function allowed(
  { approvals = {} }: AgentSetUp['settings'],
  { allow = [] }: AgentFlags,
): readonly (string | AllowedCall)[] {
  return [...(approvals.allow ?? []), ...allow];
}

/** The lines about what happens to a server during a turn. `isLoginAsked`: a login is a question, not a line. */
function remarksOn(event: PoolEvent, isLoginAsked: boolean): string[] {
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
