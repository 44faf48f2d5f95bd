export { ApprovalPolicy } from './approval-policy.ts';
export { withRunnable } from './approved-calls.ts';
export { PendingApprovals } from './pending-approvals.ts';
