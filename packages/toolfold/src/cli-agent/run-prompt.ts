import type { PendingApproval } from '@toolfold/agent/internal/events';
import { type Agent, isAllowedCall } from '@toolfold/agent/internal/options';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { memoryStore } from '@toolfold/agent/internal/sqlite';
import type { AllowRule } from '@toolfold/config/internal/settings';
import { formatCount } from '@toolfold/core/internal/values';
import { allowed, quoted } from '../agents/index.ts';
import {
  type Begin,
  jsonWriter,
  openConversation,
  textWriter,
  turnCode,
} from '../conversations/index.ts';
import { Keys } from '../models/index.ts';
import { byStep } from '../questions/index.ts';
import { showPageWith, trustHost } from '../servers/index.ts';
import { findSession, openStore } from '../stored-sessions/index.ts';
import {
  askLine,
  type CommandContext,
  callLine,
  exitCode,
  oneLine,
  RunNotes,
  timeLeft,
  usageError,
} from '../terminal/index.ts';
import { NEW, type RunOptions } from './run-options.ts';

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

/** Most characters of a name. */
const MAX_LINE = 300;

interface ContinueOptions {
  /** Left out, the turn that the session stopped in goes on. */
  readonly prompt: string | undefined;
  readonly canAsk: boolean;
  /** What runs without a question. */
  readonly allow: readonly AllowRule[];
  readonly session: string;
  /** Goes on with the session. */
  readonly command: string;
  readonly note: (text: string) => void;
}

/**
 * What begins the next turn of a session. Resolves with `undefined` if it waits for approvals that nobody can give here: they are
 * named. Rejects with `invalid-option` if no prompt is given and the session has nothing to go on with.
 */
export async function continuedTurn(
  agent: Agent,
  options: ContinueOptions,
): Promise<Begin | undefined> {
  const { prompt, canAsk, allow, session, command, note } = options;
  const { pending } = agent;
  const unknown = await agent.unknown();
  if (prompt !== undefined) {
    const left = pending.length + unknown.length;
    if (left > 0) {
      const what = formatCount(left, 'call');
      note(
        `${what} of the turn before did not end, and will not: the model is told. Without a prompt, that turn goes on: ${command}`,
      );
    }
    return (agent, signal) => agent.send(prompt, { signal });
  }
  if (pending.length > 0 && !canAsk) {
    if (!pending.every((call) => isAllowed(agent, call, allow))) {
      noteWaiting(pending, options);
      return;
    }
    const answers = pending.map(({ approvalId }) => [approvalId, { approved: true }] as const);
    return (agent, signal) => agent.answer(Object.fromEntries(answers), { signal });
  }
  if (!agent.canResume)
    throw usageError(`The session "${session}" has no turn to go on with.`, 'Give a prompt.');
  for (const { name, arguments: given } of canAsk ? [] : unknown)
    note(`It had started, and is not run again: ${callLine(name, given)}`);
  return (agent, signal) => agent.resume({ signal });
}

/** Names the calls that wait for approval, and what to do. */
function noteWaiting(
  pending: readonly PendingApproval[],
  { command, note }: Pick<ContinueOptions, 'command' | 'note'>,
): void {
  for (const { name, arguments: given } of pending)
    note(`It waits for approval: ${callLine(name, given)}`);
  // The question of a hook has to be answered by a person.
  const isAllowable = pending.every(({ askedBy }) => askedBy === 'setting');
  const flags = [
    ...new Set(pending.map(({ name }) => `--allow ${quoted(oneLine(name, MAX_LINE))}`)),
  ];
  note(`To answer, on a terminal: ${command}`);
  if (isAllowable) note(`To allow it: ${command} ${flags.join(' ')}`);
}

/** Whether the flags answer a question. They do not answer a hook's question. */
function isAllowed(
  { fold }: Agent,
  call: PendingApproval,
  allow: ContinueOptions['allow'],
): boolean {
  return call.askedBy === 'setting' && isAllowedCall(allow, call, fold.layer);
}
