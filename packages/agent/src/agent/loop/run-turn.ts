import { raceAbort } from '@toolfold/core/internal/tools/values';
import { ToolChoiceViolationError } from 'ai';
import type { AgentContext } from '../context/index.ts';
import type { TurnKind, Write } from '../entries/index.ts';
import type { AgentEvent, EndReason } from '../events/index.ts';
import { takeMessage } from '../inbox/index.ts';
import { breakOff, untilLeft } from './break-off.ts';
import { generate } from './generate.ts';
import { changesOf, endOf, warningsOf } from './opening.ts';
import { Turn } from './turn.ts';

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
interface Found {
  /** Whether another process has written meanwhile. */
  readonly hasChanged: boolean;
  /** Whether another process has cancelled the turn that goes on. */
  readonly isCancelled: boolean;
}

/** Takes the right to write the session, and what other processes have posted until then. */
async function hold({ context, plan, stop }: TurnRun): Promise<Found> {
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
