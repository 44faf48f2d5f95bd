import type { Settled } from '../approvals/index.ts';
import type { AgentContext } from '../context/index.ts';
import { changedTools } from '../conversation/index.ts';
import { type ApprovalAnswer, readAskedBy } from '../events/index.ts';
import { answerOf, entryOf, type Question, questionAgain } from './questions.ts';

/** Asks the user about each call, and again if the tool or its arguments have changed since then. */
export async function askUser(
  context: AgentContext,
  asked: readonly Question[],
  signal: AbortSignal,
): Promise<void> {
  const { log, policy, remote, options } = context;
  const { layer } = options.fold;
  let open = asked;
  while (open.length > 0) {
    for (const one of open) {
      const request = requestOf(one);
      const { source, ...answer } = await firstOf(context, one.approvalId, signal, {
        ask: (asking) => policy.settle({ ...request, signal: asking }),
        take: (given) => policy.take(request, given),
      });
      await log.append(answerOf(layer, one, answer, source));
    }
    const { state } = log;
    const approved = open.filter(({ approvalId }) => state.answers.get(approvalId)?.approved);
    const changed = await changedTools(state.messages, approved, layer, signal, true);
    open = approved.flatMap((one) => {
      const binding = changed.get(one.id);
      if (!binding) return [];
      remote.forget(one.approvalId);
      return questionAgain(one, binding, state, layer);
    });
    await log.append(...open.map((one) => entryOf(layer, one)));
  }
}

/** What the user is asked. */
function requestOf({ id, name, arguments: given, reason, changes, ...asked }: Question) {
  return {
    ...{ id, name, arguments: given },
    ...(reason === undefined ? {} : { reason }),
    ...(changes === undefined ? {} : { changes }),
    ...readAskedBy(asked),
  };
}

interface Answering {
  readonly ask: (signal: AbortSignal) => Promise<Settled>;
  /** Takes an answer of another process. */
  readonly take: (answer: ApprovalAnswer) => Settled;
}

/** The answer of this process's user, or that of another process, whichever comes first. */
async function firstOf(
  { remote }: AgentContext,
  approvalId: string,
  signal: AbortSignal,
  { ask, take }: Answering,
): Promise<Settled> {
  const early = remote.early(approvalId);
  if (early) return take(early);
  const given = new AbortController();
  const elsewhere = Promise.withResolvers<Settled>();
  const end = remote.wait(approvalId, (answer) => elsewhere.resolve(take(answer)));
  const asked = ask(AbortSignal.any([signal, given.signal]));
  try {
    return await Promise.race([asked, elsewhere.promise]);
  } finally {
    end();
    // The question is withdrawn if another process has answered it.
    given.abort();
    asked.catch(() => {});
  }
}
