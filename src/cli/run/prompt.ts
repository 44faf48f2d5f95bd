import type { AgentEvent } from '../../agent/index.ts';
import {
  agentOf,
  allowed,
  Keys,
  noModel,
  openAgentServers,
  readSetUp,
  teamOf,
  withKeyAdvice,
} from '../../app/agents/index.ts';
import { approvalStore, createApprover, createUnknownAsker } from '../../app/approvals/index.ts';
import { createElicitor } from '../../app/elicitations/index.ts';
import { askLine, type CommandContext, exitCode, timeLeft } from '../../app/terminal/index.ts';
import {
  followTurn,
  HiddenTexts,
  jsonWriter,
  RunNotes,
  textWriter,
} from '../../app/turns/index.ts';
import { continuedTurn, noteWaiting } from './continued-turn.ts';
import type { RunOptions } from './options.ts';
import { type RunSession, runSession } from './run-session.ts';
import { timeLimit } from './time-limit.ts';

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
  const kept = await runSession(options.session, prompt, context);
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
  const set = await readSetUp(options, context.terminal.note);
  const { config, settingsFile, settings, roles } = set;
  const name = set.modelName(options.role);
  if (name === undefined) throw noModel();
  const keys = new Keys({});
  const { hide } = keys;
  const { model, keyAdvice } = await keys.load(set, name);
  const team = await teamOf(set, options, model);
  keys.add(...(team?.keys ?? []));
  const { isInteractive, overwrite } = context.terminal;
  const notes = new RunNotes(
    (text) => context.terminal.note(hide(text)),
    isInteractive ? (line) => overwrite(hide(line)) : undefined,
  );
  const { note } = notes;
  const terminal = { ...context.terminal, note };

  const role = options.role === undefined ? undefined : roles[options.role];
  if (config === undefined && role?.tools !== false && role?.tools?.length !== 0) {
    note(
      `No MCP servers are configured: the model has no tools${team ? ' except subagents' : ''}.`,
    );
  }
  const { pool, missing } = await openAgentServers(set, options, context, {
    ...{ note, folder: process.cwd(), areLogsShown: true },
    elicitation: canAsk ? 'url' : undefined,
  });
  const { timeout } = options;
  const limit = timeLimit(signal, timeout, timeout && timeLeft(timeout, context));
  try {
    for (const name of missing) {
      note(`${name} is still starting: the turn begins without its tools.`);
    }
    const { approvals = {} } = settings;
    const ask = (question: string, stop: AbortSignal) =>
      askLine(hide(question), stop, context.streams);
    const asking = { note: notes.now, hold: notes.during, signal: limit.signal };
    const approver = createApprover({
      ...asking,
      allowed: approvals.allow ?? [],
      store: approvalStore(settingsFile),
      askLine: canAsk ? ask : undefined,
    });
    const elicitor = canAsk && { ask: createElicitor({ ...asking, askLine: ask }) };
    const allow = allowed(settings, options);
    const session = await kept?.open();
    const agent = agentOf(set, options, {
      ...{ model, team, session, pool },
      onWarning: (text) => terminal.note(hide(text)),
      onUnknown: canAsk ? createUnknownAsker(asking, ask) : undefined,
      elicitation: elicitor,
      // Calls of a session can wait until somebody answers.
      ask: session && !canAsk ? undefined : approver.ask,
      onAlways: approver.onAlways,
    });
    const shown = options.json ? jsonWriter(terminal, hide) : textWriter(terminal, notes.progress);
    const hidden = new HiddenTexts(() => keys.secrets);
    const write = (event: AgentEvent) => hidden.of(event).forEach(shown);
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

function timeoutLine(seconds: number | undefined): string {
  return `toolfold: The turn was cancelled: it took longer than ${seconds} s (--timeout).`;
}
