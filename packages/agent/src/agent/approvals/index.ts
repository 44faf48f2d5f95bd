export { goesOn, isAllowedCall } from './allowed-calls.ts';
export { approvalScopes, checkAnswers, withinScope } from './answers.ts';
export { ApprovalPolicy } from './approval-policy.ts';
export { askedAgain, definitionIn } from './changes.ts';
