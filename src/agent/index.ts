export { createAgent } from './agent.ts';
export type {
  Agent,
  AgentFold,
  AgentHooks,
  AgentOptions,
  AgentSpending,
  ModelSettings,
  PendingApproval,
  RoutingMode,
  TransformSystemPrompt,
  TurnOptions,
} from './agent-options.ts';
export type {
  ApprovalAnswer,
  ApprovalMode,
  ApprovalOptions,
  ApprovalRequest,
} from './approvals.ts';
export { CATEGORIES, type Category } from './categories.ts';
export type { AgentEvent, EndReason } from './events.ts';
export type { TokenPrice } from './meter.ts';
export { preloadBy } from './narrowing.ts';
export { BUILT_IN_ROLES, type RoleSettings, rolesWith } from './roles.ts';
export { type CategorySettings, categoriesWith, createRouter, type Router } from './routing.ts';
export type { Spending } from './spending.ts';
export type { WorkerOptions } from './subagents/child.ts';
export type {
  AnswerFormat,
  Batch,
  BatchRun,
  Engine,
  EngineCommand,
  EngineUpdate,
  SubagentAnswer,
  SubagentBudget,
  SubagentQuestion,
  SubagentResult,
  SubagentStatus,
  SubagentTask,
  Work,
  WorkOptions,
  WorkResult,
} from './subagents/engine.ts';
export { createInProcessEngine } from './subagents/in-process.ts';
export type { SubagentInput, TaskInput } from './subagents/input.ts';
export type { SubagentLimits } from './subagents/limits.ts';
export type { SubagentOptions } from './subagents/options.ts';
export type { SubagentReport } from './subagents/report.ts';
export type { RunningSubagent } from './subagents/team.ts';
export { createSubagents, type Subagents } from './subagents/tool.ts';
export { WITHHELD } from './subagents/withheld.ts';
export { createWorker } from './subagents/worker.ts';
