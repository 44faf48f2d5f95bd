export { ApprovalPolicy } from './approval-policy.ts';
export { lostCalls } from './approved-calls.ts';
export { askedAgain } from './asked-again.ts';
export type { Shown } from './changes.ts';
export { checkAnswers } from './check-answers.ts';
export { definitionIn } from './definition.ts';
export { isAnswer } from './is-answer.ts';
export { approvalScopes, withinScope } from './scopes.ts';
