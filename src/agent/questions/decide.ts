import { withinScope } from '../approvals/index.ts';
import type { AgentContext } from '../context/index.ts';
import type { ApprovalAnswer, EndReason } from '../events/index.ts';
import { changedTools } from '../state/index.ts';
import { askUser } from './ask-user.ts';
import { answerOf, entryOf, type Question, questionAgain, shownIn } from './questions.ts';

/** Asks the user if the app can ask. Otherwise ends the turn with `approval`. */
export async function decide(
  context: AgentContext,
  asked: readonly Question[],
  signal: AbortSignal,
): Promise<EndReason | undefined> {
  if (asked.length === 0) return;
  const { log, policy, options } = context;
  const { layer } = options.fold;
  const open = await compared(context, asked, signal);
  // What was asked before, and has not changed, is written.
  const isNew = (one: Question) => !asked.includes(one) || !log.state.asked.has(one.approvalId);
  await log.append(...open.filter(isNew).map((one) => entryOf(layer, one)));
  if (!policy.canAsk) return 'approval';
  await askUser(context, open, signal);
  return;
}

/** The questions of an earlier process say what has changed since. */
async function compared(
  { log, options }: AgentContext,
  asked: readonly Question[],
  signal: AbortSignal,
): Promise<readonly Question[]> {
  const { state } = log;
  const { layer } = options.fold;
  const before = asked.filter((one) => shownIn(state, one));
  const changed = await changedTools(state.messages, before, layer, signal, false);
  return asked.map((one) => {
    const binding = changed.get(one.id);
    return binding ? questionAgain(one, binding, state, layer) : one;
  });
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
  const { layer } = options.fold;
  const { asked } = log.state;
  const answers = Object.entries(given).flatMap(([approvalId, answer]) => {
    const one = asked.get(approvalId);
    return one ? [answerOf(layer, one, withinScope(questionIn(one), answer), 'user')] : [];
  });
  await log.append(...answers);
  if (log.state.pending.length === 0) {
    const { state } = log;
    const approved = state.decided.flatMap(([one, { approved }]) => (approved ? [one] : []));
    const changed = await changedTools(state.messages, approved, layer, signal, true);
    const again = approved.flatMap((one) => {
      const binding = changed.get(one.id);
      return binding ? [questionAgain(one, binding, state, layer)] : [];
    });
    await log.append(...again.map((one) => entryOf(layer, one)));
  }
  const { pending, decided } = log.state;
  if (pending.length === 0) {
    for (const [one, answer] of decided) policy.remember(questionIn(one), answer);
    return;
  }
  for (const one of pending) await log.emit(one);
  return 'approval';
}

/** A question of an earlier version counts as that of a hook. */
function questionIn({ name, askedBy = 'hook', askKey }: Question) {
  return { name, askedBy, ...(askKey === undefined ? {} : { askKey }) };
}
