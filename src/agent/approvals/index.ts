export { ApprovalPolicy, type Settled } from './approval-policy.ts';
export { withRunnable } from './approved-calls.ts';
export { askedAgain } from './asked-again.ts';
export type { Shown } from './changes.ts';
export { decided } from './decided.ts';
export { definitionIn } from './definition.ts';
export { isAnswer } from './is-answer.ts';
export { PendingApprovals } from './pending-approvals.ts';
export { approvalScopes } from './scopes.ts';
