import { errorMessage } from '../../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../events/index.ts';
import type { SubagentAnswer, SubagentQuestion, SubagentTask } from './engine/index.ts';

/** Asks the parent's user. */
export type AskUser = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

/** What children ask the parent's user: one question behind the other, with the child that asks named. */
export class Questions {
  readonly #askUser: AskUser;
  #last: Promise<unknown> = Promise.resolve();

  constructor(askUser: AskUser) {
    this.#askUser = askUser;
  }

  /** Refused where the user cannot be asked, or where `signal` has fired before it is its turn. */
  ask(
    task: SubagentTask,
    question: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    const answer = this.#last.then(() => this.#put(task, question, signal));
    this.#last = answer;
    return answer;
  }

  async #put(
    task: SubagentTask,
    { id, asker, name, arguments: given, reason }: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    if (signal.aborted) return { approved: false };
    try {
      const { approved, reason: said } = await this.#askUser({
        id: `${task.child}/${id}`,
        name,
        arguments: given,
        ...(reason === undefined ? {} : { reason }),
        subagent: asker === undefined ? task.id : `${task.id}/${asker}`,
        signal,
      });
      return said === undefined ? { approved } : { approved, reason: said };
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  }
}
