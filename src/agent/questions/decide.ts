import { raceAbort } from '../../tools/values/index.ts';
import { withinScope } from '../approvals/index.ts';
import type { AgentContext } from '../context/index.ts';
import type { UnknownChoice } from '../entries/index.ts';
import { type ApprovalAnswer, type EndReason, readAskedBy } from '../events/index.ts';
import type { Remote } from '../inbox/index.ts';
import type { AgentOptions, AskedUnknownCall } from '../options/index.ts';
import { askedEvent, changedTools } from '../state/index.ts';
import { answerOf, entryOf, type Question, questionAgain } from './questions.ts';

/** Asks the user if the app can ask. Otherwise ends the turn with `approval`. */
export async function decide(
  context: AgentContext,
  asked: readonly Question[],
  signal: AbortSignal,
): Promise<EndReason | undefined> {
  if (asked.length === 0) return;
  const { log, policy, options } = context;
  // The questions of an earlier process say what has changed since.
  const before = asked.filter(({ approvalId }) => log.state.asked.has(approvalId));
  const changed = await changedOf(context, before, false, signal);
  const open = asked.map(
    (one) => changed.find(({ approvalId }) => approvalId === one.approvalId) ?? one,
  );
  // What was asked before, and has not changed, is written.
  const isNew = (one: Question) => !asked.includes(one) || !log.state.asked.has(one.approvalId);
  await log.append(...open.filter(isNew).map((one) => entryOf(options.fold.layer, one)));
  if (!policy.canAsk) return 'approval';
  await askUser(context, open, signal);
  return;
}

/** Asks the user about each call, and again if the tool or its arguments have changed since then. */
async function askUser(
  context: AgentContext,
  asked: readonly Question[],
  signal: AbortSignal,
): Promise<void> {
  const { log, policy, remote, options } = context;
  let open = asked;
  while (open.length > 0) {
    for (const one of open) {
      const { type: _, approvalId, ...request } = askedEvent(one);
      const { source, ...answer } = await remote.answer.first(approvalId, {
        signal,
        since: log.state.asked.get(approvalId)?.at ?? 0,
        ask: (asking) => policy.settle({ ...request, signal: asking }),
        take: (given) => policy.take(request, given),
      });
      await log.append(answerOf(options.fold.layer, one, answer, source));
    }
    const approved = open.filter(
      ({ approvalId }) => log.state.asked.get(approvalId)?.answer?.approved,
    );
    open = await askAgain(context, approved, signal);
  }
}

/**
 * Goes on with the user's answers. Asks again about each tool that changed after the first question. Ends the turn
 * with `approval` while one is open.
 */
export async function applyAnswers(
  context: AgentContext,
  given: Readonly<Record<string, ApprovalAnswer>>,
  signal: AbortSignal,
): Promise<EndReason | undefined> {
  const { log, policy, options } = context;
  const { asked } = log.state;
  const answers = Object.entries(given).flatMap(([approvalId, answer]) => {
    const one = asked.get(approvalId)?.question;
    const within = one && withinScope(readAskedBy(one), answer);
    return within ? [answerOf(options.fold.layer, one, within, 'user')] : [];
  });
  await log.append(...answers);
  if (log.state.pending.length === 0) {
    const approved = log.state.decided.flatMap(([one, { approved }]) => (approved ? [one] : []));
    await askAgain(context, approved, signal);
  }
  const { pending, decided } = log.state;
  if (pending.length === 0) {
    for (const [one, answer] of decided)
      policy.take({ name: one.name, ...readAskedBy(one) }, answer);
    return;
  }
  for (const one of pending) await log.emit(one);
  return 'approval';
}

/** Writes the questions about approved calls that have to be asked again, and returns them. */
async function askAgain(
  context: AgentContext,
  approved: readonly Question[],
  signal: AbortSignal,
): Promise<readonly Question[]> {
  const again = await changedOf(context, approved, true, signal);
  await context.log.append(...again.map((one) => entryOf(context.options.fold.layer, one)));
  return again;
}

/** The questions whose tool or arguments have changed since they were asked, as they are to be asked now. */
async function changedOf(
  { log, options }: AgentContext,
  asked: readonly Question[],
  areApproved: boolean,
  signal: AbortSignal,
): Promise<readonly Question[]> {
  const { state } = log;
  const { layer } = options.fold;
  const changed = await changedTools(state.messages, asked, layer, signal, areApproved);
  return asked.flatMap((one) => {
    const binding = changed.get(one.id);
    return binding ? [questionAgain(one, binding, state, layer)] : [];
  });
}

/** What the user decides about an unknown call, here or in another process. Undefined if the turn is cancelled. */
export function decideUnknown(
  { signal, ...call }: AskedUnknownCall,
  choices: Remote['unknown'],
  onUnknown: AgentOptions['onUnknown'],
): Promise<UnknownChoice | undefined> {
  return choices.first<UnknownChoice | undefined>(call.id, {
    signal,
    since: call.startedAt ?? 0,
    ask: async (asking) => {
      try {
        return await raceAbort(Promise.resolve(onUnknown?.({ ...call, signal: asking })), asking);
      } catch (error) {
        if (asking.aborted) return;
        throw error;
      }
    },
    take: (choice) => choice,
  });
}
