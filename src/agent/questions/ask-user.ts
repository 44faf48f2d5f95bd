import type { AgentContext } from '../context/index.ts';
import { readAskedBy } from '../events/index.ts';
import { changedTools } from '../state/index.ts';
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
      const { source, ...answer } = await remote.approvals.first(one.approvalId, {
        signal,
        since: log.state.askedAt.get(one.approvalId) ?? 0,
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
      return binding ? [questionAgain(one, binding, state, layer)] : [];
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
