export { createAgent } from './agent.ts';
export type {
  Agent,
  AgentFold,
  AgentHooks,
  AgentOptions,
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
export { preloadBy } from './narrowing.ts';
export { BUILT_IN_ROLES, type RoleSettings, rolesWith } from './roles.ts';
export { type CategorySettings, categoriesWith, createRouter, type Router } from './routing.ts';
