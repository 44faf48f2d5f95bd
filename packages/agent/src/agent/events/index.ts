export {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  type ApprovalScope,
  type AskedBy,
  grantsOf,
  readAskedBy,
} from './approvals.ts';
export type { AskedElicitation, Elicitation, ElicitationOptions } from './elicitations.ts';
export {
  type Budget,
  causesOf,
  type EndCode,
  type EndReason,
  endCodeOf,
  endReasonOf,
} from './end.ts';
export {
  type AgentEvent,
  type DecisionSource,
  type PendingApproval,
  type PendingElicitation,
  type SentRequest,
  type Spending,
  STATUSES,
  type SubagentStatus,
  type TokenUsage,
  type TurnError,
} from './events.ts';
export type { AgentHooks, TransformSystemPrompt } from './hooks.ts';
export { Accounts, NOTHING_SPENT, plus, withUsage } from './spending.ts';
export { gapBetween, joinedTexts } from './text-gap.ts';
export {
  type FailureFacts,
  failureFacts,
  plainFailure,
  publicUrl,
  retryEvent,
  turnError,
} from './turn-error.ts';
