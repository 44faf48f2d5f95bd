export type {
  ApprovalMode,
  ApprovalSettings,
  Category,
  CategorySetting,
  CategorySettings,
  ModelSettings,
  RoleSettings,
  RoutingMode,
  SubagentBudget,
  SubagentLimits,
  SubagentSettings,
  TokenPrice,
} from '@toolfold/config/internal/config';
export { createAgent, createWorker } from './agent.ts';
export { approvalScopes } from './approvals/index.ts';
export type { UnknownChoice } from './entries/index.ts';
export type {
  AgentEvent,
  AgentHooks,
  ApprovalAnswer,
  ApprovalOptions,
  ApprovalRequest,
  ApprovalScope,
  AskedElicitation,
  Budget,
  DecisionSource,
  Elicitation,
  ElicitationOptions,
  EndCode,
  EndReason,
  FailureFacts,
  PendingApproval,
  PendingElicitation,
  SentRequest,
  Spending,
  SubagentStatus,
  TransformSystemPrompt,
  TurnError,
} from './events/index.ts';
export { type InboxBodies, inboxMessage } from './inbox/index.ts';
export { openEvents } from './log/index.ts';
export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  AskedUnknownCall,
  EventStamp,
  QuickAnswer,
  ResumeOptions,
  RunningSubagent,
  SdkSettings,
  SendOptions,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './options/index.ts';
export { type ChildEntries, eventsOf, type RebuiltEvent } from './rebuilt/index.ts';
export { createRecall, type Recall, type RecallAnswer, type RecallInput } from './recall/index.ts';
export { BUILT_IN_ROLES, rolesWith } from './roles/index.ts';
export {
  CATEGORIES,
  categoriesWith,
  createRouter,
  preloadBy,
  type Router,
} from './routing/index.ts';
export {
  type CallDraft,
  type CallLive,
  type CallStatus,
  createScreen,
  type Screen,
  type ScreenApproval,
  type ScreenBlock,
  type ScreenCall,
  type ScreenChild,
  type ScreenEnd,
  type ScreenNotice,
  type ScreenText,
  type ScreenTurn,
  type ScreenView,
  screenOf,
} from './screen/index.ts';
export {
  type AnswerFormat,
  type Batch,
  type BatchRun,
  createInProcessEngine,
  type Engine,
  type EngineCommand,
  type EngineUpdate,
  type SubagentAnswer,
  type SubagentQuestion,
  type SubagentResult,
  type SubagentTask,
  type Work,
  type WorkOptions,
  type WorkResult,
} from './subagents/engine/index.ts';
export { WITHHELD, type WorkerOptions } from './subagents/index.ts';
export type { SubagentReport } from './subagents/report/index.ts';
export {
  createSubagents,
  type SubagentInput,
  type SubagentOptions,
  type Subagents,
  type TaskInput,
} from './subagents/tool/index.ts';
