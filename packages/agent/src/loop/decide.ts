import { raceAbort } from '@toolfold/core/internal/values';
import type { UnknownChoice, Write } from '../entries/index.ts';
import { type ApprovalAnswer, type EndReason, readAskedBy } from '../events/index.ts';
import {
  type AgentOptions,
  type AskedUnknownCall,
  type Remote,
  withinScope,
} from '../options/index.ts';
import { askedEvent, changedTools, USER_WROTE } from '../state/index.ts';
import type { AgentContext } from './context.ts';
import { type ApprovalEntry, answerOf, entryOf, questionAgain } from './questions.ts';

/**
 * Asks the user about these calls and about those that are open, and again about each whose tool or arguments have
 * changed since then. Ends the turn with `approval` if the app cannot ask.
 */
export async function decide(
  context: AgentContext,
  questions: readonly ApprovalEntry[],
  signal: AbortSignal,
): Promise<EndReason | undefined> {
  const { log, policy, remote, options, steering } = context;
  const { layer } = options.fold;
  const open = () => {
    const ids = new Set([...questions, ...log.state.pending].map(({ approvalId }) => approvalId));
    return [...ids].flatMap((id) => log.state.asked.get(id) ?? []).filter(({ answer }) => !answer);
  };
  // The questions of an earlier process say what has changed since.
  const before = open().map(({ question }) => question);
  await askAgain(context, before, false, signal);
  await log.append(...questions.map((one) => entryOf(layer, one)));
  for (let asked = open(); asked.length > 0; asked = open()) {
    await raceAbort(log.look(), signal);
    if (steering.isDue) {
      await log.append(...asked.map(({ question }) => withdrawn(layer, question)));
      break;
    }
    // Another process may have answered what the app cannot ask.
    const settled = policy.canAsk
      ? asked
      : asked.filter(({ question }) => isAnswered(context, question.approvalId));
    if (settled.length === 0) return 'approval';
    for (const [index, { question, at }] of settled.entries()) {
      const { type: _, approvalId, ...request } = askedEvent(question);
      const position = { at: index + 1, of: settled.length };
      const ask = (asking: AbortSignal) => policy.settle({ ...request, position, signal: asking });
      const either = AbortSignal.any([signal, steering.written]);
      const given = await remote.answer
        .first(approvalId, { signal: either, since: at, ask })
        .catch((error) => {
          if (signal.aborted || !steering.isDue) throw error;
        });
      // What the user wrote is no answer. The model may call again, and the user is asked again.
      if (!given) break;
      const { source, ...answer } = 'source' in given ? given : policy.take(request, given);
      await log.append(answerOf(layer, question, answer, source));
    }
    await askAgain(context, approvedOf(context), true, signal);
  }
  return;
}

/** The entry of a question that is not asked any more, because the user wrote: the call does not run. */
function withdrawn(
  layer: AgentContext['options']['fold']['layer'],
  question: ApprovalEntry,
): Write {
  return answerOf(layer, question, { approved: false, reason: USER_WROTE }, 'policy');
}

/** Whether another process has answered a question that is not asked here yet. */
export function isAnswered({ remote, log }: AgentContext, approvalId: string): boolean {
  const { at } = log.state.asked.get(approvalId) ?? {};
  return at !== undefined && remote.answer.has(approvalId, at);
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
  const { log, policy, options, remote } = context;
  const answers = log.state.pending.flatMap((one) => {
    const { approvalId } = one;
    const { at = Infinity } = log.state.asked.get(approvalId) ?? {};
    // What another process posted before this turn was the first answer.
    const posted = remote.answer.take(approvalId, at);
    const answer = posted ?? (Object.hasOwn(given, approvalId) && given[approvalId]);
    return answer ? [answerOf(options.fold.layer, one, withinScope(one, answer), 'user')] : [];
  });
  await log.append(...answers);
  if (log.state.pending.length === 0) await askAgain(context, approvedOf(context), true, signal);
  const { pending, decided } = log.state;
  if (pending.length === 0) {
    for (const [one, answer] of decided)
      policy.take({ name: one.name, ...readAskedBy(one) }, answer);
    return;
  }
  for (const one of pending) await log.emit(one);
  return 'approval';
}

/** The questions about open calls that the user has approved. */
function approvedOf({ log }: AgentContext): readonly ApprovalEntry[] {
  return log.state.decided.flatMap(([one, { approved }]) => (approved ? [one] : []));
}

/** Asks again about the calls whose tool or arguments have changed since they were asked. */
async function askAgain(
  { log, options }: AgentContext,
  asked: readonly ApprovalEntry[],
  areApproved: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { layer } = options.fold;
  const changed = await changedTools(log.state.messages, asked, layer, signal, areApproved);
  const again = asked.flatMap((one) => {
    const binding = changed.get(one.id);
    return binding ? [entryOf(layer, questionAgain(one, binding, layer))] : [];
  });
  await log.append(...again);
}

/** What the user decides about an unknown call, here or in another process. Undefined if the turn is cancelled. */
export function decideUnknown(
  { signal, ...call }: AskedUnknownCall,
  choices: Remote['unknown'],
  onUnknown: AgentOptions['onUnknown'],
): Promise<UnknownChoice | undefined> {
  return choices.first(call.id, {
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
  });
}
