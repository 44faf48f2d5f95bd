export { ApprovalPolicy, type Settled } from './approval-policy.ts';
export { withRunnable } from './approved-calls.ts';
export { decided } from './decided.ts';
export { PendingApprovals } from './pending-approvals.ts';
