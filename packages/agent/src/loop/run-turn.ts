import { raceAbort } from '@toolfold/core/internal/values';
import { type TextStreamPart, ToolChoiceViolationError, ToolLoopAgent, type ToolSet } from 'ai';
import type { TurnKind, Write } from '../entries/index.ts';
import { type AgentEvent, type EndReason, endReasonOf } from '../events/index.ts';
import { takeMessage } from '../options/index.ts';
import { CUT_OFF, loadBound } from '../state/index.ts';
import { breakOff, untilLeft } from './break-off.ts';
import { closings, lostCalls } from './call-log.ts';
import { compact, dueCompaction } from './compact.ts';
import type { AgentContext } from './context.ts';
import { decide } from './decide.ts';
import { questionOf } from './questions.ts';
import { adopted } from './rounds.ts';
import { changesOf, endOf, roundsOf, startOf, Turn, warningsOf } from './turn.ts';
import { takeSteering, turnSettings } from './turn-settings.ts';

/** What a turn is to do. */
export interface TurnPlan {
  readonly how: TurnKind;
  /** The id of the user's message. No turn runs if the conversation has a message with this id. */
  readonly id?: string | undefined;
  /** Returns the first entries, or throws if no turn can start. `isCancelled`: the turn ends at once. */
  readonly begin: (isCancelled: boolean) => readonly Write[];
  /** Runs before the first request. Returns a reason if the turn ends there. */
  readonly first?: (turn: Turn) => Promise<EndReason | undefined>;
}

/** A turn to run. */
interface TurnRun {
  readonly context: AgentContext;
  readonly plan: TurnPlan;
  /** Cancels the turn. */
  readonly stop: () => void;
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Warnings that the first turn gives. */
  readonly warnings: readonly string[] | undefined;
}

/** Runs a turn, which holds the session. Does nothing if the message is known. */
export async function runTurn(run: TurnRun): Promise<void> {
  const { context, plan, signal } = run;
  const { log, switches } = context;
  let isCancelled = false;
  try {
    await raceAbort(log.idle, signal);
    const held = hold(run);
    const found = await raceAbort(held, signal).catch((error) => {
      // A store that hangs does not hold a cancelled turn.
      log.endWhen(held);
      throw error;
    });
    isCancelled = found.isCancelled;
    if (found.hasChanged) switches.areToolsOn = log.state.areToolsOn;
  } catch (error) {
    // No turn has begun.
    const reason = signal.aborted && !log.failure ? ('cancelled' as const) : ('error' as const);
    return log.emit(endOf(context, undefined, { reason, error }));
  }
  let isWritten = true;
  try {
    if (plan.id === undefined || !log.state.ids.has(plan.id))
      isWritten = await runHeld(run, isCancelled);
  } finally {
    const ended = log.end();
    // Where nothing can be written, the session is not given back at once either. The next turn waits for it.
    if (isWritten && !log.failure) await untilLeft(ended, signal);
  }
}

/** What a process finds as it takes the right to write a session. */
interface SessionAtStart {
  /** Whether another process has written meanwhile. */
  readonly hasChanged: boolean;
  /** Whether another process has cancelled the turn that goes on. */
  readonly isCancelled: boolean;
}

/** Takes the right to write the session, and what other processes have posted until then. */
async function hold({ context, plan, stop }: TurnRun): Promise<SessionAtStart> {
  const { log, remote, steering } = context;
  let isHeld = false;
  let isCancelled = false;
  // A cancel means the turn that had begun when it was posted: it ends no later one.
  const cancel = (at: number) => {
    const { began, isOpen } = log.state;
    if (at <= began) return;
    if (isHeld) stop();
    else isCancelled = isOpen && (plan.how === 'resume' || plan.how === 'answer');
  };
  const hasChanged = await log.begin({
    onFailure: stop,
    onMessage: (message) => {
      // The message that begins the turn may also wait in the inbox.
      if (message.id !== plan.id) takeMessage(message, context, () => cancel(message.at));
    },
  });
  isHeld = true;
  // The one who took them may have ended before their questions were asked.
  for (const message of log.state.posted)
    takeMessage(message, { remote, steering, team: undefined }, () => {});
  return { hasChanged, isCancelled };
}

