import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { pick, queueOfWork } from '@toolfold/core/internal/tools/values';
import type { ApprovalPolicy } from '../approvals/index.ts';
import type { Elicitations } from '../elicitations/index.ts';
import { readAskedBy } from '../events/index.ts';
import type { SubagentAnswer, SubagentQuestion, SubagentTask } from './engine/index.ts';

/** Asks a question of a child. Denied if the user cannot be asked, or if the signal fires before. */
export type AskParent = (
  task: SubagentTask,
  question: SubagentQuestion,
  signal: AbortSignal,
) => Promise<SubagentAnswer>;

/** Forwards questions of children to the parent's user, one at a time, with the name of the child. */
export function askParent(parent: {
  readonly policy: Pick<ApprovalPolicy, 'settle'>;
  readonly elicitations: Pick<Elicitations, 'ask'>;
}): AskParent {
  const inOrder = queueOfWork();

  const askNext: AskParent = async (task, question, signal) => {
    const { id, asker, elicitation, ...asked } = question;
    if (signal.aborted) return { approved: false };
    const subagent = asker === undefined ? task.id : `${task.id}/${asker}`;
    try {
      if (elicitation) {
        const answer = await parent.elicitations.ask({ ...elicitation, subagent, signal });
        return { approved: answer.action === 'accept', elicitation: answer };
      }
      const about = { ...pick(asked, 'name', 'arguments', 'reason'), ...readAskedBy(asked) };
      const given = { id: `${task.child}/${id}`, ...about, subagent, signal };
      return pick(await parent.policy.settle(given), 'approved', 'reason');
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  };

  return (...given) => inOrder(() => askNext(...given));
}
