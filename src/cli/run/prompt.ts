import { relative } from 'node:path';
import { categoriesWith, createAgent, type RoleSettings, rolesWith } from '../../agent/index.ts';
import { createFold } from '../../ai-sdk/index.ts';
import type {
  ModelSettings,
  PoolEvent,
  ServerStatus,
  ToolfoldConfig,
  ToolfoldSettings,
} from '../../mcp/index.ts';
import { redact, secretTexts } from '../../mcp/secrets/index.ts';
import { viewOf } from '../../tools/access/index.ts';
import { askLine, createApprover, createUnknownAsker, saveApproval } from '../approvals/index.ts';
import { createElicitor } from '../elicitations/index.ts';
import { loadConfig, openServers } from '../servers/index.ts';
import { type CommandContext, exitCode } from '../terminal/index.ts';
import { continuedTurn, noteWaiting } from './continued-turn.ts';
import { withKeyAdvice } from './key-advice.ts';
import { isSevere } from './lines.ts';
import { modelLoader, modelNameFrom } from './model.ts';
import { RunNotes } from './notes.ts';
import type { RunOptions } from './options.ts';
import { type RunSession, runSession } from './run-session.ts';
import { searchWithVectors } from './search.ts';
import { loadSubagents } from './subagents.ts';
import { timeLimit } from './time-limit.ts';
import { followTurn } from './turn.ts';
import { jsonWriter, textWriter } from './writer.ts';

/** Milliseconds that a turn waits for servers whose tools are not known yet. */
const PATIENCE = 2000;

/** One prompt and its options. */
export interface RunRequest {
  /** Left out, a session goes on where it stopped. */
  readonly prompt: string | undefined;
  readonly options: RunOptions;
  /** Whether the user can be asked for approvals. */
  readonly canAsk: boolean;
}

/**
 * Answers the prompt and sets the exit code. Throws errors in flags or configuration before any
 * server starts. Closes the servers, however the turn ends.
 */
export async function runPrompt(request: RunRequest, context: CommandContext): Promise<void> {
  const { prompt, options } = request;
  const kept = await runSession(options.session, prompt, context.terminal);
  try {
    await runIn(kept, request, context);
  } finally {
    await kept?.close();
  }
}