/** Resolves with whether the turn is written; else it is still being written. `isCancelled`: it ends at once. */
async function runHeld(
  { context, plan, stop, signal, warnings }: TurnRun,
  isCancelled: boolean,
): Promise<boolean> {
  const { how, begin, first } = plan;
  const { log } = context;
  const entries = begin(isCancelled);
  const turn = new Turn(context, signal, how === 'resume' ? log.state.toReplay : undefined);
  let isWritten = true;
  let end: AgentEvent;
  try {
    const number = log.state.turn + (how === 'send' ? 1 : 0);
    await log.append(['turn', { number, how }], ...changesOf(context), ...entries);
    if (isCancelled) stop();
    signal.throwIfAborted();
    for (const text of warnings ?? []) await log.report({ type: 'warning', text });
    if (warnings) for (const event of warningsOf(context)) await log.report(event);
    let reason = await first?.(turn);
    while (reason === undefined) reason = await generate(context, turn);
    if (reason === 'cancelled') isWritten = await breakOff(context, turn, true);
    end = endOf(context, turn, { reason });
  } catch (error) {
    const wasCancelled = signal.aborted;
    stop();
    isWritten = await breakOff(context, turn, wasCancelled);
    // The model called a tool although the request forbade tool calls.
    const isForbiddenCall = ToolChoiceViolationError.isInstance(error);
    const reason = wasCancelled ? 'cancelled' : isForbiddenCall ? 'rounds' : 'error';
    end = endOf(context, turn, { reason, error });
  }
  turn.isOver = true;
  const reported = log.report(end);
  if (!isWritten || (await untilLeft(reported, signal))) return isWritten;
  log.hurry();
  return false;
}

/** Runs one generation of the SDK. Returns why the turn ended, or undefined if it goes on. */
async function generate(context: AgentContext, turn: Turn): Promise<EndReason | undefined> {
  const { log, isReal } = context;
  const { signal, recorder } = turn;
  // An answer that is read again belongs to the messages as they are.
  if (recorder.replay) await loadBound(recorder.replay.content, context.options.fold.layer, signal);
  else if (dueCompaction(context, log.state.messages))
    await compact(context, turn, signal, 'window');
  const { messages: begun } = log.state;
  const settings = turnSettings(context, turn, begun);
  const { fields, limit } = await raceAbort(settings, signal);
  const start = startOf(context, begun);
  if (start && turn.requests === 0) await log.report(start);
  const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
  await log.append(...lostCalls(log.state.begun, turn.tools));
  const sent = [...log.state.begun];
  const result = await agent.stream({
    messages: sent,
    abortSignal: signal,
    onToolExecutionStart: ({ toolCall }) => turn.enter(toolCall),
    onToolExecutionEnd: async ({ toolOutput }) => {
      turn.leave(toolOutput.toolCallId);
      // A tool that did not stop may end while a later turn uses the id of its call again.
      if (!turn.isOver) await context.calls.end(toolOutput, !isReal(toolOutput.toolName));
    },
  });
  const reading = readStream(result.stream);
  turn.reading = reading;
  const { asked, failure, isAborted } = await reading;
  if (failure) throw failure.error;
  if (isAborted) return 'cancelled';
  const messages = [...sent, ...(await result.responseMessages)];
  await log.append(...adopted(log.state, messages, isReal));
  const waiting = new Set(asked.map(({ toolCall }) => toolCall.toolCallId));
  await log.append(...closings(log.state, { isReal, reason: CUT_OFF, waiting }));
  const questions = asked.map((part) => questionOf(part, messages));
  if (questions.length > 0) return decide(context, questions, signal);
  if (turn.isFull) return;
  const reason = endReasonOf(await result.finishReason, await result.rawFinishReason);
  if (reason === 'error') throw new Error('The provider ended the answer with an error.');
  // After a notice about loads, an answer in words is the end of the task.
  const isBudget = turn.spent !== undefined && (turn.spent !== 'loads' || reason === 'rounds');
  const isSpent = isBudget || (limit !== undefined && turn.rounds >= limit);
  // What the user wrote meanwhile is answered in this turn, as long as it has a budget.
  if (reason === 'done' && !isSpent && (await takeSteering(context, turn, true))) return;
  if (reason === 'rounds' && !isSpent) await log.report(roundsOf(context, turn, limit));
  return reason === 'done' && isSpent ? 'rounds' : reason;
}

type TurnPart = TextStreamPart<ToolSet>;

/** What the stream of a generation said beside what is recorded. */
interface StreamFacts {
  /** The calls that the user must be asked about. */
  readonly asked: readonly Extract<TurnPart, { type: 'tool-approval-request' }>[];
  readonly failure: { readonly error: unknown } | undefined;
  readonly isAborted: boolean;
}

/** Reads the stream of the SDK to its end, which makes the SDK go on. Never rejects. */
async function readStream(stream: AsyncIterable<TurnPart>): Promise<StreamFacts> {
  const asked: StreamFacts['asked'][number][] = [];
  let failure: StreamFacts['failure'];
  let isAborted = false;
  try {
    for await (const part of stream) {
      if (part.type === 'error') failure = { error: part.error };
      if (part.type === 'abort') isAborted = true;
      if (part.type === 'tool-approval-request' && part.isAutomatic !== true) asked.push(part);
    }
  } catch (error) {
    failure ??= { error };
  }
  return { asked, failure, isAborted };
}
