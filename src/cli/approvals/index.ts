export { type Approver, type AskLine, createApprover } from './approvals.ts';
export { askLine } from './question.ts';
export { saveApproval } from './save-approval.ts';
export { createUnknownAsker } from './unknown-calls.ts';
export { visibleArguments } from './visible-arguments.ts';
