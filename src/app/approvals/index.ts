export { ANSWERS, DENIED, TOO_DEEP } from './answers.ts';
export { type Approver, createApprover } from './approvals.ts';
export { approvalStore } from './save-approval.ts';
export { createUnknownAsker } from './unknown-calls.ts';
export { visibleArguments } from './visible-arguments.ts';
