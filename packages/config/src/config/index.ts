export { withAllowed, withExposure, withServers } from './edit-settings.ts';
export { fileSchema } from './json-schema.ts';
export { aKind, JsonSource, type Node } from './json-source.ts';
export { checkAgentSettings, checkHooks, checkSubagentOptions } from './options.ts';
export { readSettings } from './read-settings.ts';
export {
  type Allowed,
  type AllowedCall,
  type ApprovalMode,
  type ApprovalSettings,
  type CacheSetting,
  type Category,
  type CategorySetting,
  type CategorySettings,
  MAX_DEPTH,
  MAX_TIMEOUT,
  type ModelSettings,
  NARROW,
  type Notify,
  type ProviderSettings,
  type RoleSettings,
  type RoutingMode,
  restrictingPart,
  type SamplingSettings,
  type ServerSettings,
  type StrategySetting,
  type SubagentBudget,
  type SubagentLimits,
  type SubagentSettings,
  type TokenPrice,
  type ToolfoldSettings,
  TURN_LIMITS,
  tightened,
  WIDE,
} from './settings/index.ts';
