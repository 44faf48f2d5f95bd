import { viewOf } from '@toolfold/core/internal/registry';
import { raceAbort, within } from '@toolfold/core/internal/values';
import type { Write } from '../entries/index.ts';
import { type AnswerRecorder, type Log, withdrawalOf } from '../log/index.ts';
import { NOT_RUN, type OpenAnswer, openCalls } from '../state/index.ts';
import { SUBAGENTS, TOOL_GRACE } from '../tasks/index.ts';
import { closings } from './call-log.ts';
import type { AgentContext } from './context.ts';
import type { Turn } from './turn.ts';

/** Milliseconds that the end of a broken turn waits for its entries to be written. */
const WRITE_GRACE = 1_000;

/**
 * Ends a turn that was cancelled or failed: waits for its running tools, and writes what became of its calls. Resolves
 * with whether that is written; else it is still being written.
 */
export async function breakOff(
  context: AgentContext,
  turn: Turn,
  isCancelled: boolean,
): Promise<boolean> {
  const { log } = context;
  const { running } = turn;
  const settled = (all: readonly unknown[]) => within(TOOL_GRACE, Promise.allSettled(all));
  const runs = (isOfTeam: boolean) =>
    [...running.values()].flatMap(({ name, promise }) =>
      (name === SUBAGENTS) === isOfTeam ? [promise] : [],
    );
  // The team waits for its children, and the children wait for their tools.
  await Promise.all([context.team?.idle(), settled([turn.reading, ...runs(false)])]);
  // Hooks may still process the report of the subagents.
  await settled(runs(true));
  turn.isOver = true;
  const isWritten = await within(
    WRITE_GRACE,
    log.settled().then(() => true),
  );
  for (const name of new Set([...running.values()].map(({ name }) => name))) {
    const text = `The tool ${name} is still running. It did not stop after the cancellation.`;
    void log.report({ type: 'warning', text });
  }
  const unpaid = context.meter.interruptedUsage(!isCancelled);
  if (unpaid) void log.report(unpaid);
  // A log that cannot be written says nothing of what did not run: the turn can go on where it was.
  if (log.failure) {
    if (turn.recorder.isInFlight) turn.recorder.withdraw();
    return true;
  }
  const closed = log.append(...brokenOff(context, turn)).catch(() => {});
  if (isWritten && (await untilLeft(closed, turn.signal))) return true;
  log.hurry();
  const text = 'The session cannot be written at present. The next turn begins when it could.';
  void log.report({ type: 'warning', text });
  return false;
}

/** Waits for the work of a store, and once the turn is cancelled for a moment only. Resolves with whether it is done. */
export async function untilLeft(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const done = work.then(() => true as const);
  const left = raceAbort(done, signal).catch((error) => {
    if (signal.aborted) return within(WRITE_GRACE, done);
    throw error;
  });
  return (await left) === true;
}

/** The entries about the last answer: what became of its calls, or that it is not kept. */
function brokenOff({ log, isReal }: AgentContext, turn: Turn): Write[] {
  const { state } = log;
  const { recorder } = turn;
  const { answer, runs } = state;
  const calls = (answer?.content ?? []).filter((part) => part.type === 'tool-call');
  const hasRun = turn.hasRun || calls.some(({ toolCallId }) => runs.has(toolCallId));
  // Calls that the user may still be asked about, or has approved, stay open unless some of them have run.
  const waiting = hasRun ? new Set(state.pending.map(({ id }) => id)) : state.askedCalls;
  if (recorder.isInFlight) return [interrupted(log, recorder)];
  if (hasRun || calls.length === 0 || waiting.size > 0 || !answer)
    return closings(state, { isReal, reason: NOT_RUN, waiting });
  return [interrupted(log, recorder, answer)];
}

/** The entry of an answer that is not kept. `answer`: it is complete, but none of its calls has run. */
function interrupted({ state, open }: Log, { note }: AnswerRecorder, answer?: OpenAnswer): Write {
  const said = (type: 'text' | 'reasoning') =>
    answer?.content.flatMap((part) => (part.type === type ? [part.text] : [])).join('') ??
    open[type];
  const [text, reasoning] = [said('text'), said('reasoning')];
  const isBlank = text.trim() === '';
  const { calls } = answer ? state : open;
  const withdrawn = withdrawalOf({ text: isBlank ? text : '', reasoning, calls });
  return [
    'interrupted',
    {
      text: isBlank ? '' : text,
      ...(answer && state.answered ? { answer: state.answered.seq } : {}),
      ...(note ? { note } : {}),
      ...(withdrawn ? { withdrawn } : {}),
    },
  ];
}

/**
 * Closes an answer of an earlier process if a tool that had started for it is gone here, or not allowed. If
 * it were read again, the call would be refused, although it may have taken effect. Recorded results stay,
 * the user is asked about calls without one, and the other calls were not run.
 */
export async function closeLost(context: AgentContext, turn: Turn): Promise<void> {
  const { replay } = turn.recorder;
  const { log, calls, isReal } = context;
  const { runs } = log.state;
  if (!replay) return;
  const started = openCalls([{ role: 'assistant', content: replay.content }]).filter(({ id }) =>
    runs.has(id),
  );
  if (!started.some(({ name }) => isLost(context, name))) return;
  for (const { id, name, input } of started)
    await log.append(...(await calls.close({ id, name, input }, turn.signal)));
  await log.append(...closings(log.state, { isReal }));
  turn.recorder.replay = undefined;
}

function isLost({ options: { fold, role } }: AgentContext, name: string): boolean {
  const { layer, roles } = fold;
  if (layer.bindingOf(name) !== undefined)
    return !viewOf(roles, role).allows(layer.addressOf(name));
  // A group that names its tools when it loads may still have it.
  return !layer.known().unnamed.some(({ prefix }) => name.startsWith(prefix));
}
