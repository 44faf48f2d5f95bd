export type { ApprovalAnswer, ApprovalOptions, ApprovalRequest } from './approvals.ts';
export { endReasonOf } from './end-reason.ts';
export {
  type AgentEvent,
  type EndReason,
  type PendingApproval,
  type Spending,
  STATUSES,
  type SubagentStatus,
  type TurnError,
} from './events.ts';
