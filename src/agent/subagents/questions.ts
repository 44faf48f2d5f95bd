import { errorMessage } from '../../errors.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { queueOfWork } from '../../tools/values/index.ts';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedElicitation,
  readAskedBy,
} from '../events/index.ts';
import type { SubagentAnswer, SubagentQuestion, SubagentTask } from './engine/index.ts';

/** How the parent's user is asked. */
export interface ParentUser {
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Passes on what a server asks. */
  readonly elicit: (asked: AskedElicitation) => Promise<ElicitationAnswer>;
}

/** Asks a question of a child. Denied if the user cannot be asked, or if the signal fires before. */
export type AskParent = (
  task: SubagentTask,
  question: SubagentQuestion,
  signal: AbortSignal,
) => Promise<SubagentAnswer>;

/** Forwards questions of children to the parent's user, one at a time, with the name of the child. */
export function askParent({ ask, elicit }: ParentUser): AskParent {
  const inOrder = queueOfWork();

  const askNext: AskParent = async (task, question, signal) => {
    const { id, asker, name, arguments: given, reason, elicitation, ...asked } = question;
    if (signal.aborted) return { approved: false };
    const subagent = asker === undefined ? task.id : `${task.id}/${asker}`;
    try {
      if (elicitation) {
        const answer = await elicit({ ...elicitation, subagent, signal });
        return { approved: answer.action === 'accept', elicitation: answer };
      }
      const { approved, reason: userReason } = await ask({
        id: `${task.child}/${id}`,
        name,
        arguments: given,
        ...(reason === undefined ? {} : { reason }),
        ...readAskedBy(asked),
        subagent,
        signal,
      });
      return userReason === undefined ? { approved } : { approved, reason: userReason };
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  };

  return (...given) => inOrder(() => askNext(...given));
}
