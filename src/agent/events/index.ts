export type { ApprovalAnswer, ApprovalOptions, ApprovalRequest } from './approvals.ts';
export type { AskedElicitation, Elicitation, ElicitationOptions } from './elicitations.ts';
export { endReasonOf } from './end-reason.ts';
export {
  type AgentEvent,
  type EndReason,
  type PendingApproval,
  type PendingElicitation,
  type Spending,
  STATUSES,
  type SubagentStatus,
  type TurnError,
} from './events.ts';