async function runIn(
  kept: RunSession | undefined,
  { prompt, options, canAsk }: RunRequest,
  context: CommandContext,
): Promise<void> {
  const { signal, exitWith } = context;
  const { config, settingsFile } = await loadConfig(options.config, context.terminal.note);
  const settings = config?.settings ?? {};
  const roles = withRounds(rolesWith(settings.roles ?? {}), options.maxRounds);
  viewOf(roles, options.role);
  const role = options.role === undefined ? undefined : roles[options.role];
  const name = modelNameFrom({ flag: options.model, role: role?.model, env: process.env });
  const load = modelLoader({ name, baseUrl: options.baseUrl, env: process.env });
  const { model, key, keyAdvice } = await load(name);
  const models = modelSettings(settings, options);
  const team = await loadSubagents({
    flag: options.subagents,
    settings: settings.subagents,
    roles,
    model,
    models,
    load,
  });
  const secrets = secretTexts([...(key === undefined ? [] : [key]), ...(team?.keys ?? [])]);
  const hide = (text: string): string => redact(text, secrets);
  const { isInteractive, overwrite } = context.terminal;
  const notes = new RunNotes(
    (text) => context.terminal.note(hide(text)),
    isInteractive ? (line) => overwrite(hide(line)) : undefined,
  );
  const { note } = notes;
  const terminal = { ...context.terminal, note };

  const hasTools = role?.tools !== false && role?.tools?.length !== 0;
  if (hasTools && config === undefined) {
    note(
      `No MCP servers are configured: the model has no tools${team ? ' except subagents' : ''}.`,
    );
  }
  const none: ToolfoldConfig = { file: '', servers: new Map(), disabled: [], settings };
  const { pool, missing } = await openServers(hasTools ? (config ?? none) : none, context, {
    patience: PATIENCE,
    onEvent: (event) => {
      for (const line of remarksOn(event)) note(line);
    },
    requests: {
      elicitation: canAsk ? 'url' : undefined,
      sampling: true,
      roots: [process.cwd()],
      logLevel: 'warning',
      host: {
        onLog: ({ server, level, text }) => {
          if (isSevere(level)) note(`${server}: ${text}`);
        },
      },
    },
  });
  const limit = timeLimit(signal, options.timeout);
  try {
    for (const line of pool.servers.flatMap(remarks)) note(line);
    for (const name of missing) {
      note(`${name} is still starting: the turn begins without its tools.`);
    }
    const { exposure, catalog, routing, maxRounds, approvals = {} } = settings;
    const strategy = options.strategy ?? settings.strategy;
    const ask = (question: string, stop: AbortSignal) =>
      askLine(hide(question), stop, context.streams);
    const asking = { note: notes.now, hold: notes.during, signal: limit.signal };
    const approver = createApprover({
      ...asking,
      allowed: approvals.allow ?? [],
      store: {
        file: shortPath(settingsFile),
        save: (tool) => saveApproval(settingsFile, tool),
      },
      askLine: canAsk ? ask : undefined,
    });
    const elicitor = canAsk && { ask: createElicitor({ ...asking, askLine: ask }) };
    const fold = createFold({
      tools: team?.subagents.tools ?? {},
      groups: pool,
      roles,
      strategy,
      exposure,
      catalog,
      search: searchWithVectors,
    });
    const allow = [...(approvals.allow ?? []), ...(options.allow ?? [])];
    const session = await kept?.open();
    const agent = createAgent({
      model,
      fold,
      session,
      onUnknown: canAsk ? createUnknownAsker(asking, ask) : undefined,
      role: options.role,
      roles,
      categories: categoriesWith(settings.categories ?? {}),
      routing: options.routing ?? routing,
      maxRounds: options.maxRounds ?? maxRounds,
      models,
      subagents: team?.subagents,
      elicitation: elicitor,
      approvals: {
        mode: approvals.mode,
        allow,
        // Calls of a session can wait until somebody answers.
        ask: session && !canAsk ? undefined : approver.ask,
        onAlways: approver.onAlways,
      },
    });
    const write = options.json ? jsonWriter(terminal, hide) : textWriter(terminal, notes.progress);
    const turn = session
      ? await continuedTurn(agent, {
          prompt,
          canAsk,
          allow: approvals.mode === 'never' ? ['*'] : allow,
          session: session.id,
          note,
          signal: limit.signal,
        })
      : agent.send(prompt ?? '', { signal: limit.signal });
    if (!turn) return exitWith(exitCode.notApproved);
    const { unasked } = approver;
    const events = withKeyAdvice(turn, model, keyAdvice);
    const code = await followTurn(events, write, { unasked, isTimedOut: limit.isOver });
    if (session && agent.pending.length > 0)
      noteWaiting(agent.pending, { session: session.id, note });
    if (code === exitCode.timedOut) note(timeoutLine(options.timeout));
    exitWith(code);
  } finally {
    limit.clear();
    await pool.close();
  }
}

/** The settings of each model. Flags override the file. */
function modelSettings(
  { models = {} }: ToolfoldSettings,
  { strategy, maxRounds }: RunOptions,
): Record<string, ModelSettings> {
  const flags: ModelSettings = {
    ...(strategy === undefined ? {} : { strategy }),
    ...(maxRounds === undefined ? {} : { maxRounds }),
  };
  return Object.fromEntries(
    Object.entries(models).map(([id, settings]) => [id, { ...settings, ...flags }]),
  );
}

/** The roles. The flag's number of rounds overrides theirs. */
function withRounds(
  roles: Readonly<Record<string, RoleSettings>>,
  maxRounds: number | undefined,
): Readonly<Record<string, RoleSettings>> {
  if (maxRounds === undefined) return roles;
  return Object.fromEntries(
    Object.entries(roles).map(([name, role]) => [name, { ...role, maxRounds }]),
  );
}

/** Relative to the working folder if the file is inside it. */
function shortPath(file: string): string {
  const inside = relative(process.cwd(), file);
  return inside.startsWith('..') ? file : inside;
}

function timeoutLine(seconds: number | undefined): string {
  return `toolfold: The turn was cancelled: it took longer than ${seconds} s (--timeout).`;
}

/** The lines about what happens to a server during the turn. */
function remarksOn(event: PoolEvent): string[] {
  if (event.kind === 'warning') return [`${event.server}: ${event.text}.`];
  const isNews = event.kind === 'state' && ['failed', 'needs-auth'].includes(event.to.kind);
  return isNews ? remarks({ ...event.status, warnings: [] }) : [];
}

/** The lines about a server that failed or has warnings. */
function remarks({ name, reason, remedy, warnings = [] }: ServerStatus): string[] {
  const failure = reason === undefined ? [] : [`${name} is not ready: ${reason}. ${remedy ?? ''}`];
  return [...failure, ...warnings.map((warning) => `${name}: ${warning}.`)].map((line) =>
    line.trimEnd(),
  );
}
