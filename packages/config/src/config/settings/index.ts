export type { Allowed, AllowedCall } from './allowed-call.ts';
export { type ApprovalMode, type ApprovalSettings, approvalShape } from './approval.ts';
export type { CacheSetting } from './cache.ts';
export {
  type Category,
  type CategorySetting,
  type CategorySettings,
  categories,
  categoryList,
} from './category.ts';
export type { ModelSettings, TokenPrice } from './model.ts';
export type { ProviderSettings } from './provider.ts';
export { restrictingPart, tightened } from './restricting.ts';
export type { RoleSettings } from './role.ts';
export {
  NAMED,
  type Notify,
  type RoutingMode,
  type SamplingSettings,
  type ServerSettings,
  settings,
  settingsShape,
  type ToolfoldSettings,
} from './settings.ts';
export { KEYS_BETWEEN, objectOf, type Shape } from './shapes.ts';
export type { StrategySetting } from './strategy.ts';
export { MAX_DEPTH, MAX_TIMEOUT, NARROW, type SubagentLimits, WIDE } from './subagent-limits.ts';
export {
  type SubagentBudget,
  type SubagentSettings,
  subagentShape,
  withConcurrency,
} from './subagents.ts';
export { TURN_LIMITS } from './turn-limits.ts';
export { NOT_BLANK, name, text } from './values.ts';
