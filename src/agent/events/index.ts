export type {
  ApprovalAnswer,
  ApprovalMode,
  ApprovalOptions,
  ApprovalRequest,
} from './approvals.ts';
export { endReasonOf } from './end-reason.ts';
export {
  type AgentEvent,
  type EndReason,
  type PendingApproval,
  type Spending,
  STATUSES,
  type SubagentStatus,
} from './events.ts';
