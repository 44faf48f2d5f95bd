export {
  MAX_TIMEOUT,
  NARROW,
  type SubagentBudget,
  type SubagentLimits,
  type SubagentSettings,
  TURN_LIMITS,
  WIDE,
} from './agents.ts';
export { withAllowed, withExposure, withServers } from './edit-settings.ts';
export { effectsOf } from './effects.ts';
export type {
  CacheSetting,
  ModelSettings,
  ProviderSettings,
  TokenPrice,
} from './models.ts';
export { checkAgentSettings, checkHooks, checkSubagentOptions } from './options.ts';
export { readSettings } from './read-settings.ts';
export { onlyRestricts, restrictingPart, tightened } from './restricting.ts';
export type {
  Notify,
  RoutingMode,
  SamplingSettings,
  ServerSettings,
  ToolfoldSettings,
} from './settings.ts';
export type {
  AllowedCall,
  AllowRule,
  ApprovalMode,
  ApprovalSettings,
  Category,
  CategorySetting,
  CategorySettings,
  RoleSettings,
  StrategySetting,
} from './tools.ts';
