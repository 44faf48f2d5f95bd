import { errorMessage } from '../../errors.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { type InOrder, queueOfWork } from '../../tools/values/index.ts';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedElicitation,
  readAskedBy,
} from '../events/index.ts';
import type { SubagentAnswer, SubagentQuestion, SubagentTask } from './engine/index.ts';

/** Asks the parent's user. */
export type AskUser = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

/** Passes what a server asks to the parent's user. */
export type Elicit = (asked: AskedElicitation) => Promise<ElicitationAnswer>;

/** Forwards questions of children to the parent's user, one at a time, with the name of the child. */
export class Questions {
  readonly #askUser: AskUser;
  readonly #elicit: Elicit;
  readonly #inOrder: InOrder = queueOfWork();

  constructor(askUser: AskUser, elicit: Elicit) {
    this.#askUser = askUser;
    this.#elicit = elicit;
  }

  /** Denied if the user cannot be asked, or if `signal` fires before the question is asked. */
  ask(
    task: SubagentTask,
    question: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    return this.#inOrder(() => this.#askNext(task, question, signal));
  }

  async #askNext(
    task: SubagentTask,
    { id, asker, name, arguments: given, reason, elicitation, ...asked }: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    if (signal.aborted) return { approved: false };
    const subagent = asker === undefined ? task.id : `${task.id}/${asker}`;
    try {
      if (elicitation) {
        const answer = await this.#elicit({ ...elicitation, subagent, signal });
        return { approved: answer.action === 'accept', elicitation: answer };
      }
      const { approved, reason: userReason } = await this.#askUser({
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
  }
}
