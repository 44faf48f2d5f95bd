export { createApprover } from './approvals.ts';
export { askLine } from './question.ts';
