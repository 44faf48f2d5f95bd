import type { AgentState } from './agent-state.ts';
import { askUser, CHANGED } from './ask-user.ts';
import { answered, changedTools, rebound } from './conversation/index.ts';
import type { AgentEvent, ApprovalAnswer, EndReason, PendingApproval } from './events/index.ts';
import type { Write } from './journal/index.ts';
import type { Turn } from './turn/index.ts';
import type { AgentContext } from './turn-settings.ts';

interface Parts {
  readonly context: AgentContext;
  readonly state: AgentState;
}

type Steps = AsyncGenerator<AgentEvent, EndReason | undefined>;

/** Asks the user if the app can ask. Otherwise ends the turn with `approval`. */
export async function* decide(
  { context, state }: Parts,
  asked: readonly PendingApproval[],
  turn: Turn,
  signal: AbortSignal,
): Steps {
  const { policy, options } = context;
  const { layer } = options.fold;
  const { journal } = state;
  if (asked.length === 0) return undefined;
  await journal.write(...asked.map(({ type: _, ...one }): Write => ['approval', one]));
  if (!policy.canAsk) {
    state.pending.replace([...asked]);
    return 'approval';
  }
  const { reached, answers } = yield* askUser(asked, turn.reached, {
    policy,
    layer,
    signal,
    remote: state.remote,
    onAnswer: (one, answer) => journal.write(answerOf(context, one, answer)),
  });
  await state.keep([...reached, ...answered(answers)]);
  turn.begin(state.messages);
  return undefined;
}

/** Continues with the user's answers. Asks again about each tool that changed after the first question. */
export async function* applyAnswers(
  { context, state }: Parts,
  given: Readonly<Record<string, ApprovalAnswer>>,
  turn: Turn,
  signal: AbortSignal,
): Steps {
  const { layer } = context.options.fold;
  const { pending, journal } = state;
  const answers = pending.asked.flatMap((one) => {
    const answer = given[one.approvalId];
    return answer ? [answerOf(context, one, answer)] : [];
  });
  await journal.write(...answers);
  if (pending.open.length === 0) {
    const changed = await changedTools(turn.reached, pending.approved, layer, signal);
    await state.keep(rebound(turn.reached, changed));
    turn.begin(state.messages);
    if (changed.size > 0) {
      pending.reopen(changed, CHANGED);
      await journal.write(...pending.open.map(({ type: _, ...one }): Write => ['approval', one]));
    }
  }
  if (pending.open.length > 0) {
    yield* pending.open;
    return 'approval';
  }
  for (const [name, answer] of pending.answers) context.policy.remember(name, answer);
  await state.keep([...state.messages, ...pending.messages]);
  turn.begin(state.messages);
  pending.replace([]);
  return undefined;
}

function answerOf(
  { options }: AgentContext,
  { approvalId, id, name }: PendingApproval,
  { approved, scope, reason }: ApprovalAnswer,
): Write {
  const fingerprint = options.fold.layer.fingerprintOf(name);
  return [
    'answer',
    {
      approvalId,
      id,
      name,
      approved,
      ...(scope === undefined ? {} : { scope }),
      ...(reason === undefined ? {} : { reason }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  ];
}
