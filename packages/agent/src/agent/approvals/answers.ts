import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { ApprovalAnswer, ApprovalScope, AskedBy, PendingApproval } from '../events/index.ts';

/** Whether a value says clearly that a call is approved or not. It may come from an app or another process. */
export function isAnswer(value: unknown): value is ApprovalAnswer {
  return typeof ownProperty(value, 'approved') === 'boolean';
}

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
    const { scope } = answer;
    if (scope !== undefined && !SCOPES.includes(scope))
      throw invalidOption(`answers.${id}.scope`, SCOPES.map((one) => `"${one}"`).join(' or '));
  }
}

const SCOPES: readonly ApprovalScope[] = ['once', 'session', 'always'];

/** How long an approval of a call may hold: a hook's question has no approval for always. */
export function approvalScopes({
  askedBy,
  askKey,
}: Readonly<Partial<AskedBy>>): readonly ApprovalScope[] {
  if (askedBy === 'setting') return ['once', 'session', 'always'];
  return askKey === undefined ? ['once'] : ['once', 'session'];
}

/** The answer with the scope that holds for the question. */
export function withinScope(question: AskedBy, answer: ApprovalAnswer): ApprovalAnswer {
  if (question.askedBy === 'setting') return answer;
  const { tools: _, ...alone } = answer;
  const { approved, scope = 'once' } = answer;
  if (!approved || scope === 'once') return alone;
  return { ...alone, scope: approvalScopes(question).includes('session') ? 'session' : 'once' };
}
