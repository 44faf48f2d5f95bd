import { Recent } from '../../tools/values/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';

/** Answers that are kept while their question is not asked yet. */
const MAX_EARLY = 1_000;

/**
 * Answers of other processes to approvals, by approval id. An answer that comes before its question is asked
 * here waits for it: questions are asked one after the other, and another process may show all at once.
 */
export class RemoteAnswers {
  readonly #early = new Recent<ApprovalAnswer>(MAX_EARLY);
  readonly #waiting = new Map<string, (answer: ApprovalAnswer) => void>();

  /** Gives an answer to its question, now or when the question is asked. */
  give(approvalId: string, answer: ApprovalAnswer): void {
    const take = this.#waiting.get(approvalId);
    if (take) take(answer);
    else this.#early.set(approvalId, answer);
  }

  /** The answer that came before the question. It is given out once. */
  early(approvalId: string): ApprovalAnswer | undefined {
    const answer = this.#early.get(approvalId);
    this.#early.delete(approvalId);
    return answer;
  }

  /** Calls `take` with each answer from now on. Returns a function that ends this. */
  wait(approvalId: string, take: (answer: ApprovalAnswer) => void): () => void {
    this.#waiting.set(approvalId, take);
    return () => this.#waiting.delete(approvalId);
  }

  /** Drops an answer that was given to an earlier form of the question. */
  forget(approvalId: string): void {
    this.#early.delete(approvalId);
  }
}
