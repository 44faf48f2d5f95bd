import { askedAgain, definitionIn, type Shown } from '../approvals/index.ts';
import { answered, changedTools, rebound } from '../conversation/index.ts';
import {
  type AgentEvent,
  type ApprovalAnswer,
  type EndReason,
  type PendingApproval,
  readAskedBy,
} from '../events/index.ts';
import type { Write } from '../journal/index.ts';
import type { Turn } from '../turn/index.ts';
import type { AgentState } from './agent-state.ts';
import { askUser } from './ask-user.ts';
import type { AgentContext } from './turn-settings.ts';

interface Parts {
  readonly context: AgentContext;
  readonly state: AgentState;
}

type Steps = AsyncGenerator<AgentEvent, EndReason | undefined>;

/** Asks the user if the app can ask. Otherwise ends the turn with `approval`. */
export async function* decide(
  parts: Parts,
  asked: readonly PendingApproval[],
  turn: Turn,
  signal: AbortSignal,
): Steps {
  if (asked.length === 0) return undefined;
  const { context, state } = parts;
  const { policy, options } = context;
  const { layer } = options.fold;
  const { journal } = state;
  const open = await compared(parts, asked, turn, signal);
  for (const one of open) if (!asked.includes(one)) state.remote.forget(one.approvalId);
  const onAsk = (questions: readonly PendingApproval[]) =>
    journal.write(...questions.map((one) => entryOf(context, one)));
  if (!policy.canAsk) {
    await onAsk(open);
    state.pending.replace([...open]);
    return 'approval';
  }
  const { reached, answers } = yield* askUser(open, turn.reached, {
    policy,
    layer,
    signal,
    remote: state.remote,
    onAsk,
    shown: (one) => shownIn(state, one),
    onAnswer: (one, answer) => journal.write(answerOf(context, one, answer)),
  });
  await state.keep([...reached, ...answered(answers)]);
  turn.begin(state.messages);
  return undefined;
}

/** The questions of an earlier process say what has changed since. Their calls are bound to the present tools. */
async function compared(
  { context, state }: Parts,
  asked: readonly PendingApproval[],
  turn: Turn,
  signal: AbortSignal,
): Promise<readonly PendingApproval[]> {
  const { layer } = context.options.fold;
  const before = asked.filter((one) => shownIn(state, one));
  const changed = await changedTools(turn.reached, before, layer, signal, false);
  if (changed.size === 0) return asked;
  turn.begin(rebound(turn.reached, changed));
  return asked.map((one) => {
    const now = changed.get(one.id);
    return now ? { ...one, ...askedAgain(one, now.input, shownIn(state, one), layer) } : one;
  });
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
  const answers = pending.answers.flatMap(([one, answer]) =>
    Object.hasOwn(given, one.approvalId) ? [answerOf(context, one, answer)] : [],
  );
  await journal.write(...answers);
  if (pending.open.length === 0) {
    const changed = await changedTools(turn.reached, pending.approved, layer, signal, true);
    await state.keep(rebound(turn.reached, changed));
    turn.begin(state.messages);
    if (changed.size > 0) {
      const again = pending.asked.flatMap((one) => {
        const now = changed.get(one.id);
        if (!now) return [];
        return [[one.id, askedAgain(one, now.input, shownIn(state, one), layer)] as const];
      });
      pending.reopen(new Map(again));
      await journal.write(...pending.open.map((one) => entryOf(context, one)));
    }
  }
  if (pending.open.length > 0) {
    yield* pending.open;
    return 'approval';
  }
  for (const [asked, answer] of pending.answers) context.policy.remember(asked, answer);
  await state.keep([...state.messages, ...pending.messages]);
  turn.begin(state.messages);
  pending.replace([]);
  return undefined;
}

/** What the user was shown of a call the last time. */
function shownIn({ journal }: AgentState, { approvalId }: PendingApproval): Shown | undefined {
  const asked = journal.state.asked.get(approvalId);
  return asked && { definition: asked.definition, arguments: asked.arguments };
}

function entryOf({ options }: AgentContext, { type: _, ...one }: PendingApproval): Write {
  const definition = definitionIn(options.fold.layer, one.name);
  return ['approval', { ...one, ...(definition === undefined ? {} : { definition }) }];
}

function answerOf(
  { options }: AgentContext,
  { approvalId, id, name, ...asked }: PendingApproval,
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
      ...readAskedBy(asked),
      ...(scope === undefined ? {} : { scope }),
      ...(reason === undefined ? {} : { reason }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  ];
}
