import { memoryStore, type SessionStore } from '@toolfold/agent/internal/sessions';
import { allowed } from '../../app/agents/index.ts';
import { byStep } from '../../app/asking/steps/index.ts';
import { openConversation } from '../../app/conversations/index.ts';
import { Keys } from '../../app/models/index.ts';
import { showPageWith, trustHost } from '../../app/servers/index.ts';
import { findSession, openStore } from '../../app/sessions/index.ts';
import {
  askLine,
  type CommandContext,
  exitCode,
  RunNotes,
  timeLeft,
} from '../../app/terminal/index.ts';
import { jsonWriter, textWriter, turnCode } from '../../app/turns/index.ts';
import { continuedTurn, noteWaiting } from './continued-turn.ts';
import { NEW, type RunOptions } from './options.ts';

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
 * server starts. Closes the servers, however the turn ends. Without `--session` nothing is kept.
 */
export async function runPrompt(request: RunRequest, context: CommandContext): Promise<void> {
  const isKept = request.options.session !== undefined;
  const store = isKept ? await openStore(context.terminal, context.unwritten) : memoryStore();
  try {
    await runIn(store, request, context);
  } finally {
    await context.unwritten.settled();
    await store.close();
  }
}

async function runIn(
  store: SessionStore,
  { prompt, options, canAsk }: RunRequest,
  context: CommandContext,
): Promise<void> {
  const { session: given, timeout } = options;
  const isKept = given !== undefined;
  const resumed = isKept && given !== NEW ? (await findSession(store, given)).id : undefined;
  const keys = new Keys(process.env);
  const { hide } = keys;
  const { isInteractive, overwrite } = context.terminal;
  const notes = new RunNotes(
    (text) => context.terminal.note(hide(text)),
    isInteractive ? (line) => overwrite(hide(line)) : undefined,
  );
  const { note } = notes;
  const terminal = { ...context.terminal, note };
  const { signal, isOver } = timeLimit(
    context.signal,
    timeout,
    timeout && timeLeft(timeout, context),
  );
  const ask = (question: string, stop: AbortSignal) =>
    askLine(hide(question), stop, context.streams);
  const asking = {
    ...{ note: notes.now, inOrder: notes.during, signal, canSave: true },
    ask: canAsk ? byStep({ show: notes.now, askLine: ask }) : undefined,
    openPage: canAsk ? showPageWith(notes.now) : undefined,
  };
  let facts: { readonly currency?: string | undefined; readonly missing?: readonly string[] } = {};
  const opened = await openConversation({
    ...{ store, keys, context, resumed, isKept, note, flags: options, folder: process.cwd() },
    ...{ starts: 'first', areLogsShown: true, noteConfig: context.terminal.note },
    onWarning: (text) => terminal.note(hide(text)),
    confirm: canAsk ? trustHost(context).confirm : undefined,
    elicitation: canAsk ? 'url' : undefined,
    // Calls of a session can wait until somebody answers.
    asking: isKept && !canAsk ? undefined : asking,
    take: options.json
      ? jsonWriter(terminal, hide)
      : textWriter(terminal, notes.progress, () => facts),
  });
  const { conversation, set, settings, asker, missing } = opened;
  facts = { currency: set.settings.currency, missing };
  try {
    const tools = set.roles[settings.role ?? '']?.tools;
    const { subagents } = set.settings;
    if (set.config === undefined && tools !== false && tools?.length !== 0)
      note(
        `No MCP servers are configured: the model has no tools${subagents ? ' except subagents' : ''}.`,
      );
    for (const name of missing)
      note(`${name} is still starting: the turn begins without its tools.`);
    await opened.logins?.offer();
    const agent = await conversation.ready(prompt);
    const { id: session = '' } = conversation.session ?? {};
    if (isKept && resumed === undefined) note(`Session: ${session}`);
    const begin = await continuedTurn(agent, {
      ...{ prompt, canAsk, session, command: opened.wayBack('run --session'), note },
      allow: set.settings.approvals?.mode === 'never' ? ['*'] : allowed(set.settings, options),
    });
    if (!begin) return context.exitWith(exitCode.notApproved);
    const end = await conversation.turn(begin, { given: signal });
    const { unasked = new Set<string>() } = asker ?? {};
    const code = turnCode(end.reason, { unasked, isTimedOut: isOver });
    if (isKept && agent.pending.length > 0)
      noteWaiting(agent.pending, { command: opened.wayBack('run --session'), note });
    if (code === exitCode.timedOut)
      note(`toolfold: The turn was cancelled: it took longer than ${timeout} s (--timeout).`);
    context.exitWith(code);
  } finally {
    await opened.close();
  }
}

/** A signal that aborts with another one or when the time is over, and whether that was the cause. */
interface TimeLimit {
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
}

/** `left`: the milliseconds that are left of the limit. Without `seconds` there is no limit. */
export function timeLimit(
  signal: AbortSignal,
  seconds: number | undefined,
  left: number = (seconds ?? 0) * 1000,
): TimeLimit {
  if (seconds === undefined) return { signal, isOver: () => false };
  const over = new AbortController();
  const reason = new Error(`The time limit of ${seconds} s was reached.`);
  setTimeout(() => over.abort(reason), left).unref();
  const either = AbortSignal.any([signal, over.signal]);
  return { signal: either, isOver: () => either.reason === reason };
}
