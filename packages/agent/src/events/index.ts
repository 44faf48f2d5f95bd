export {
  type Budget,
  causesOf,
  type EndCode,
  type EndReason,
  endCodeOf,
  endReasonOf,
} from './end.ts';
export {
  Accounts,
  type AgentEvent,
  type AgentHooks,
  type DecisionSource,
  NOTHING_SPENT,
  type PendingApproval,
  type PendingElicitation,
  plus,
  type SentRequest,
  type Spending,
  STATUSES,
  type SubagentStatus,
  type TokenUsage,
  type TransformSystemPrompt,
  type TurnError,
  withUsage,
} from './events.ts';
export { createScreen, type Screen, screenOf } from './screen.ts';
export { gapBetween, joinedTexts } from './screen-blocks.ts';
export type {
  CallDraft,
  CallLive,
  CallStatus,
  ScreenApproval,
  ScreenBlock,
  ScreenCall,
  ScreenChild,
  ScreenEnd,
  ScreenNotice,
  ScreenText,
  ScreenTurn,
  ScreenView,
} from './screen-view.ts';
export {
  type FailureFacts,
  failureFacts,
  plain,
  plainEvent,
  plainFailure,
  publicUrl,
  retryEvent,
  turnError,
} from './turn-error.ts';
export {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  type ApprovalScope,
  type AskedBy,
  type AskedElicitation,
  type Elicitation,
  type ElicitationOptions,
  grantsOf,
  readAskedBy,
} from './user-requests.ts';
