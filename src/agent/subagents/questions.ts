import { errorMessage } from '../../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../events/index.ts';
import type { SubagentAnswer, SubagentQuestion, SubagentTask } from './engine/index.ts';

/** Asks the parent's user. */
export type AskUser = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

/** Forwards approval questions of children to the parent's user, one at a time, with the name of the child. */
export class Questions {
  readonly #askUser: AskUser;
  #last: Promise<unknown> = Promise.resolve();

  constructor(askUser: AskUser) {
    this.#askUser = askUser;
  }

  /** Denied if the user cannot be asked, or if `signal` fires before the question is asked. */
  ask(
    task: SubagentTask,
    question: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    const answer = this.#last.then(() => this.#askNext(task, question, signal));
    this.#last = answer;
    return answer;
  }

  async #askNext(
    task: SubagentTask,
    { id, asker, name, arguments: given, reason }: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    if (signal.aborted) return { approved: false };
    try {
      const { approved, reason: userReason } = await this.#askUser({
        id: `${task.child}/${id}`,
        name,
        arguments: given,
        ...(reason === undefined ? {} : { reason }),
        subagent: asker === undefined ? task.id : `${task.id}/${asker}`,
        signal,
      });
      return userReason === undefined ? { approved } : { approved, reason: userReason };
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  }
}
