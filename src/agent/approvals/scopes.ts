import type { ApprovalAnswer, ApprovalScope, AskedBy } from '../events/index.ts';

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
  const { approved, scope = 'once' } = answer;
  if (!approved || scope === 'once' || question.askedBy === 'setting') return answer;
  return { ...answer, scope: approvalScopes(question).includes('session') ? 'session' : 'once' };
}
