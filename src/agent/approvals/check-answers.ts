import { invalidOption, ToolfoldError } from '../../errors.ts';
import type { ApprovalAnswer, PendingApproval } from '../events/index.ts';
import { isAnswer } from './is-answer.ts';

/** Throws `invalid-option` if no approval is pending, if an id is unknown, or if something is no answer. */
export function checkAnswers(
  pending: readonly PendingApproval[],
  answers: Readonly<Record<string, ApprovalAnswer>>,
): void {
  const ids = pending.map(({ approvalId }) => approvalId);
  const unknown = Object.keys(answers).find((id) => !ids.includes(id));
  if (unknown !== undefined || ids.length === 0) {
    throw new ToolfoldError(
      'invalid-option',
      unknown === undefined ? 'No approval is pending.' : `No approval "${unknown}" is pending.`,
      'Use the approval ids in `agent.pending`.',
    );
  }
  for (const [id, answer] of Object.entries(answers)) {
    if (!isAnswer(answer))
      throw invalidOption(`answers.${id}`, '{ approved: true } or { approved: false }');
  }
}
